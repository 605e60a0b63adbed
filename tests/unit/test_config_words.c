/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "model/counter.h"
#include "settings/config.h"
#include "settings/configfile.h"

#include "folder.h"
#include "stderr_capture.h"

/* Words of a configuration file that resemble valid ones, and files at the limits of the parser. */

static struct settings settings;
static const char *heard;

static void load(const char *text, enum api api)
{
	int fd = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	settings_free(&settings);
	settings = (struct settings){.layout.api = api, .start_enabled = true};
	listen_now();
	config_load(&settings, "file");
	heard = hear();
}

static int forget(void **state)
{
	settings_free(&settings);
	unsetenv("COMPUTEPROF_CONFIG_DIR");
	return tear_down(state);
}

/* Returns the names of the file's counters, each followed by a blank. */
static const char *counters(void)
{
	static char names[1024];

	names[0] = '\0';
	for (unsigned i = 0; i < settings.counters.count; i++)
		strcat(strcat(names, settings.counters.items[i].name), " ");
	return names;
}

/* The manual of 2010 writes some names with blanks. */
static void test_joined(void **state)
{
	(void)state;
	load("local store\nlocal \t load\ngld request\nlocal_store\n", API_CUDA);
	assert_string_equal(counters(), "local_store local_load gld_request ");
	assert_string_equal(strbuf_text(&settings.warnings), "");
	assert_string_equal(heard, "");
	load("l1 shared\tbank \t conflict\n", API_CUDA);
	assert_string_equal(counters(), "l1_shared_bank_conflict ");
	load("local  stores\nlocal sto re\nlocal_ store\n", API_CUDA);
	assert_string_equal(counters(), "");
	assert_non_null(strstr(strbuf_text(&settings.warnings), ": local\n"));
}

static void test_something_behind(void **state)
{
	char line[128] = "local_load ";

	(void)state;
	load("branch taken\nstreamid now\n", API_CUDA);
	assert_string_equal(counters(), "branch ");
	assert_non_null(strstr(heard, "line 1: 'branch' takes no value; 'taken'"));
	assert_non_null(strstr(heard, "line 2: 'streamid' takes no value; 'now'"));
	load("branch x\n", API_CUDA);
	assert_non_null(strstr(heard, "'branch' takes no value; 'x'"));
	/* The name of each counter has less than 64 bytes. */
	for (size_t size = 50; size < 56; size++) {
		memset(line + 11, 'x', size);
		strcpy(line + 11 + size, "\n");
		load(line, API_CUDA);
		assert_string_equal(counters(), "local_load ");
		assert_non_null(strstr(heard, "'local_load' takes no value"));
	}
}

static void test_opencl(void **state)
{
	(void)state;
	load("branch\n", API_OPENCL);
	assert_non_null(strstr(heard, "file names 1 counter, but OpenCL"));
	load("branch\nlocal_load\n", API_OPENCL);
	assert_non_null(strstr(heard, "file names 2 counters, but OpenCL"));
	load("streamid\n", API_OPENCL);
	assert_string_equal(heard, "");
}

static void test_only_looked_at(void **state)
{
	(void)state;
	load("branch\n", API_OPENCL);
	settings_free(&settings);
	settings = (struct settings){.layout.api = API_OPENCL, .only_looked_at = true};
	listen_now();
	config_load(&settings, "file");
	assert_string_equal(hear(), "");
	assert_int_equal(settings.counters.count, 1);
}

