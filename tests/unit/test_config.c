/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "settings/config.h"

#define BIT(name)     (1U << COLUMN_ID_##name)
#define UNKNOWN(name) "NV_Warning: Ignoring the invalid profiler config option: " name "\n"
#define COUNTER(name)                                                                              \
	"NV_Warning: Counter '" name "' is not compatible with other selected counters and it "    \
	"cannot be profiled in this run.\n"

static char directory[] = "/tmp/test_config.XXXXXX";
static char started_in[4096];
static struct settings settings;
static char heard[8192]; /* the messages of the last load on stderr */

static int enter(void **state)
{
	(void)state;
	if (!getcwd(started_in, sizeof(started_in)) || !mkdtemp(directory))
		return -1;
	unsetenv("COMPUTEPROF_CONFIG_DIR");
	return chdir(directory);
}

static int leave(void **state)
{
	(void)state;
	return chdir(started_in) || rmdir(directory);
}

static int forget(void **state)
{
	(void)state;
	settings_free(&settings);
	unlink("file");
	return 0;
}

static void write_file(const char *text, size_t size)
{
	int fd = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), size);
	close(fd);
}

static void load(const char *name, enum api api)
{
	int ends[2], kept = dup(2);
	ssize_t size;

	settings_free(&settings);
	settings = (struct settings){.layout.api = api, .start_enabled = true};
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 2);
	close(ends[1]);
	config_load(&settings, name);
	dup2(kept, 2);
	close(kept);
	size = read(ends[0], heard, sizeof(heard) - 1);
	heard[size < 0 ? 0 : size] = '\0';
	close(ends[0]);
}

static void load_text(const char *text)
{
	write_file(text, strlen(text));
	load("file", API_CUDA);
	assert_null(settings.bad_config);
	assert_string_equal(settings.config, "file");
}

static void check_quiet(const char *text, uint32_t columns_asked)
{
	load_text(text);
	assert_int_equal(settings.layout.columns, columns_asked);
	assert_string_equal(strbuf_text(&settings.warnings), "");
	assert_string_equal(heard, "");
}

static void check_refused(const char *name, const char *reason)
{
	load(name, API_CUDA);
	assert_string_equal(settings.bad_config, name);
	assert_null(settings.config);
	assert_int_equal(settings.layout.columns, 0);
	assert_non_null(strstr(heard, reason));
}

static void test_forms(void **state)
{
	const uint32_t two = BIT(STREAM) | BIT(BYTES);

	(void)state;
	check_quiet("\n\n \n", 0);
	check_quiet("streamid\nmemtransfersize\n", two);
	check_quiet("streamid\nmemtransfersize", two);
	check_quiet("\xef\xbb\xbfstreamid\r\nmemtransfersize\r\n", two);
	check_quiet("\xef\xbb\xbf[limit]\n", 0);
	check_quiet("  streamid\n\tmemtransfersize  \t\n", two);
	check_quiet("# gridsize\n;gridsize\n  # gridsize\nstreamid\nmemtransfersize", two);
	check_quiet("StreamID\nMEMTRANSFERSIZE\nstreamid\nstreamid", two);
	check_quiet("NDRangeSize\nworkgroupsize\nregperworkitem\nstapmemperworkgroup",
		    BIT(GRID) | BIT(BLOCK) | BIT(REGISTERS) | BIT(STATIC_SHARED));
}

static void test_behaviour(void **state)
{
	(void)state;
	check_quiet("countermodeaggregate\nconckerneltrace\nenableonstart 0\n"
		    "profilelogformat   csv\n",
		    0);
	assert_true(settings.aggregate_counters && settings.concurrent_kernels);
	assert_false(settings.start_enabled);
	assert_int_equal(settings.layout.format, FORMAT_CSV);
	check_quiet("ProfileLogFormat\tKVP\nEnableOnStart = 1\n", 0);
	assert_true(settings.start_enabled);
	load_text("enableonstart maybe\nprofilelogformat\n");
	assert_true(settings.start_enabled);
	assert_string_equal(heard,
			    "computeprof: file, line 1: enableonstart must be 0 or 1, not 'maybe'\n"
			    "computeprof: file, line 2: profilelogformat must be kvp or csv, "
			    "not ''\n");
}

static void test_unknown(void **state)
{
	(void)state;
	load_text("streamidd\nGridsizes\nstreamidd\nx\033[2J\n=\nstreamid rest\n");
	assert_string_equal(strbuf_text(&settings.warnings),
			    UNKNOWN("streamidd") UNKNOWN("Gridsizes") UNKNOWN("x\\x1b[2J")
				    UNKNOWN("="));
	assert_int_equal(settings.layout.columns, BIT(STREAM));
	assert_non_null(strstr(heard, "line 6: 'streamid' takes no value; 'rest'"));
}

static void test_many_unknown(void **state)
{
	static char text[8000];
	size_t length = 0;

	(void)state;
	for (int i = 0; i < 1000; i++)
		length += (size_t)sprintf(text + length, "n%d\n", i);
	load_text(text);
	assert_true(settings.warnings.length < 8000);
	assert_string_equal(heard, "computeprof: file, line 101: unknown names from here on are "
				   "ignored without a message\n");
}

