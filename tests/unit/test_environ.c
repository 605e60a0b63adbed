/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "settings/environ.h"
#include "settings/settings.h"

static const char *const families[] = {"COMPUTE_PROFILE", "CUDA_PROFILE", "OPENCL_PROFILE"};

static int clear(void **state)
{
	(void)state;
	for (int family = 0; family < 3; family++) {
		for (int id = 0; id < ENVIRON_COUNT; id++) {
			char name[64] = "";

			strcat(strcat(name, environ_rows[id].whole ? "" : families[family]),
			       environ_rows[id].suffix);
			unsetenv(name);
		}
	}
	return 0;
}

static bool enabled(enum api api)
{
	struct environ_values values;

	environ_read(&values, api);
	return environ_on(&values, ENVIRON_PROFILE);
}

/* Each family variable, and the APIs that it switches on; NULL is unset. */
static void test_families(void **state)
{
	static const struct {
		const char *compute, *cuda, *opencl;
		bool cuda_on, opencl_on, any;
	} rows[] = {
		{NULL, NULL, NULL, false, false, false},
		{"1", NULL, NULL, true, true, true},
		{"0", NULL, NULL, false, false, false},
		{"", NULL, NULL, false, false, false},
		{NULL, "1", NULL, true, false, true},
		{NULL, NULL, "1", false, true, true},
		{"0", "1", "1", false, false, true},
		{"", "1", NULL, true, false, true},
		{"1", "0", "0", true, true, true},
		{NULL, "0", "1", false, true, true},
		{"blue-team", NULL, NULL, false, false, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const values[] = {rows[i].compute, rows[i].cuda, rows[i].opencl};

		clear(state);
		for (int family = 0; family < 3; family++) {
			if (values[family])
				setenv(families[family], values[family], 1);
		}
		assert_int_equal(enabled(API_CUDA), rows[i].cuda_on);
		assert_int_equal(enabled(API_OPENCL), rows[i].opencl_on);
		assert_int_equal(environ_any_enabled(), rows[i].any);
	}
}

static void test_mixed(void **state)
{
	struct environ_values values;

	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_LOG", "", 1);
	setenv("CUDA_PROFILE_LOG", "own.log", 1);
	setenv("CUDA_PROFILE_CSV", "1", 1);
	setenv("OPENCL_PROFILE_CSV", "0", 1);
	setenv("CUDA_PROFILE_DIALECT", "cuda4", 1); /* there is no such variable */
	environ_read(&values, API_CUDA);
	assert_string_equal(values.value[ENVIRON_LOG], "own.log");
	assert_true(environ_on(&values, ENVIRON_CSV));
	assert_null(values.value[ENVIRON_DIALECT]);
	environ_read(&values, API_OPENCL);
	assert_null(values.value[ENVIRON_LOG]);
	assert_false(environ_on(&values, ENVIRON_CSV));
}

static void test_other_value(void **state)
{
	int ends[2], kept = dup(2);
	char heard[1024] = "";

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 2);
	setenv("COMPUTE_PROFILE", "quiet", 1);
	enabled(API_CUDA);
	setenv("CUDA_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE", "yes", 1);
	enabled(API_CUDA);
	enabled(API_OPENCL);
	dup2(kept, 2);
	close(kept);
	close(ends[1]);
	assert_true(read(ends[0], heard, sizeof(heard) - 1) >= 0);
	close(ends[0]);
	assert_string_equal(
		heard,
		"computeprof: COMPUTE_PROFILE is 'yes', which is neither 1 nor 0: it counts as "
		"0\n");
}

