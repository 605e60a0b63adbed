/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/rules.h"

static struct settings make(const char *log, const char *trace)
{
	struct settings settings = {
		.enabled = true,
		.layout = {API_CUDA, DIALECT_CUDA4, FORMAT_CSV, 0},
		.log = strdup(log),
		.trace = trace ? strdup(trace) : NULL,
		.record_limit = 11,
		.byte_limit = 1ull << 40,
		.totals = true,
		.trace_from_ranges = trace,
		.metrics = {.directory = strdup("m.%p"), .version = 2, .prometheus = true},
	};

	settings.layout.columns = column_set(0, API_CUDA, DIALECT_CUDA4);
	strbuf_string(&settings.warnings, "NV_Warning: one\n");
	return settings;
}

static int set_up(void **state)
{
	(void)state;
	setenv("PLACE", "50%d", 1);
	setenv("OMPI_COMM_WORLD_RANK", "5", 1);
	return chdir("/tmp");
}

static void test_from_settings(void **state)
{
	struct settings settings = make("a/%d.%p.%q{PLACE}.%%.log", "/t.%p"), rules;

	(void)state;
	assert_int_equal(rules_from_settings(&rules, &settings), 0);
	/* Values from the environment are not patterns any more. */
	assert_string_equal(rules.log, "/tmp/a/%d.%p.50%%d.%%.log");
	assert_string_equal(rules.trace, "/t.%p");
	assert_string_equal(strbuf_text(&rules.warnings), "NV_Warning: one\n");
	assert_int_equal(rules.record_limit, 11);
	assert_true(rules.totals && rules.trace_from_ranges);
	assert_string_equal(rules.metrics.directory, "/tmp/m.%p");
	assert_true(rules.metrics.version == 2 && rules.metrics.prometheus);
	assert_string_equal(rules.metrics.rank, "5");
	rules_free(&rules);
	settings_free(&settings);
}

static void test_long_name(void **state)
{
	struct settings settings, rules;
	char name[5001];

	(void)state;
	memset(name, 'x', 5000);
	name[5000] = '\0';
	settings = make(name, NULL);
	assert_int_equal(rules_from_settings(&rules, &settings), -1);
	assert_int_equal(errno, ENAMETOOLONG);
	settings_free(&settings);
	settings = make("log", name);
	assert_int_equal(rules_from_settings(&rules, &settings), -1);
	assert_int_equal(errno, ENAMETOOLONG);
	settings_free(&settings);
}

static void test_round_trip(void **state)
{
	struct settings settings = make("/a/%d", "/b"), back = {0};
	struct strbuf bytes = STRBUF_INIT;
	bool forked = false;

	(void)state;
	rules_put_frame(&bytes, &settings, true);
	assert_int_equal(rules_from_frame(&back, &forked, (const void *)bytes.data), 0);
	assert_true(forked);
	assert_true(back.enabled);
	assert_true(back.totals && back.trace_from_ranges);
	assert_string_equal(back.log, "/a/%d");
	assert_string_equal(back.trace, "/b");
	assert_string_equal(strbuf_text(&back.warnings), "NV_Warning: one\n");
	assert_memory_equal(&back.layout, &settings.layout, sizeof(back.layout));
	assert_int_equal(back.record_limit, 11);
	assert_int_equal(back.byte_limit, 1ull << 40);
	rules_free(&back);
	((struct frame *)(void *)bytes.data)->flags = 0;
	assert_int_equal(rules_from_frame(&back, &forked, (const void *)bytes.data), 0);
	assert_false(back.totals || back.trace_from_ranges);
	rules_free(&back);
	settings_free(&settings);
	strbuf_free(&bytes);
}

/* All possible sets of columns are kept. */
static void test_every_set_of_columns(void **state)
{
	struct settings settings = make("/a", NULL), back;
	struct strbuf bytes = STRBUF_INIT;
	bool forked;

	(void)state;
	for (uint32_t i = 0; i < 1u << COLUMN_COUNT; i += 13) {
		enum api api = i & 1 ? API_CUDA : API_OPENCL;
		enum dialect dialect = i & 2 ? DIALECT_CUDA4 : DIALECT_CLASSIC;

		settings.layout.api = api;
		settings.layout.dialect = dialect;
		settings.layout.columns = column_set(i, api, dialect);
		bytes.length = 0;
		rules_put_frame(&bytes, &settings, false);
		if (i % 64 == 0) {
			assert_int_equal(rules_from_frame(&back, &forked, (const void *)bytes.data),
					 0);
			rules_free(&back);
		}
		assert_int_equal(column_set(settings.layout.columns, api, dialect),
				 settings.layout.columns);
	}
	settings_free(&settings);
	strbuf_free(&bytes);
}

static void test_contradictions(void **state)
{
	struct settings settings = make("/a", "/b"), back;
	struct strbuf bytes = STRBUF_INIT;
	struct rules_frame *frame, good;
	bool forked;

	(void)state;
	rules_put_frame(&bytes, &settings, false);
	frame = (void *)bytes.data;
	good = *frame;
#define REFUSED(member, value)                                                                     \
	do {                                                                                       \
		frame->member = (value);                                                           \
		assert_int_equal(rules_from_frame(&back, &forked, frame), -1);                     \
		frame->member = good.member;                                                       \
	} while (0)
	REFUSED(api, API_COUNT);
	REFUSED(dialect, DIALECT_COUNT);
	REFUSED(format, FORMAT_COUNT);
	REFUSED(columns, UINT32_MAX);
	REFUSED(columns, 1u << COLUMN_COUNT);
	REFUSED(log_length, 0);
	REFUSED(log_length, UINT32_MAX);
	REFUSED(trace_length, UINT32_MAX);
	REFUSED(warnings_length, 100);
	settings_free(&settings);
	strbuf_free(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_settings),
		cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_every_set_of_columns),
		cmocka_unit_test(test_contradictions),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