static void test_counters(void **state)
{
	static const char text[] = "local store\nBRANCH\nlocal  \t store\nbranch\nlocal_store\n";

	(void)state;
	load_text(text);
	assert_int_equal(settings.counters.count, 2);
	assert_string_equal(settings.counters.items[0].name, "local_store");
	assert_string_equal(settings.counters.items[1].name, "branch");
	assert_int_equal(settings.warnings.length + strlen(heard), 0); /* of each device */
	load("file", API_OPENCL);
	assert_string_equal(strbuf_text(&settings.warnings),
			    COUNTER("local_store") COUNTER("branch"));
	assert_string_equal(heard, "computeprof: file names 2 counters, but OpenCL has no "
				   "interface for hardware counters; everything else is logged\n");
}

static void test_sections(void **state)
{
	(void)state;
	check_quiet("streamid\n[output]\nformat = csv\n dialect=CUDA4\n\tlog: a;b ;c%d.log  \n"
		    "trace t.trace\n[ Filter ]\nKernel = ^(add|mul)_[0-9]+$\n"
		    "[limit] \nrecords=12k\nbytes = 3M\n[counters]\nreplay = Kernel\n",
		    BIT(STREAM));
	assert_int_equal(settings.layout.format, FORMAT_CSV);
	assert_int_equal(settings.layout.dialect, DIALECT_CUDA4);
	assert_string_equal(settings.log, "a;b ;c%d.log");
	assert_string_equal(settings.trace, "t.trace");
	assert_true(settings.record_limit == 12000 && settings.byte_limit == 3 << 20);
	assert_true(settings.replay_kernels && settings_logs_kernel(&settings, "add_12"));
	assert_false(settings_logs_kernel(&settings, "add_12x"));
}

static void test_bad_sections(void **state)
{
	static const char text[] =
		"[output\nformat = csv\n[nonsense]\nformat = csv\n[limit]\nrecords = 1 k\n"
		"records = -1\nbytes = 99999999999G\nbytes\nrows = 1\n[filter]\nkernel = a(\n[]\n"
		"[counters]\nreplay = kernel\nreplay = all\nreplay\nreplay = none\n";

	(void)state;
	load_text(text);
	assert_int_equal(settings.layout.format, FORMAT_KEYVAL);
	assert_true(!settings.record_limit && !settings.byte_limit && !settings.replay_kernels);
	assert_null(settings.kernel_filter);
	assert_true(settings_logs_kernel(&settings, "any"));
	assert_string_equal(strbuf_text(&settings.warnings), "");
	for (int line = 1; line <= 18; line++) {
		bool is_good = strchr("\2\4\5\13\16\17", line);
		char number[32];

		snprintf(number, sizeof(number), "line %d:", line);
		assert_true(!strstr(heard, number) == is_good);
	}
	load_text("[limit]\nbytes = 17179869184G\nrecords = 18446744073709551615\n");
	assert_int_equal(settings.byte_limit, 0);
	assert_true(settings.record_limit == UINT64_MAX);
}

/* A line that inih cannot parse must not change the lines around it. */
static void test_long_line(void **state)
{
	static char text[100100];
	size_t length = strlen(strcpy(text, "streamid\n"));

	(void)state;
	for (; length < 100000; length += 9)
		memcpy(text + length, " gridsize", 9);
	strcpy(text + length, "\nmemtransfersize\nwrong\n");
	load_text(text);
	assert_int_equal(settings.layout.columns, BIT(STREAM) | BIT(BYTES));
	assert_string_equal(strbuf_text(&settings.warnings), UNKNOWN("wrong"));
	assert_string_equal(heard, "computeprof: file, line 2: the line is ignored: it has more "
				   "than 197 bytes\n");
}

static void test_line_limit(void **state)
{
	char text[256];

	(void)state;
	for (size_t size = 190; size <= 205; size++) {
		memset(text, '\n', size - 190); /* the message about a line is printed once */
		memset(text + size - 190, 'a', size);
		strcpy(text + (2 * size - 190), "\nstreamid\n");
		load_text(text);
		assert_int_equal(settings.layout.columns, BIT(STREAM));
		assert_int_equal(2 * !settings.warnings.length + !*heard, size <= 197 ? 1 : 2);
	}
}

static void test_failing_calls(void **state)
{
	(void)state;
	check_refused("missing", "No such file");
	check_refused("file/below", "No such file");
	assert_int_equal(mkdir("sub", 0700), 0);
	check_refused("sub", "not a regular file");
	rmdir("sub");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	check_refused("pipe", "not a regular file");
	unlink("pipe");
	write_file("stream\0id\n", 10);
	check_refused("file", "not a text file");
	assert_int_equal(truncate("file", CONFIG_SIZE_LIMIT + 1), 0);
	check_refused("file", "larger than 1 MiB");
}

static void test_largest(void **state)
{
	static char text[CONFIG_SIZE_LIMIT];

	(void)state;
	memset(text, '\n', CONFIG_SIZE_LIMIT);
	memcpy(text + CONFIG_SIZE_LIMIT - 8, "streamid", 8);
	write_file(text, CONFIG_SIZE_LIMIT);
	load("file", API_CUDA);
	assert_int_equal(settings.layout.columns, BIT(STREAM));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_forms, forget),
		cmocka_unit_test_teardown(test_behaviour, forget),
		cmocka_unit_test_teardown(test_unknown, forget),
		cmocka_unit_test_teardown(test_many_unknown, forget),
		cmocka_unit_test_teardown(test_counters, forget),
		cmocka_unit_test_teardown(test_sections, forget),
		cmocka_unit_test_teardown(test_bad_sections, forget),
		cmocka_unit_test_teardown(test_long_line, forget),
		cmocka_unit_test_teardown(test_line_limit, forget),
		cmocka_unit_test_teardown(test_failing_calls, forget),
		cmocka_unit_test_teardown(test_largest, forget),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
