/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/resource.h>

#include "checks.h"
#include "emulator.h"
#include "profiled_program.h"
#include "session/logs.h"

/* Sessions with limits on what they write. */

static void limited(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->record_limit = 100;
	start(settings);
	for (uint64_t i = 0; i < 5000; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_record_limit(void **state)
{
	size_t size;
	char *said;

	(void)state;
	assert_int_equal(run(limited), 0);
	check("log", 100, 5000);
	said = read_file("said", &size);
	assert_non_null(strstr(said, "4900 records were left out"));
	free(said);
}

static uint64_t byte_limit;

static void byte_limited(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->byte_limit = byte_limit;
	start(settings);
	for (uint64_t i = 0; i < 5000; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_byte_limit(void **state)
{
	struct rows rows;
	size_t size;

	(void)state;
	byte_limit = 5000;
	assert_int_equal(run(byte_limited), 0);
	free(read_file("log", &size));
	assert_in_range(size, 4800, 5000);
	assert_int_equal(read_rows("log", &rows, 5000), 0);
	assert_int_equal(wrong_counts(&rows, 0, (uint64_t)rows.count), 0);
	free(rows.seen);
}

/* A row that ends at the limit is in the log. */
static void test_exact_limit(void **state)
{
	struct settings settings = {.byte_limit = 5000};
	struct log_file log = {.settings = &settings, .size = 4900, .buffer.length = 100};

	(void)state;
	assert_true(logs_within_limits(&log));
	log.buffer.length++;
	assert_false(logs_within_limits(&log));
	/* The log ends there, even if a shorter row would fit. */
	log.buffer.length = 50;
	assert_false(logs_within_limits(&log));
}

/* The header counts, and is always there. */
static void test_header_alone(void **state)
{
	struct rows rows;
	size_t size;
	char *text;

	(void)state;
	byte_limit = 1;
	assert_int_equal(run(byte_limited), 0);
	text = read_file("log", &size);
	assert_memory_equal(text, "# OPENCL_PROFILE_LOG_VERSION 2.0\n", 33);
	free(text);
	assert_int_equal(read_rows("log", &rows, 5000), 0);
	assert_int_equal(rows.count, 0);
	free(rows.seen);
}

/* Fewer than PENDING_ENDED_MOST together, so that no row is written out of order. */
enum { THREADS = 200, FEW = 2, MANY = 300 };

static _Atomic uint64_t next_serial;
static pthread_barrier_t all;
static int each;

static void *launch_each(void *argument)
{
	(void)argument;
	for (int i = 0; i < each; i++)
		launch(1, next_serial++, FAKE_DONE);
	pthread_barrier_wait(&all); /* its ring stays its own until then */
	pthread_barrier_wait(&all);
	return NULL;
}

static off_t ring_file_size(void)
{
	struct stat status;

	return stat(find_ring(), &status) ? 0 : status.st_size;
}

/* All threads at the same time. */
static void crowd(void)
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&all, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, launch_each, NULL))
			_exit(3);
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* With few records the room is that of the rings; the second crowd reuses those of the first. */
static void crowds(void)
{
	start(new_settings(API_OPENCL, "log"));
	each = FEW;
	crowd();
	if (ring_file_size() < 8 << 20 || ring_file_size() > 14 << 20)
		_exit(4);
	each = MANY;
	crowd();
	if (!SLOW_BUILD && ring_file_size() > 40 << 20)
		_exit(5);
	session_stop();
	session_end();
}

/* Small rings fill soon, and their threads help: no row is missing, and all are in order. */
static void test_room_of_many_threads(void **state)
{
	enum { ALL = THREADS * (FEW + MANY) };
	struct rows rows;

	(void)state;
	assert_int_equal(run(crowds), 0);
	assert_int_equal(read_rows("log", &rows, ALL), 0);
	assert_true(rows.ordered);
	assert_int_equal(rows.count, ALL);
	assert_int_equal(wrong_counts(&rows, 0, ALL), 0);
	free(rows.seen);
}

/* A kernel whose name, escaped, needs more memory than available. */
static void no_memory(void)
{
	enum { LENGTH = 31 << 20 };
	unsigned long pages = 0;
	char *name = malloc(LENGTH);
	struct probe probe;
	struct record *record;
	FILE *stream;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	memset(name, '\n', LENGTH);
	probe_begin(&probe);
	record = probe_record(&probe, FRAME_KERNEL);
	record->name = session_name(name, LENGTH);
	stream = fopen("/proc/self/statm", "r");
	if (!stream || fscanf(stream, "%lu", &pages) != 1)
		_exit(1);
	fclose(stream);
	pages += (50 << 20) / 4096;
	setrlimit(RLIMIT_AS, &(struct rlimit){.rlim_cur = pages * 4096, .rlim_max = pages * 4096});
	probe_commit();
	probe_end(&probe);
	launch(1, 1, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_row_that_needs_too_much_memory(void **state)
{
	size_t size;
	char *said;

	(void)state;
	skip_emulated("RLIMIT_AS limits nothing");
	if (SLOW_BUILD) {
		print_message("# sanitizers need all memory there is\n");
		skip();
	}
	assert_int_equal(run(no_memory), 0);
	check("log", 2, 2);
	said = read_file("said", &size);
	assert_non_null(strstr(said, "1 record was lost"));
	free(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_record_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_byte_limit, set_up, tear_down),
		cmocka_unit_test(test_exact_limit),
		cmocka_unit_test_setup_teardown(test_header_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_room_of_many_threads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_row_that_needs_too_much_memory, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
