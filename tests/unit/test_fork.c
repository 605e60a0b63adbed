/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/syscall.h>

#include "profiled.h"

/* Programs that fork while they are profiled, and others that do not let things end in peace. */

static void check(const char *path, uint64_t from, uint64_t to)
{
	struct rows rows;

	assert_int_equal(read_rows(path, &rows, to), 0);
	assert_true(rows.ordered);
	assert_int_equal(rows.count, to - from);
	assert_int_equal(wrong_counts(&rows, from, to), 0);
	assert_int_equal(rows.untimed, 0);
	free(rows.seen);
}

/* Leaves its process id in a file, since the log is named after it. */
static void child_part(uint64_t from)
{
	FILE *stream = fopen("child", "w");

	fprintf(stream, "log.%d", (int)getpid());
	fclose(stream);
	for (uint64_t i = from; i < from + 1000; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void fork_child(pid_t child)
{
	int status;

	if (!child) {
		child_part(1000);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		_exit(1);
}

static _Atomic int over;

static void *intern_on(void *argument)
{
	char name[32];

	for (int i = 0; !over; i++) {
		snprintf(name, sizeof(name), "kernel %d", i % 100000);
		session_name(name, strlen(name));
	}
	return argument;
}

static void forking(void)
{
	pthread_t thread;

	start(new_settings(API_OPENCL, "log"));
	if (pthread_create(&thread, NULL, intern_on, NULL))
		_exit(1);
	for (uint64_t i = 0; i < 500; i++)
		launch(1, i, FAKE_DONE);
	fork_child(fork());
	for (uint64_t i = 500; i < 1000; i++)
		launch(1, i, FAKE_DONE);
	/* A child that inherits another thread's locks must be able to go on. */
	for (int i = 0; i < 50; i++) {
		pid_t child = fork();
		int status;

		if (!child) {
			alarm(5);
			session_name("a new one", 9);
			_exit(0);
		}
		if (waitpid(child, &status, 0) != child || status)
			_exit(2);
	}
	over = 1;
	pthread_join(thread, NULL);
	session_stop();
	session_end();
}

static void check_child(void)
{
	size_t size;
	char *name = read_file("child", &size);

	assert_non_null(name);
	check("log", 0, 1000);
	check(name, 1000, 2000);
	free(name);
	assert_int_equal(count_files(".ring"), 0);
}

static void skip_under_tsan(void)
{
#ifdef __SANITIZE_THREAD__
	print_message("# ThreadSanitizer takes children for threads\n");
	skip();
#endif
}

static void test_fork(void **state)
{
	(void)state;
	skip_under_tsan();
	assert_int_equal(run(forking), 0);
	check_child();
}

/* By the system call, past every fork handler. */
static void cloning(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 500; i++)
		launch(1, i, FAKE_DONE);
	fork_child((pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0));
	for (uint64_t i = 500; i < 1000; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_clone(void **state)
{
	(void)state;
	skip_under_tsan();
	assert_int_equal(run(cloning), 0);
	check_child();
}

static pthread_mutex_t driver = PTHREAD_MUTEX_INITIALIZER;

static int locked_poll(struct record *record)
{
	int done;

	pthread_mutex_lock(&driver);
	done = fake_poll(record);
	pthread_mutex_unlock(&driver);
	return done;
}

static void start_locked(void)
{
	static const struct source source = {.poll = locked_poll, .release = fake_release};

	if (session_attach(API_OPENCL, new_settings(API_OPENCL, "log"), &source) ||
	    session_device(&(struct device){.name = "Fake"}) ||
	    session_context(&(struct context){0}))
		_exit(100);
}

/* What a signal handler sees that has interrupted the driver and calls _exit. */
static void leave_inside(void)
{
	start_locked();
	for (uint64_t i = 0; i < 10; i++)
		launch(1, i, FAKE_DONE);
	session_flush();
	pthread_mutex_lock(&driver);
	for (uint64_t i = 10; i < 20; i++)
		launch(1, i, FAKE_DONE);
	usleep(100000);
	session_leave();
}

static void test_leave_inside_driver(void **state)
{
	uint64_t begin = clock_monotonic();
	struct rows rows;

	(void)state;
	assert_int_equal(run(leave_inside), 0);
	assert_true(clock_monotonic() - begin < 5000000000u);
	assert_int_equal(read_rows("log", &rows, 20), 0);
	assert_int_equal(rows.count, 20);
	assert_int_equal(rows.untimed, 10);
	assert_int_equal(count_files(".ring"), 0);
	free(rows.seen);
}

static void *fork_once(void *argument)
{
	pid_t child = fork();

	(void)argument;
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return NULL;
}

static int forking_poll(struct record *record)
{
	fork_once(NULL);
	return fake_poll(record);
}

/* A driver that starts a helper program while it is asked. */
static void fork_in_poll(void)
{
	static const struct source source = {.poll = forking_poll, .release = fake_release};

	start_locked();
	if (session_attach(API_OPENCL, new_settings(API_OPENCL, "log"), &source))
		_exit(1);
	for (uint64_t i = 0; i < 10; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_driver_forks(void **state)
{
	uint64_t begin = clock_monotonic();

	(void)state;
	assert_int_equal(run(fork_in_poll), 0);
	assert_true(clock_monotonic() - begin < 5000000000u);
	check("log", 0, 10);
}

static void *launch_cancelled(void *argument)
{
	(void)argument;
	pthread_cancel(pthread_self());
	launch(1, 0, FAKE_DONE);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	return NULL;
}

/* The first record of all makes files, which are points where a thread may be cancelled. */
static void cancel_first(void)
{
	pthread_t thread;

	start(new_settings(API_OPENCL, "log"));
	if (pthread_create(&thread, NULL, launch_cancelled, NULL))
		_exit(1);
	pthread_join(thread, NULL);
	alarm(10);
	launch(1, 1, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_cancelled_at_the_first_record(void **state)
{
	(void)state;
	assert_int_equal(run(cancel_first), 0);
	check("log", 0, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fork, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_clone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_leave_inside_driver, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_driver_forks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cancelled_at_the_first_record, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
