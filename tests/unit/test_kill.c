/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "emulator.h"
#include "profiled_program.h"

/* Programs that are killed, and recoveries that are killed; the first COMPUTEPROF_KILLS times. */

enum { THREADS = 4, EACH = 100000, ALL = THREADS * EACH, KILLS = SLOW_BUILD ? 5 : 20 };

/* The progress of the killed program, as far as it could store it. */
struct progress {
	_Atomic uint64_t begun[THREADS];
	_Atomic uint64_t committed[THREADS];
	_Atomic pid_t child; /* child of the killed program, which survives it */
};

static struct progress *progress;

static int group_set_up(void **state)
{
	(void)state;
	srandom((unsigned int)getpid());
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	return progress == MAP_FAILED ? -1 : 0;
}

static int fresh(void **state)
{
	memset((void *)progress, 0, sizeof(*progress));
	return set_up(state);
}

static void *launch_all(void *argument)
{
	uint64_t thread = (uintptr_t)argument;

	for (uint64_t i = 0; i < EACH; i++) {
		uint64_t enter = clock_monotonic();

		progress->begun[thread] = i + 1;
		launch((uint32_t)thread, thread * EACH + i,
		       i % 50 == 7 ? FAKE_SLOW : i % 4999 == 3 ? FAKE_NEVER : FAKE_DONE);
		called(enter, (uint32_t)(thread * EACH + i), probe_last_correlation());
		progress->committed[thread] = i + 1;
		if (i % 64 == 0)
			usleep(20);
	}
	pause();
	return NULL;
}

static void busy(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");
	pthread_t thread;

	settings->trace = strdup("trace");
	start(settings);
	for (uintptr_t i = 1; i < THREADS; i++)
		if (pthread_create(&thread, NULL, launch_all, (void *)i))
			_exit(1);
	launch_all(NULL);
}

static pid_t begin(void (*program)(void))
{
	pid_t child = fork();

	if (child)
		return child;
	if (!freopen("said", "a", stderr))
		_exit(1);
	program();
	_exit(0);
}

/* Kills `child` after up to `most` microseconds. Returns true if it was still running. */
static bool kill_after(pid_t child, unsigned int most)
{
	int status;

	usleep((unsigned int)random() % most);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status);
}

static void recover_in_child(void)
{
	const char *ring = find_ring();

	if (ring[0])
		_exit((int)recover(ring));
}

static unsigned int count_wrong(const struct rows *rows)
{
	unsigned int wrong = 0;

	for (uint64_t thread = 0; thread < THREADS; thread++) {
		for (uint64_t i = 0; i < EACH; i++) {
			unsigned int seen = rows->seen[thread * EACH + i];

			if (i < progress->committed[thread])
				wrong += seen != 1;
			else
				wrong += seen > (i < progress->begun[thread]);
		}
	}
	return wrong;
}

static void check_files(void)
{
	struct rows rows;

	assert_string_equal(find_ring(), "");
	assert_int_equal(read_rows("log", &rows, ALL), 0);
	assert_true(rows.ordered);
	assert_int_equal(count_wrong(&rows), 0);
	free(rows.seen);
	assert_int_equal(read_trace("trace", &rows, ALL), 0);
	assert_int_equal(count_wrong(&rows), 0);
	free(rows.seen);
	assert_int_equal(read_calls("trace", &rows, ALL), 0);
	assert_int_equal(count_wrong(&rows), 0);
	free(rows.seen);
	assert_int_equal(count_files("log") + count_files("trace"), 2);
}

/* A program killed before its first record may have left half a ring file, but no log. */
static void finish(void)
{
	if (find_ring()[0])
		assert_int_equal(recover(find_ring()), RECOVER_DONE);
	if (progress->committed[0])
		check_files();
}

/* Waits until the program is at work, on a machine of any speed. */
static void wait_for_work(void)
{
	for (int i = 0; i < 10000 && !progress->committed[0]; i++)
		usleep(1000);
}

