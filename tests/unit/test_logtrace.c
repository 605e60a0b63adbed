/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "output/tracereader.h"
#include "session/logtrace.h"

#include "folder.h"

/* The losses in a trace, if its file does not take them at once. */

static struct catalog catalog;
static char trace_name[] = "trace";
static struct settings rules = {.layout = {.api = API_OPENCL}, .trace = trace_name};
static const struct settings *settings[API_COUNT] = {[API_OPENCL] = &rules};
static struct logs logs;
static struct log_file *log_of_device;

static _Atomic bool held;    /* calls wait until it is false, ten seconds at most */
static _Atomic bool refused; /* calls fail */

static void wait_while_held(void)
{
	for (int i = 0; i < 10000 && atomic_load(&held); i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* The library's own calls: see tests.am. */
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at);
ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);

static bool fails(int fd)
{
	if (fd < FILE_LOWEST) /* the test's own */
		return false;
	wait_while_held();
	if (!atomic_load(&refused))
		return false;
	errno = ENOSPC;
	return true;
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	return fails(fd) ? -1 : __real_pwrite(fd, bytes, size, at);
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
	return fails(fd) ? -1 : __real_write(fd, bytes, size);
}

static void write_record(uint64_t correlation)
{
	struct record record;

	record_clear(&record);
	record.frame.size = sizeof(record);
	record.frame.kind = FRAME_COPY;
	record.frame.correlation = correlation;
	logs_write_trace(&logs, log_of_device, &record);
}

/* Prepares a trace with one record. */
static int prepare(void **state)
{
	atomic_store(&held, false);
	atomic_store(&refused, false);
	if (set_up(state) || catalog_init(&catalog))
		return -1;
	catalog_add_device(&catalog, &(struct device){.api = API_OPENCL, .name = "d"});
	catalog_add_context(&catalog, &(struct context){.api = API_OPENCL});
	filethread_start(true);
	filethread_await();
	if (logs_init(&logs, &catalog, settings, NULL))
		return -1;
	log_of_device = logs_of(&logs, 0, 0);
	write_record(1);
	logs_flush_trace(&logs);
	return log_of_device && logs.trace.size && !logs.stalled ? 0 : -1;
}

static int forget(void **state)
{
	logs_free(&logs);
	filethread_end();
	filethread_forked(); /* as before the first test */
	catalog_free(&catalog);
	return tear_down(state);
}

/* Returns the number of missing records in the file. */
static uint64_t told(uint64_t records)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open("trace", &error);
	const struct record *record;
	uint64_t lost;

	assert_non_null(reader);
	while (trace_next(reader, &record, &error) == 1)
		records--;
	lost = trace_lost(reader);
	assert_int_equal(trace_cut_off(reader), 0);
	assert_int_equal(records, 0);
	trace_close(reader);
	strbuf_free(&error);
	return lost;
}

/* As a round does once the file system responds again. */
static void go_on(void)
{
	atomic_store(&held, false);
	assert_true(filethread_hurry());
	logs.stalled = false;
	logs_flush_trace(&logs);
	assert_false(logs.stalled);
}

struct slow {
	struct file_job job;
};

static void do_wait(struct file_job *job)
{
	(void)job;
	wait_while_held();
}

static void no_dispose(struct file_job *job)
{
	(void)job;
}

/* Another job is in progress: losses that could not be sent are written later. */
static void test_not_sent(void **state)
{
	static struct slow slow = {.job = {.work = do_wait, .dispose = no_dispose}};

	(void)state;
	atomic_store(&held, true);
	filethread_try(&slow.job);
	logs_report_trace(&logs, 7);
	assert_true(logs.stalled);
	go_on();
	logs_report_trace(&logs, 7);
	assert_int_equal(told(1), 7);
	logs_report_trace(&logs, 9);
	assert_int_equal(told(1), 9);
}

static void test_not_done(void **state)
{
	(void)state;
	atomic_store(&held, true);
	logs_report_trace(&logs, 7);
	assert_true(logs.stalled);
	logs_report_trace(&logs, 7);
	go_on();
	assert_int_equal(told(1), 7);
	logs_report_trace(&logs, 8);
	assert_int_equal(told(1), 8);
}

/* Neither the first LOST frame nor another one could be written. */
static void test_failing_calls(void **state)
{
	(void)state;
	atomic_store(&refused, true);
	logs_report_trace(&logs, 7);
	assert_int_equal(told(1), 0);
	atomic_store(&refused, false);
	logs_report_trace(&logs, 7);
	assert_int_equal(told(1), 7);
	logs_report_trace(&logs, 9);
	assert_int_equal(told(1), 9);
}

