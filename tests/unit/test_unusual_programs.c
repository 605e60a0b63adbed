/* SPDX-License-Identifier: MIT */
/* Programs and drivers with unusual behaviour. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checks.h"
#include "profiled_program.h"

static pthread_mutex_t driver = PTHREAD_MUTEX_INITIALIZER;

static int locked_poll(struct record *record)
{
	int over;

	pthread_mutex_lock(&driver);
	over = fake_poll(record);
	pthread_mutex_unlock(&driver);
	return over;
}

static void start_locked(void)
{
	static const struct source source = {.poll = locked_poll, .release = fake_release};

	if (session_attach(API_OPENCL, new_settings(API_OPENCL, "log"), &source) ||
	    session_device(&(struct device){.name = "Fake"}) ||
	    session_context(&(struct context){0}))
		_exit(100);
}

/* A signal handler that has interrupted the driver calls _exit. */
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

/* A driver that starts a helper program while it is called. */
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
	check("log", 10, 10);
}

static void *launch_cancelled(void *argument)
{
	(void)argument;
	pthread_cancel(pthread_self());
	launch(1, 0, FAKE_DONE);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	return NULL;
}

/* The first record makes files, which are cancellation points. */
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
	check("log", 2, 2);
}

/* The same with exit handlers. The driver is not called, and the records stay for recovery. */
static void stop_inside(void)
{
	start_locked();
	pthread_mutex_lock(&driver);
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	usleep(100000);
	session_stop();
	session_end();
}

static void test_stop_while_driver_is_stuck(void **state)
{
	uint64_t begin = clock_monotonic();
	struct rows rows;

	(void)state;
	assert_int_equal(run(stop_inside), 0);
	assert_true(clock_monotonic() - begin < 6000000000u);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(read_rows("log", &rows, 20), 0);
	assert_int_equal(rows.count, 20);
	free(rows.seen);
}

/* On each thread's stack: it must not use up the writer's. */
static __thread char large[250000];

static void none_left(void)
{
	large[1] = 1;
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 10; i++)
		launch(1, i, FAKE_DONE);
	usleep(300000);
	if (!large[1] || count_files("log") != 1)
		_exit(1);
	session_stop();
	session_end();
}

static void test_large_thread_locals(void **state)
{
	(void)state;
	assert_int_equal(run(none_left), 0);
	check("log", 10, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_leave_inside_driver, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stop_while_driver_is_stuck, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_large_thread_locals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_driver_forks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cancelled_at_the_first_record, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