static void test_kill(void **state)
{
	const char *wanted = getenv("COMPUTEPROF_KILLS");
	int kills = wanted ? atoi(wanted) : KILLS;
	uint64_t committed = 0;
	pid_t child;

	(void)state;
	for (int i = 0; i < kills; i++) {
		clean_up();
		memset((void *)progress, 0, sizeof(*progress));
		child = begin(busy);
		if (i % 2)
			wait_for_work();
		assert_true(kill_after(child, 30000));
		finish();
		for (int thread = 0; thread < THREADS; thread++)
			committed += progress->committed[thread];
	}
	print_message("# %d kills, %llu records\n", kills, (unsigned long long)committed);
	assert_in_range(committed, kills, UINT64_MAX);
}

static void test_kill_recovery_too(void **state)
{
	int killed = 0;

	(void)state;
	for (int i = 0; i < KILLS; i++) {
		clean_up();
		memset((void *)progress, 0, sizeof(*progress));
		assert_true(kill_after(begin(busy), 30000));
		for (int again = 0; again < 4; again++)
			killed += kill_after(begin(recover_in_child), 4000);
		finish();
	}
	assert_in_range(killed, 1, KILLS * 4);
}

/* Before the writer has done anything. */
static void at_once(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	start(settings);
	for (uint64_t i = 0; i < 100; i++) {
		launch(0, i, FAKE_DONE);
		called(1, (uint32_t)i, 0);
	}
	progress->begun[0] = progress->committed[0] = 100;
	kill(getpid(), SIGKILL);
}

static void test_kill_at_once(void **state)
{
	(void)state;
	assert_int_equal(run(at_once), -1);
	for (int again = 0; again < 4; again++)
		kill_after(begin(recover_in_child), 1500);
	if (find_ring()[0])
		assert_int_equal(recover(find_ring()), RECOVER_DONE);
	check_files();
}

static void test_alive_and_zombie(void **state)
{
	siginfo_t info;
	pid_t child;
	int status;

	(void)state;
	child = begin(busy);
	for (int i = 0; i < 1000 && progress->committed[0] < 100; i++)
		usleep(1000);
	assert_int_equal(recover(find_ring()), RECOVER_ALIVE);
	kill(child, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	check_files();
	waitpid(child, &status, 0);
}

static void *stay(void *argument)
{
	alarm(100);
	for (;;)
		pause();
	return argument;
}

/* Its main thread ends, another one continues. */
static void leave_main(void)
{
	pthread_t thread;

	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 1000; i++)
		launch(0, i, i % 10 ? FAKE_DONE : FAKE_NEVER);
	if (pthread_create(&thread, NULL, stay, NULL))
		_exit(1);
	pthread_exit(NULL);
}

static bool is_zombie(pid_t pid)
{
	char path[64], text[256] = "";
	const char *at;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	stream = fopen(path, "r");
	assert_non_null(stream);
	text[fread(text, 1, sizeof(text) - 1, stream)] = '\0';
	fclose(stream);
	at = strrchr(text, ')');
	return at && !strncmp(at, ") Z", 3);
}

static void assert_all_rows(void)
{
	struct rows rows;

	assert_int_equal(read_rows("log", &rows, 1000), 0);
	assert_int_equal(wrong_counts(&rows, 0, 1000), 0);
	free(rows.seen);
}

/* The kernel shows such a process as a zombie, although its writer may be at work. The lock would
 * detect that; a copy of the ring file has none. */
static void test_main_is_over(void **state)
{
	pid_t child;
	int status;

	(void)state;
	skip_emulated("its main thread stays");
	child = begin(leave_main);
	for (int i = 0; i < 10000 && !is_zombie(child); i++)
		usleep(1000);
	assert_true(is_zombie(child));
	assert_int_not_equal(identity_process_start((uint32_t)child), 0);
	assert_int_equal(system("cp computeprof-*.ring copy.ring"), 0);
	prove("copy.ring");
	assert_int_equal(recover("copy.ring"), RECOVER_ALIVE);
	assert_int_equal(recover(find_ring()), RECOVER_ALIVE);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_all_rows();
}

/* Executes a program without the profiler. Another thread would make the last row meanwhile. */
static void become_another(void)
{
	const char *const arguments[] = {"sleep", "100", NULL}, *const none[] = {NULL};

	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 999; i++)
		launch(0, i, i % 10 ? FAKE_DONE : FAKE_NEVER);
	session_exec();
	launch(0, 999, FAKE_NEVER);
	syscall(SYS_execve, "/bin/sleep", arguments, none);
}

