/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "settings/config.h"

#include "folder.h"
#include "stderr_capture.h"

/* A program may load its settings any number of times: all memory is freed. */

enum { FEW = 20, MANY = 1500, NOISE = 30000 };

static void write_file(void)
{
	static const char *const names[] = {"one", "two", "three", "four"};
	FILE *stream = fopen("file", "w");

	assert_non_null(stream);
	fputs("one\nbranch\ntwo\nno such thing\n[output]\nformat = kvp\ndialect = classic\n"
	      "log = first\nlog = second\ntrace = other\n"
	      "[filter]\nkernel = ^a+$\nkernel = ^b+$\nkernel =\nkernel = (\n",
	      stream);
	/* The last ones are unused or invalid. */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		fprintf(stream,
			"[counter %s]\nmetric = %s\nmetric = sm__cycles_active.sum\n"
			"event = inst_executed\nhelp = %0100d\nhelp = %0100d\nunit = %0100d\n",
			names[i], i == 3 ? "(" : "sm__cycles_active.sum +", 1, 2, 3);
	fclose(stream);
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_CSV", "1", 1);
	setenv("COMPUTE_PROFILE_DIALECT", "cuda4", 1);
	setenv("COMPUTE_PROFILE_LOG", "log", 1);
	setenv("COMPUTE_PROFILE_TRACE", "trace", 1);
	setenv("COMPUTE_PROFILE_CONFIG", "file", 1);
}

static void check(const struct settings *settings)
{
	assert_true(settings->enabled);
	assert_int_equal(settings->counters.count, 3);
	assert_int_equal(settings->layout.format, FORMAT_KEYVAL);
	assert_int_equal(settings->layout.dialect, DIALECT_CLASSIC);
	assert_string_equal(settings->log, "second");
	assert_string_equal(settings->trace, "other");
	assert_string_equal(settings->kernel_filter, "^b+$");
	assert_true(settings_logs_kernel(settings, "bb"));
	assert_false(settings_logs_kernel(settings, "a"));
}

static void read_again(int count)
{
	struct settings settings;

	for (int i = 0; i < count; i++) {
		listen_now();
		settings_load(&settings, API_CUDA);
		hear();
		check(&settings);
		settings_free(&settings);
		assert_false(settings.enabled);
		settings = (struct settings){.layout.api = API_CUDA};
		listen_now();
		config_load(&settings, "."); /* not a file */
		hear();
		assert_string_equal(settings.bad_config, ".");
		settings_free(&settings);
	}
}

static void test_dialect(void **state)
{
	struct settings settings;

	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_DIALECT", "cuda5", 1);
	unsetenv("COMPUTE_PROFILE_CONFIG");
	listen_now();
	settings_load(&settings, API_CUDA);
	assert_string_equal(hear(), "computeprof: COMPUTE_PROFILE_DIALECT must be classic or "
				    "cuda4, not 'cuda5'\n");
	settings_free(&settings);
	setenv("COMPUTE_PROFILE_DIALECT", "cuda4", 1);
	listen_now();
	settings_load(&settings, API_CUDA);
	assert_string_equal(hear(), "");
	settings_free(&settings);
}

static size_t heap(void)
{
#ifdef __GLIBC__
	return mallinfo2().uordblks;
#else
	return 0;
#endif
}

static unsigned int pages(void)
{
	FILE *stream = fopen("/proc/self/statm", "r");
	unsigned int count;

	if (!stream)
		return 0;
	assert_int_equal(fscanf(stream, "%u", &count), 1);
	fclose(stream);
	return count;
}

static int descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < MANY; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void test_nothing_stays(void **state)
{
	size_t used;
	unsigned int size;
	int open_files;

	(void)state;
	write_file();
	read_again(FEW);
	used = heap();
	size = pages();
	open_files = descriptors();
	read_again(MANY);
	assert_int_equal(descriptors(), open_files);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	assert_in_range(heap(), 0, used + NOISE);
	if (!getenv("COMPUTEPROF_EMULATED")) /* where memory of QEMU is counted, too */
		assert_in_range(pages(), 0, size + MANY / 2);
#else
	(void)used;
	(void)size;
#endif
}

/* A byte order mark before the first section, which inih itself would skip. */
static void test_mark_before_section(void **state)
{
	static const char text[] = "\xef\xbb\xbf[output]\nformat = csv\n";
	struct settings settings = {.layout.api = API_CUDA};
	FILE *stream = fopen("file", "w");

	(void)state;
	assert_int_equal(fwrite(text, 1, sizeof(text) - 1, stream), sizeof(text) - 1);
	fclose(stream);
	listen_now();
	config_load(&settings, "file");
	assert_string_equal(hear(), "");
	assert_int_equal(settings.layout.format, FORMAT_CSV);
	settings_free(&settings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_mark_before_section, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_dialect, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_stays, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