/* Complete and partial byte order marks, and very short files. */
static void test_short_files(void **state)
{
	static const struct {
		const char *text;
		int count;	 /* of counters */
		bool is_unknown; /* it has an unknown word */
	} files[] = {
		{"", 0, false},
		{"\n", 0, false},
		{"a", 0, true},
		{"ab", 0, true},
		{"\xef\xbb\xbf", 0, false},
		{"\xef\xbb", 0, true},
		{"\357\273\277branch", 1, false},
		{"branch", 1, false},
		{"\357\273\276branch", 0, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		load(files[i].text, API_CUDA);
		assert_int_equal(settings.counters.count, files[i].count);
		assert_int_equal(settings.warnings.length != 0, files[i].is_unknown);
		assert_null(settings.bad_config);
	}
}

/* Lines that exceed inih's limit, or also that of computeprof. */
static void test_long_lines(void **state)
{
	char text[500];

	(void)state;
	for (size_t size = 185; size < 270; size++) {
		char *line = memset(text, '\n', size - 185);

		line += size - 185; /* each on a line of its own, or only the first is reported */
		strcpy(line, "[counter ");
		memset(line + 9, ' ', size);
		strcpy(line + 9 + size, "mine]\nmetric = sm__cycles_active.sum\n");
		load(text, API_CUDA);
		assert_int_equal(settings.counters.count, 0);
		assert_int_equal(!strstr(heard, "more than 197 bytes"), 9 + size + 5 <= 197);
		assert_null(settings.bad_config);
	}
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t records;
		bool is_wrong;
	} values[] = {
		{"0", 0, false},
		{"5", 5, false},
		{"5k", 5000, false},
		{"5K", 5000, false},
		{"5m", 5000000, false},
		{"7G", 7000000000, false},
		{"18446744073709551615", UINT64_MAX, false},
		{"18446744073709551616", 0, true},
		{"184467440737095516150", 0, true},
		{"18446744073709551k", 18446744073709551000u, false},
		{"18446744073709552k", 0, true},
		{"5kk", 0, true},
		{"5x", 0, true},
		{"5 k", 0, true},
		{"k", 0, true},
		{"-5", 0, true},
		{"", 0, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		char text[64] = "[limit]\nrecords = ";

		load(strcat(text, values[i].text), API_CUDA);
		assert_int_equal(*heard != '\0', values[i].is_wrong);
		assert_true(settings.record_limit == values[i].records);
	}
}

static void test_switches(void **state)
{
	(void)state;
	load("conckerneltrace\nenableonstart 0\n", API_CUDA);
	assert_int_equal(settings.concurrent_kernels, TRISTATE_ON);
	assert_false(settings.start_enabled);
	load("conckerneltrace 0\nenableonstart\n", API_CUDA);
	assert_int_equal(settings.concurrent_kernels, TRISTATE_OFF);
	assert_true(settings.start_enabled);
	load("conckerneltrace 2\nenableonstart 00\n", API_CUDA);
	assert_int_equal(settings.concurrent_kernels, TRISTATE_UNSET);
	assert_true(settings.start_enabled);
	assert_non_null(strstr(heard, "line 1: conckerneltrace must be 0 or 1, not '2'"));
	assert_non_null(strstr(heard, "line 2: enableonstart must be 0 or 1, not '00'"));
	load("[output]\ndialect = cuda4\n", API_CUDA);
	assert_int_equal(settings.layout.dialect, DIALECT_CUDA4);
	load("[output]\ndialect = cuda5\nlog =\n", API_CUDA);
	assert_int_equal(settings.layout.dialect, DIALECT_CLASSIC);
	assert_non_null(strstr(heard, "line 2: dialect must be classic or cuda4, not 'cuda5'"));
	assert_non_null(strstr(heard, "line 3: log must not be empty"));
	assert_null(settings.log);
	load("[filter]\nkernel = ^f\nkernel =\nkernel = ^g\n", API_CUDA);
	assert_non_null(strstr(heard, "line 3: kernel must not be empty"));
	assert_string_equal(settings.kernel_filter, "^g");
	assert_false(settings_logs_kernel(&settings, "f"));
	assert_true(settings_logs_kernel(&settings, "g"));
}

static void test_metrics(void **state)
{
	(void)state;
	load("[metrics]\ndirectory = d\nversion = 2\nformat = exporter\nnames = native\n"
	     "period = 3600000\nprometheus\n",
	     API_OPENCL);
	assert_string_equal(heard, "");
	assert_string_equal(settings.metrics.directory, "d");
	assert_int_equal(settings.metrics.version, 2);
	assert_int_equal(settings.metrics.format, METRICS_EXPORTER);
	assert_int_equal(settings.metrics.period, 3600000);
	assert_true(settings.metrics.native_names && settings.metrics.prometheus);
	load("[metrics]\nversion = 1\nformat = log\nnames = cuda\nperiod = 20\n", API_OPENCL);
	assert_string_equal(heard, "");
	assert_int_equal(settings.metrics.version, 1);
	assert_int_equal(settings.metrics.format, METRICS_LOG);
	assert_int_equal(settings.metrics.period, 20);
	assert_false(settings.metrics.native_names);
	load("[metrics]\nversion = 3\nversion = 12\nformat = x\nnames = x\n", API_OPENCL);
	assert_non_null(strstr(heard, "line 2: version must be 1 or 2, not '3'"));
	assert_non_null(strstr(heard, "line 3: version must be 1 or 2, not '12'"));
	assert_non_null(strstr(heard, "line 4: format must be log or exporter, not 'x'"));
	assert_non_null(strstr(heard, "line 5: names must be cuda or native, not 'x'"));
	load("[metrics]\nperiod = 19\nperiod = 3600001\nperiod = 30x\nperiod =\nother = 1\n",
	     API_OPENCL);
	assert_non_null(strstr(heard, "line 2: period must be a whole number from 20 to 3600000"));
	assert_non_null(strstr(heard, "line 3: period must be"));
	assert_non_null(strstr(heard, "line 4: period must be"));
	assert_non_null(strstr(heard, "line 5: period must be"));
	assert_non_null(strstr(heard, "line 6: section [metrics] has no setting 'other'"));
	assert_int_equal(settings.metrics.period, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, forget)

/* Checks `count` mistakes from line `first` on. A message about a line is printed once. */
static void check_mistakes(int first, int count)
{
	char expected[2000] = "", text[200] = "";

	memset(text, '\n', (size_t)first - 1);
	for (int i = 0; i < count; i++) {
		strcat(text, "[\n");
		if (i < 20)
			sprintf(expected + strlen(expected),
				"computeprof: file, line %d: the line of a section must be "
				"[NAME]\n",
				first + i);
	}
	if (count > 20)
		sprintf(expected + strlen(expected),
			"computeprof: file, line %d: further mistakes are not reported\n",
			first + 20);
	load(text, API_CUDA);
	assert_string_equal(heard, expected);
	load(text, API_CUDA);
	assert_string_equal(heard, "");
}

/* The first twenty messages, then a message that there are more, then none. */
static void test_many_mistakes(void **state)
{
	(void)state;
	check_mistakes(1, 20);
	check_mistakes(31, 21);
	check_mistakes(61, 23);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_joined),	   TEST(test_something_behind), TEST(test_opencl),
		TEST(test_only_looked_at), TEST(test_short_files),	TEST(test_long_lines),
		TEST(test_numbers),	   TEST(test_metrics),
		TEST(test_switches),	   TEST(test_many_mistakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
