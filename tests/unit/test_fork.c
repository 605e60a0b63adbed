/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "session/state.h"
#include "session/thread.h"

#include "emulator.h"
#include "profiled_program.h"

/* Programs that fork while they are profiled. */

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

/* Writes its process id to a file, since the log is named after it. */
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
	/* A child that inherits another thread's locks must be able to continue. */
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

/* The driver forks inside a call: the child's work there is not the parent's. */
static void forking_inside(void)
{
	struct probe probe;
	struct record *record;
	pid_t child;
	int status;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	probe_begin(&probe);
	child = fork();
	if (!child) {
		if (probe_record(&probe, FRAME_COPY))
			_exit(1);
		probe_end(&probe);
		session_end();
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status ||
	    thread_self()->rings[0]->ring.open != probe.enter)
		_exit(2);
	record = probe_record(&probe, FRAME_COPY);
	if (!record)
		_exit(3);
	record->bytes = 1;
	record->handle = FAKE_DONE;
	record->known = KNOWN_BYTES | KNOWN_STREAM;
	probe_commit();
	probe_end(&probe);
	if (thread_self()->rings[0]->ring.open)
		_exit(4);
	session_stop();
	session_end();
}

static void test_fork_inside(void **state)
{
	size_t size;
	char *said;

	(void)state;
	skip_under_tsan();
	assert_int_equal(run(forking_inside), 0);
	check("log", 0, 2);
	said = read_file("said", &size);
	assert_string_equal(said, "computeprof: 1 record was lost\n");
	free(said);
}

/* As in a signal handler that interrupts a probe. The child continues in the parent's code: the
 * record is the parent's. */
static void forking_while_filling(void)
{
	struct probe probe;
	struct record *record;
	pid_t child;
	int status;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	probe_begin(&probe);
	record = probe_record(&probe, FRAME_COPY);
	if (!record)
		_exit(1);
	record->bytes = 1;
	record->handle = FAKE_DONE;
	record->known = KNOWN_BYTES | KNOWN_STREAM;
	child = fork();
	if (child && (waitpid(child, &status, 0) != child || status))
		_exit(2);
	probe_commit();
	probe_end(&probe);
	if (!child) {
		child_part(1000);
		_exit(0);
	}
	launch(1, 2, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_fork_while_filling(void **state)
{
	size_t size;
	char *name, *said;

	(void)state;
	skip_under_tsan();
	assert_int_equal(run(forking_while_filling), 0);
	check("log", 0, 3);
	name = read_file("child", &size);
	assert_non_null(name);
	check(name, 1000, 2000);
	free(name);
	said = read_file("said", &size);
	assert_string_equal(said, "");
	free(said);
}

/* A lock that a sanitizer takes while a thread starts, and that no fork handler resets. */
static pthread_mutex_t birth = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool slow_births;
static void *(*born)(void *);

static void *slow_birth(void *argument)
{
	pthread_mutex_lock(&birth);
	usleep(50000);
	pthread_mutex_unlock(&birth);
	return born(argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*main)(void *),
		   void *argument)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
	if (!slow_births)
		return next(thread, attributes, main, argument);
	born = main;
	return next(thread, attributes, slow_birth, argument);
}

/* Right after the record that starts the writer. */
static void forking_early(void)
{
	slow_births = true;
	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(pthread_mutex_trylock(&birth) ? 1 : 0);
		if (waitpid(child, &status, 0) != child || status)
			_exit(3);
	}
	session_stop();
	session_end();
}

static void test_early_fork(void **state)
{
	(void)state;
	skip_under_tsan();
	assert_int_equal(run(forking_early), 0);
	check("log", 0, 1);
}

static void skip_under_asan(void)
{
#ifdef __SANITIZE_ADDRESS__
	print_message("# AddressSanitizer's locks stay in a clone as another thread had them\n");
	skip();
#endif
}

/* By the system call, without fork handlers. */
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
	skip_under_asan();
	skip_emulated("version 7 has no MADV_WIPEONFORK");
	assert_int_equal(run(cloning), 0);
	check_child();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fork, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_fork_inside, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_fork_while_filling, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_early_fork, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_clone, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
