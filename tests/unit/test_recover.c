/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "profiled.h"

/* Programs that are killed, and recoveries that are killed. */

enum { THREADS = 2, EACH = 100000, ALL = THREADS * EACH, KILLS = 20 };

/* What the killed program had done, as far as it could tell. */
struct progress {
	_Atomic uint64_t begun[THREADS];
	_Atomic uint64_t committed[THREADS];
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

static void *launch_all(void *argument)
{
	uint64_t thread = (uintptr_t)argument;

	for (uint64_t i = 0; i < EACH; i++) {
		progress->begun[thread] = i + 1;
		launch((uint32_t)thread, thread * EACH + i,
		       i % 50 == 7 ? FAKE_SLOW : i % 4999 == 3 ? FAKE_NEVER : FAKE_DONE);
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
	if (pthread_create(&thread, NULL, launch_all, (void *)1))
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

/* Kills `child` after up to `most` microseconds; whether it was still there. */
static bool kill_after(pid_t child, unsigned int most)
{
	int status;

	usleep((unsigned int)random() % most);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status);
}

/* The ring file in the working directory, "" if there is none. */
static const char *find_ring(void)
{
	static char path[256];
	glob_t found;

	path[0] = '\0';
	if (!glob("computeprof-*.ring", 0, NULL, &found)) {
		assert_int_equal(found.gl_pathc, 1);
		strcpy(path, found.gl_pathv[0]);
	}
	globfree(&found);
	return path;
}

static enum recover_result recover(const char *path)
{
	struct recover_report report = {0};
	enum recover_result result = recover_ring(path, &report);

	recover_report_free(&report);
	return result;
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
	assert_int_equal(count_files("log") + count_files("trace"), 2);
}

static void clean_up(void)
{
	assert_int_equal(system("rm -f log* trace* computeprof-*.ring said"), 0);
	memset((void *)progress, 0, sizeof(*progress));
}

static void test_kill(void **state)
{
	(void)state;
	for (int i = 0; i < KILLS; i++) {
		assert_true(kill_after(begin(busy), 60000));
		if (find_ring()[0]) {
			assert_int_equal(recover(find_ring()), RECOVER_DONE);
			if (progress->begun[0])
				check_files();
		}
		clean_up();
	}
}

static void test_kill_recovery_too(void **state)
{
	int killed = 0;

	(void)state;
	for (int i = 0; i < KILLS; i++) {
		assert_true(kill_after(begin(busy), 60000));
		for (int again = 0; again < 4; again++)
			killed += kill_after(begin(recover_in_child), 4000);
		if (find_ring()[0])
			assert_int_equal(recover(find_ring()), RECOVER_DONE);
		if (progress->committed[0])
			check_files();
		clean_up();
	}
	assert_in_range(killed, 1, KILLS * 4);
}

/* Before the writer has done anything at all. */
static void at_once(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	start(settings);
	for (uint64_t i = 0; i < 100; i++)
		launch(0, i, FAKE_DONE);
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

static void two_sources(void)
{
	struct settings *late = new_settings(API_CUDA, "late");
	uint32_t device, context;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	session_attach(API_CUDA, late, &fake_source);
	device = session_device(&(struct device){.api = API_CUDA, .name = "Other"});
	context = session_context(&(struct context){.api = API_CUDA, .device = device});
	for (uint64_t i = 0; i < 10; i++) {
		struct probe probe;
		struct record *record;

		probe_begin(&probe);
		record = probe_record(&probe, FRAME_COPY);
		record->device = device;
		record->context = context;
		record->bytes = i;
		record->known = KNOWN_BYTES | KNOWN_STREAM;
		probe_commit(&probe);
		probe_end(&probe);
	}
	kill(getpid(), SIGKILL);
}

static void test_source_that_came_late(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(two_sources), -1);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(read_rows("late", &rows, 10), 0);
	assert_int_equal(wrong_counts(&rows, 0, 10), 0);
	free(rows.seen);
}

static void limited(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->record_limit = 100;
	start(settings);
	for (uint64_t i = 0; i < 60; i++)
		launch(1, i, FAKE_DONE);
	usleep(100000);
	for (uint64_t i = 60; i < 300; i++)
		launch(1, i, FAKE_DONE);
	kill(getpid(), SIGKILL);
}

static void test_limit(void **state)
{
	struct recover_report report = {0};
	struct rows rows;

	(void)state;
	assert_int_equal(run(limited), -1);
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_DONE);
	assert_int_equal(report.rows, 40);
	recover_report_free(&report);
	assert_int_equal(read_rows("log", &rows, 300), 0);
	assert_int_equal(rows.count, 100);
	assert_int_equal(wrong_counts(&rows, 0, 100), 0);
	free(rows.seen);
}

static void short_run(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	usleep(60000);
	for (uint64_t i = 20; i < 40; i++)
		launch(1, i, FAKE_DONE);
	kill(getpid(), SIGKILL);
}

static void whole_run(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 500; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

/* The next run's log is not cut back to where the killed one stood, and has none of its rows. */
static void another_run_is_left_alone(void (*killed)(void))
{
	size_t size, size_after;
	char *before, *after;

	assert_int_equal(run(killed), -1);
	assert_int_equal(run(whole_run), 0);
	before = read_file("log", &size);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	after = read_file("log", &size_after);
	assert_int_equal(size, size_after);
	assert_memory_equal(before, after, size);
	free(before);
	free(after);
}

static void test_log_of_another_run(void **state)
{
	(void)state;
	another_run_is_left_alone(short_run);
	clean_up();
	another_run_is_left_alone(at_once);
}

static void test_alive_and_zombie(void **state)
{
	siginfo_t info;
	pid_t child;
	int status;

	(void)state;
	clean_up();
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

static void test_no_ring_files(void **state)
{
	static char page[8192] = "CPSPOOL";
	FILE *stream;

	(void)state;
	assert_int_equal(recover("missing"), RECOVER_FAILED);
	mkdir("folder", 0777);
	assert_int_equal(recover("folder"), RECOVER_FAILED);
	mkfifo("fifo", 0666);
	assert_int_equal(recover("fifo"), RECOVER_FOREIGN);
	stream = fopen("short", "w");
	fputs("CPSPOOL", stream);
	fclose(stream);
	assert_int_equal(recover("short"), RECOVER_FOREIGN);
	stream = fopen("zeros", "w");
	fwrite(page, 1, sizeof(page), stream);
	fclose(stream);
	assert_int_equal(recover("zeros"), RECOVER_FOREIGN);
	assert_int_equal(symlink("zeros", "link"), 0);
	assert_int_equal(recover("link"), RECOVER_FAILED);
	assert_int_equal(access("zeros", F_OK), 0);
}

static void recover_noise(void)
{
	recover("noise");
	_exit(0);
}

/* Whatever a disk has done to the file: no crash, no end without an end. Texts are left whole, so
 * that no file name leads away from here. */
static void test_noise(void **state)
{
	size_t size = 0;
	char *whole;

	(void)state;
	assert_int_equal(run(short_run), -1);
	whole = read_file(find_ring(), &size);
	assert_in_range(size, 4800, SIZE_MAX);
	for (int i = 0; i < 150; i++) {
		char *bytes = malloc(size);
		FILE *stream = fopen("noise", "w");
		size_t cut = i % 3 ? size : (size_t)random() % size;

		memcpy(bytes, whole, size);
		for (int hit = 0; hit < 1 << i % 12; hit++) {
			char *at = bytes + (size_t)random() % (hit % 2 ? size : 4800);

			if (*at < ' ' && (size_t)(at - bytes) > 48)
				*at = (char)(random() % 3 ? random() % ' ' : -(random() % 128));
		}
		fwrite(bytes, 1, cut, stream);
		fclose(stream);
		assert_int_equal(run(recover_noise), 0);
		free(bytes);
	}
	free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kill, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kill_recovery_too, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kill_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_source_that_came_late, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_log_of_another_run, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_alive_and_zombie, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_ring_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_noise, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, group_set_up, NULL);
}