/* Some lost records have come: written losses are not taken back and not written twice. */
static void test_found(void **state)
{
	(void)state;
	logs_report_trace(&logs, 7);
	logs_report_trace(&logs, 5);
	assert_int_equal(told(1), 7);
	logs_report_trace(&logs, 8);
	assert_int_equal(told(1), 8);
}

/* A write that has timed out fails: its records are written as missing before their places are
 * free, in the call that detects it. */
static void test_failed_late(void **state)
{
	(void)state;
	write_record(2);
	atomic_store(&held, true);
	logs_flush_trace(&logs);
	assert_true(logs.stalled);
	write_record(3);
	atomic_store(&refused, true);
	atomic_store(&held, false);
	assert_true(filethread_hurry());
	atomic_store(&refused, false);
	go_on();
	assert_true(logs.trace.failed);
	assert_int_equal(told(1), 2);
}

/* The same if the write succeeds and only a record that came meanwhile is missing. */
static void test_came_meanwhile(void **state)
{
	(void)state;
	write_record(2);
	atomic_store(&held, true);
	logs_flush_trace(&logs);
	write_record(3);
	go_on();
	assert_false(logs.trace.failed);
	assert_int_equal(told(2), 1);
}

/* In recovery losses are not written: the ring file stays, and a later recovery writes the
 * records. */
static void test_recovery(void **state)
{
	(void)state;
	logs.keep_existing = true;
	write_record(2);
	atomic_store(&refused, true);
	logs_flush_trace(&logs);
	assert_true(logs.trace.failed);
	atomic_store(&refused, false);
	logs_flush_trace(&logs);
	assert_int_equal(logs.trace.missing, 1);
	assert_int_equal(told(1), 0);
}

static enum trace_cut cut_of_file(void)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader;
	const struct record *record;
	enum trace_cut cut;

	file_send_close(&logs.trace.file); /* unlocks it; the next write opens it */
	reader = trace_open("trace", &error);
	assert_non_null(reader);
	while (trace_next(reader, &record, &error) == 1)
		;
	assert_int_equal(error.length, 0);
	cut = trace_cut(reader);
	trace_close(reader);
	return cut;
}

/* The END frame is at the end, whatever comes after it. */
static void test_end(void **state)
{
	(void)state;
	assert_int_equal(cut_of_file(), TRACE_CUT_AT_FRAME);
	assert_true(logs_end_trace(&logs));
	assert_int_equal(cut_of_file(), TRACE_WHOLE);
	assert_true(logs_end_trace(&logs));
	write_record(2);
	logs_flush_trace(&logs);
	assert_int_equal(told(2), 0);
	assert_int_equal(cut_of_file(), TRACE_CUT_AT_FRAME);
	logs_report_trace(&logs, 3);
	assert_true(logs_end_trace(&logs));
	assert_int_equal(told(2), 3);
	assert_int_equal(cut_of_file(), TRACE_WHOLE);
	logs_report_trace(&logs, 4);
	assert_true(logs_end_trace(&logs));
	assert_int_equal(told(2), 4);
	assert_int_equal(cut_of_file(), TRACE_WHOLE);
}

/* There is no room for END, or it is written later. */
static void test_end_refused(void **state)
{
	(void)state;
	atomic_store(&refused, true);
	assert_false(logs_end_trace(&logs));
	atomic_store(&refused, false);
	assert_int_equal(cut_of_file(), TRACE_CUT_AT_FRAME);
	assert_true(logs_end_trace(&logs));
	assert_int_equal(cut_of_file(), TRACE_WHOLE);
}

static void test_end_late(void **state)
{
	(void)state;
	atomic_store(&held, true);
	assert_false(logs_end_trace(&logs));
	assert_true(logs.stalled);
	assert_false(logs_end_trace(&logs));
	go_on();
	assert_true(logs_end_trace(&logs));
	assert_int_equal(told(1), 0);
	assert_int_equal(cut_of_file(), TRACE_WHOLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_not_sent, prepare, forget),
		cmocka_unit_test_setup_teardown(test_not_done, prepare, forget),
		cmocka_unit_test_setup_teardown(test_failing_calls, prepare, forget),
		cmocka_unit_test_setup_teardown(test_found, prepare, forget),
		cmocka_unit_test_setup_teardown(test_failed_late, prepare, forget),
		cmocka_unit_test_setup_teardown(test_came_meanwhile, prepare, forget),
		cmocka_unit_test_setup_teardown(test_recovery, prepare, forget),
		cmocka_unit_test_setup_teardown(test_end, prepare, forget),
		cmocka_unit_test_setup_teardown(test_end_refused, prepare, forget),
		cmocka_unit_test_setup_teardown(test_end_late, prepare, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
