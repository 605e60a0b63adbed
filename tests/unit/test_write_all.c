/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <time.h>

#include <cmocka.h>

#include "session/locks.h"
#include "session/state.h"

#include "checks.h"
#include "profiled_program.h"
#include "session/round.h"

/* All records in the rings are written at once, any number of them: at a change of the settings,
 * and before an exec. */
enum {
	THREADS = 8,
	EACH = 1200,
	ALL = THREADS * EACH,
	ROUNDS = 1000,
	WAIT = 3000000, /* ns */
};

static struct settings *with_trace(const char *log)
{
	struct settings *settings = new_settings(API_OPENCL, log);

	settings->trace = strdup("trace");
	settings->api_calls = true;
	return settings;
}

static pthread_barrier_t all_done; /* a finished thread's ring is reused by the next one */

static void *launch_some(void *argument)
{
	uint64_t first = (uint64_t)(uintptr_t)argument * EACH;

	for (uint64_t i = 0; i < EACH; i++)
		launch(1, first + i, FAKE_DONE);
	pthread_barrier_wait(&all_done);
	return NULL;
}

static void *call_some(void *argument)
{
	for (uint64_t i = 0; i < EACH; i++)
		called(clock_monotonic(), 1, 0);
	pthread_barrier_wait(&all_done);
	return argument;
}

/* Fills the rings of THREADS threads; this thread has the drain lock, so they are not emptied. */
static void fill_rings(void *(*main)(void *))
{
	pthread_t threads[THREADS];

	alarm(120);
	pthread_barrier_init(&all_done, NULL, THREADS);
	if (!drain_lock())
		_exit(1);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, main, (void *)i))
			_exit(2);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* More than one turn of records: all belong to the old log. */
static void retire(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch(1, ALL, FAKE_DONE); /* the session begins */
	fill_rings(launch_some);
	writer_close_api(globals.session, API_OPENCL);
	drain_unlock();
	session_stop();
	session_end();
}

static void test_retire(void **state)
{
	(void)state;
	assert_int_equal(run(retire), 0);
	check("log", ALL + 1, ALL + 1);
}

static _Atomic bool answers;

/* A file system that does not respond for a while; ten seconds at most. */
static void do_wait(struct file_job *job)
{
	(void)job;
	for (int i = 0; i < 10000 && !atomic_load(&answers); i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void no_dispose(struct file_job *job)
{
	(void)job;
}

static void give_up(void)
{
	static struct file_job slow = {.work = do_wait, .dispose = no_dispose};

	start(with_trace("log"));
	called(clock_monotonic(), 1, 0);
	session_flush(); /* the trace is open */
	fill_rings(call_some);
	if (filethread_try(&slow) != JOB_ABANDONED)
		_exit(3);
	writer_write_all(globals.session); /* comes back */
	if (!globals.session->logs.stalled)
		_exit(4);
	atomic_store(&answers, true);
	drain_unlock();
	session_stop();
	session_end();
}

static uint64_t calls_in_trace(void)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open("trace", &error);
	const struct frame *frame;
	uint64_t calls = 0;

	assert_non_null(reader);
	while (trace_next_frame(reader, &frame, &error) == 1)
		calls += frame->kind == FRAME_CALL;
	assert_int_equal(trace_lost(reader), 0);
	trace_close(reader);
	strbuf_free(&error);
	return calls;
}

/* The file system stops responding before an exec: waits are limited, and records in the rings stay
 * there until it responds again. */
static void test_give_up(void **state)
{
	(void)state;
	assert_int_equal(run(give_up), 0);
	assert_int_equal(calls_in_trace(), ALL + 1);
}

/* Messages before a failed exec are not repeated. */
static void failed_exec(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	for (uint64_t lost = 3; lost; lost--) {
		session_lost(lost);
		launch(1, 4 - lost, FAKE_NEVER);
		session_exec();
		session_exec_failed();
	}
	session_lost(10);
	session_stop();
	session_end();
}

/* Returns the sum of the numbers in the messages "N WHAT"; `count` is set to their number. */
static uint64_t sum(const char *text, const char *what, int *sentences)
{
	uint64_t all = 0;

	*sentences = 0;
	for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) {
		const char *start = at;

		while (start > text && start[-1] >= '0' && start[-1] <= '9')
			start--;
		all += strtoull(start, NULL, 10);
		++*sentences;
	}
	return all;
}

static void test_failed_exec(void **state)
{
	size_t size;
	char *said;
	int sentences;

	(void)state;
	assert_int_equal(run(failed_exec), 0);
	said = read_file("said", &size);
	assert_non_null(said);
	assert_int_equal(sum(said, " records were lost", &sentences), 3 + 2 + 10);
	assert_int_equal(sentences, 3);
	assert_int_equal(sum(said, " record was lost", &sentences), 1);
	assert_int_equal(sentences, 1);
	assert_int_equal(sum(said, " record has no gputime", &sentences), 3);
	assert_int_equal(sentences, 3);
	free(said);
}

/* Makes rounds of one record each, as fast as possible. Exits with 4 if two writes to the log were
 * less than WAIT apart on average. */
static void make_rounds(void)
{
	uint64_t begun = clock_monotonic(), writes = 0;
	off_t before = 0;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE); /* the session begins */
	session_stop();		 /* the writer makes no more rounds */
	drain_lock();
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		struct stat status = {0};

		launch(1, i, FAKE_DONE);
		writer_round(globals.session, false);
		stat("log", &status);
		writes += status.st_size != before;
		before = status.st_size;
	}
	drain_unlock();
	begun = clock_monotonic() - begun;
	session_end();
	_exit(writes > 2 + begun / WAIT ? 4 : 0);
}

/* If rounds follow each other sooner, the rows of several are written at once. */
static void test_rounds_share_writes(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(make_rounds), 0);
	assert_int_equal(read_rows("log", &rows, ROUNDS + 1), 0);
	assert_int_equal(rows.count, ROUNDS + 1);
	free(rows.seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_retire, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_give_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_failed_exec, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rounds_share_writes, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