/* The message is printed once per process, so each case runs in a new process. */
static void say_of(const char *variable, const char *value, const char *log, enum environ_id id,
		   const char *expected)
{
	int status, ends[2];
	char heard[1024] = "";
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		struct environ_values values;

		dup2(ends[1], 2);
		setenv(variable, value, 1);
		if (log)
			setenv("COMPUTE_PROFILE_LOG", log, 1);
		if (id == ENVIRON_CSV)
			setenv("COMPUTE_PROFILE_CSV", value, 1);
		environ_read(&values, API_CUDA);
		_exit(environ_on(&values, id));
	}
	close(ends[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(read(ends[0], heard, sizeof(heard) - 1) >= 0);
	close(ends[0]);
	assert_string_equal(heard, expected);
}

static void test_values_of_switches(void **state)
{
	const char on[] =
		"computeprof: COMPUTE_PROFILE is 'on', which is neither 1 nor 0: it counts as 0\n";
	const char blue[] =
		"computeprof: COMPUTE_PROFILE is 'blue', which is neither 1 nor 0: it counts as "
		"0\n";

	(void)state;
	say_of("COMPUTE_PROFILE", "on", NULL, ENVIRON_PROFILE, on);
	say_of("COMPUTE_PROFILE", "blue", NULL, ENVIRON_PROFILE, "");
	say_of("COMPUTE_PROFILE", "blue", "log", ENVIRON_PROFILE, blue);
	say_of("CUDA_PROFILE", "on", NULL, ENVIRON_PROFILE,
	       "computeprof: CUDA_PROFILE is 'on', which is neither 1 nor 0: it counts as 0\n");
	say_of("COMPUTE_PROFILE", "2", NULL, ENVIRON_PROFILE,
	       "computeprof: COMPUTE_PROFILE is '2', which is neither 1 nor 0: it counts as 0\n");
	say_of("COMPUTE_PROFILE", "blue", NULL, ENVIRON_CSV,
	       "computeprof: COMPUTE_PROFILE_CSV is 'blue', which is neither 1 nor 0: it counts as "
	       "0\n");
}

static void test_any(void **state)
{
	(void)state;
	assert_false(environ_any_set() || environ_any_enabled());
	setenv("CUDA_PROFILE", "0", 1);
	assert_false(environ_any_set() || environ_any_enabled());
	setenv("COMPUTE_PROFILE", "", 1);
	assert_false(environ_any_set() || environ_any_enabled());
	setenv("OPENCL_PROFILE", "2", 1);
	assert_true(environ_any_set() && !environ_any_enabled());
	setenv("OPENCL_PROFILE", "1", 1);
	assert_true(environ_any_set() && environ_any_enabled());
}

/* PFLOG alone requests the metrics logs, and a log only besides a switch that is 1. */
static void test_metrics(void **state)
{
	static const struct {
		const char *profile, *pflog;
		bool enabled, no_log;
	} rows[] = {
		{NULL, NULL, false, false}, {NULL, "", false, false}, {NULL, "d", true, true},
		{"1", "d", true, false},    {"0", "d", false, false}, {"1", NULL, true, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct settings settings;

		clear(state);
		if (rows[i].profile)
			setenv("OPENCL_PROFILE", rows[i].profile, 1);
		if (rows[i].pflog)
			setenv("PFLOG", rows[i].pflog, 1);
		setenv("COMPUTE_PROFILE_TRACE", "trace", 1);
		assert_int_equal(environ_any_set(),
				 rows[i].enabled || (rows[i].pflog && *rows[i].pflog));
		settings_load(&settings, API_OPENCL);
		assert_int_equal(settings.enabled, rows[i].enabled);
		assert_int_equal(settings.no_log, rows[i].no_log);
		assert_int_equal(!settings.trace, !rows[i].enabled || rows[i].no_log);
		if (rows[i].no_log)
			assert_string_equal(settings.log, "/dev/null");
		assert_int_equal(settings_need_calls(&settings),
				 rows[i].enabled && rows[i].pflog);
		settings_free(&settings);
	}
}

static void test_metrics_values(void **state)
{
	struct settings settings;

	(void)state;
	setenv("PFLOG", "%p", 1);
	settings_load(&settings, API_CUDA);
	assert_int_equal(settings.metrics.version, 1);
	assert_int_equal(settings.metrics.period, 100);
	assert_int_equal(settings.metrics.format, METRICS_LOG);
	assert_false(settings.metrics.native_names || settings.metrics.prometheus);
	assert_int_equal(settings.ring, RING_NONE);
	settings_free(&settings);
	setenv("PFLOG_VERSION", "2", 1);
	setenv("PFLOG_FORMAT", "exporter", 1);
	setenv("PFLOG_NAMES", "native", 1);
	setenv("PFLOG_PERIOD", "20", 1);
	setenv("PFLOG_PROMETHEUS", "1", 1);
	setenv("CUDA_PROFILE", "1", 1);
	settings_load(&settings, API_OPENCL);
	assert_string_equal(settings.metrics.directory, "%p");
	assert_int_equal(settings.metrics.version, 2);
	assert_int_equal(settings.metrics.period, 20);
	assert_int_equal(settings.metrics.format, METRICS_EXPORTER);
	assert_true(settings.metrics.native_names && settings.metrics.prometheus);
	assert_int_equal(settings.ring, RING_BY_ROOM); /* the other API has a log */
	settings_free(&settings);
	say_of("PFLOG_PROMETHEUS", "yes", NULL, ENVIRON_PFLOG_PROMETHEUS,
	       "computeprof: PFLOG_PROMETHEUS is 'yes', which is neither 1 nor 0: it counts as "
	       "0\n");
}

/* The library has the name of another profiler's. */
static void test_metrics_name(void **state)
{
	struct environ_values values;

	(void)state;
	environ_set_metrics("./test");
	assert_true(environ_any_set());
	environ_read(&values, API_CUDA);
	assert_string_equal(values.value[ENVIRON_PFLOG], "./test");
	setenv("PFLOG", "own", 1);
	environ_read(&values, API_CUDA);
	assert_string_equal(values.value[ENVIRON_PFLOG], "own");
	environ_set_metrics(NULL);
}

static void check_defaults(enum api api, const char *dialect, const char *log)
{
	struct settings settings;

	setenv("COMPUTE_PROFILE_DIALECT", dialect, 1);
	settings_load(&settings, api);
	assert_true(settings.enabled);
	assert_string_equal(settings.log, log);
	assert_null(settings.trace);
	assert_null(settings.config);
	assert_null(settings.bad_config);
	assert_true(settings.start_enabled);
	assert_int_equal(settings.layout.format, FORMAT_KEYVAL);
	assert_int_equal(settings.layout.columns, column_set(0, api, settings.layout.dialect));
	assert_true(settings_logs_kernel(&settings, "any"));
	settings_free(&settings);
}

static void test_defaults(void **state)
{
	struct settings settings;

	(void)state;
	settings_load(&settings, API_CUDA);
	assert_false(settings.enabled);
	settings_free(&settings);
	setenv("COMPUTE_PROFILE", "1", 1);
	check_defaults(API_CUDA, "", "compute_profile.log");
	check_defaults(API_OPENCL, "classic", "compute_profile.log");
	check_defaults(API_CUDA, "cuda4", "cuda_profile_%d.log");
	check_defaults(API_OPENCL, "CUDA4", "opencl_profile_%d.log");
	setenv("PMI_RANK", "3", 1);
	check_defaults(API_CUDA, "", "compute_profile.rank%r.log");
	check_defaults(API_OPENCL, "cuda4", "opencl_profile_%d.rank%r.log");
	unsetenv("PMI_RANK");
}

static void test_trace(void **state)
{
	struct settings settings;

	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_TRACE", "t%p", 1);
	setenv("COMPUTE_PROFILE_LOG", "%s%n%d", 1);
	settings_load(&settings, API_CUDA);
	assert_string_equal(settings.trace, "t%p");
	assert_string_equal(settings.log, "%s%n%d");
	settings_free(&settings);
}

/* Settings in a call override the environment; missing ones do not. */
static void test_settings_of_a_call(void **state)
{
	struct settings settings;

	(void)state;
	setenv("COMPUTE_PROFILE_LOG", "mine", 1);
	settings_load_request(&settings, API_CUDA, &(struct settings_request){.log = "theirs"});
	assert_false(settings.enabled);
	assert_null(settings.log);
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_CSV", "1", 1);
	settings_load_request(&settings, API_CUDA,
			   &(struct settings_request){.log = "theirs", .config = ""});
	assert_string_equal(settings.log, "theirs");
	assert_int_equal(settings.layout.format, FORMAT_KEYVAL);
	assert_null(settings.bad_config);
	settings_free(&settings);
	settings_load_request(&settings, API_CUDA,
			      &(struct settings_request){
				      .log = "", .config = "nowhere/file", .format = FORMAT_CSV});
	assert_string_equal(settings.log, "mine");
	assert_string_equal(settings.bad_config, "nowhere/file");
	assert_int_equal(settings.layout.format, FORMAT_CSV);
	settings_free(&settings);
	settings_load_request(&settings, API_CUDA, &(struct settings_request){0});
	assert_string_equal(settings.log, "mine");
	assert_null(settings.bad_config);
	settings_free(&settings);
	setenv("COMPUTE_PROFILE_CONFIG", "nowhere/other", 1);
	settings_load(&settings, API_CUDA);
	assert_string_equal(settings.bad_config, "nowhere/other");
	assert_int_equal(settings.layout.format, FORMAT_CSV);
	settings_free(&settings);
}

static void test_bad_dialect(void **state)
{
	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	check_defaults(API_CUDA, "cuda5", "compute_profile.log");
}

static void test_rows(void **state)
{
	(void)state;
	for (int id = 0; id < ENVIRON_COUNT; id++) {
		assert_non_null(environ_rows[id].suffix);
		assert_non_null(environ_rows[id].help);
		assert_non_null(environ_rows[id].fallback);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_values_of_switches, clear, clear),
		cmocka_unit_test_setup_teardown(test_families, clear, clear),
		cmocka_unit_test_setup_teardown(test_mixed, clear, clear),
		cmocka_unit_test_setup_teardown(test_other_value, clear, clear),
		cmocka_unit_test_setup_teardown(test_defaults, clear, clear),
		cmocka_unit_test_setup_teardown(test_trace, clear, clear),
		cmocka_unit_test_setup_teardown(test_any, clear, clear),
		cmocka_unit_test_setup_teardown(test_metrics, clear, clear),
		cmocka_unit_test_setup_teardown(test_metrics_values, clear, clear),
		cmocka_unit_test_setup_teardown(test_metrics_name, clear, clear),
		cmocka_unit_test_setup_teardown(test_settings_of_a_call, clear, clear),
		cmocka_unit_test_setup_teardown(test_bad_dialect, clear, clear),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