static bool is_asleep(pid_t pid)
{
	char path[64], text[16] = "";
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	stream = fopen(path, "r");
	assert_non_null(stream);
	text[fread(text, 1, sizeof(text) - 1, stream)] = '\0';
	fclose(stream);
	return !strcmp(text, "sleep\n");
}

/* The process may run for long. */
static void test_exec(void **state)
{
	pid_t child = begin(become_another);
	enum recover_result result;
	int status;

	(void)state;
	for (int i = 0; i < 10000 && !is_asleep(child); i++)
		usleep(1000);
	assert_true(is_asleep(child));
	/* The kernel releases the lock when the new program first runs. */
	result = recover(find_ring());
	for (int i = 0; i < 10000 && result == RECOVER_ALIVE; i++) {
		usleep(1000);
		result = recover(find_ring());
	}
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(result, RECOVER_DONE);
	assert_string_equal(find_ring(), "");
	assert_all_rows();
}

/* Before the exec, and after a failed one, the program runs. */
static void fail_to_become(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch(0, 0, FAKE_DONE);
	session_exec();
	progress->committed[0] = 1;
	for (;;)
		pause();
}

static void test_exec_to_come(void **state)
{
	pid_t child = begin(fail_to_become);
	int status;

	(void)state;
	wait_for_work();
	assert_int_equal(recover(find_ring()), RECOVER_ALIVE);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
}

static pid_t fork_raw(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
}

static pid_t (*fork_it)(void);
static enum ring_place place;

/* Killed while a child lives that has inherited all memory and descriptors. */
static void leave_child(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->ring = place;
	start(settings);
	for (uint64_t i = 0; i < 1000; i++)
		launch(0, i, i % 10 ? FAKE_DONE : FAKE_NEVER);
	if (!fork_it()) {
		alarm(100);
		progress->child = (pid_t)syscall(SYS_getpid);
		for (;;)
			pause();
	}
	for (int i = 0; i < 10000 && !progress->child; i++)
		usleep(1000);
	kill(getpid(), SIGKILL);
}

/* Returns the path of the ring file of process `pid`. */
static const char *ring_of(pid_t pid)
{
	static char path[64];

	snprintf(path, sizeof(path), "/dev/shm/computeprof-%d.ring", (int)pid);
	return access(path, F_OK) ? find_ring() : path;
}

static void recover_beside_child(pid_t (*way)(void), enum ring_place where)
{
	int status;
	pid_t program;

	clean_up();
	progress->child = 0;
	fork_it = way;
	place = where;
	program = begin(leave_child);
	assert_int_equal(waitpid(program, &status, 0), program);
	assert_true(WIFSIGNALED(status));
	assert_int_not_equal(progress->child, 0);
	status = (int)recover(ring_of(program));
	assert_int_equal(kill(progress->child, SIGKILL), 0);
	assert_int_equal(status, RECOVER_DONE);
	assert_string_equal(ring_of(program), "");
	assert_all_rows();
}

static void test_child_lives(void **state)
{
	(void)state;
	skip_emulated("MADV_DONTFORK does nothing");
	recover_beside_child(fork, RING_BESIDE_LOG);
	recover_beside_child(fork, RING_IN_MEMORY);
	recover_beside_child(fork_raw, RING_BESIDE_LOG);
	recover_beside_child(fork_raw, RING_IN_MEMORY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kill, fresh, tear_down),
		cmocka_unit_test_setup_teardown(test_kill_recovery_too, fresh, tear_down),
		cmocka_unit_test_setup_teardown(test_kill_at_once, fresh, tear_down),
		cmocka_unit_test_setup_teardown(test_alive_and_zombie, fresh, tear_down),
		cmocka_unit_test_setup_teardown(test_main_is_over, fresh, tear_down),
		cmocka_unit_test_setup_teardown(test_exec, fresh, tear_down),
		cmocka_unit_test_setup_teardown(test_exec_to_come, fresh, tear_down),
		cmocka_unit_test_setup_teardown(test_child_lives, fresh, tear_down),
	};

	return cmocka_run_group_tests(tests, group_set_up, NULL);
}
