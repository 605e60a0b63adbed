/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/mman.h>

#include "totals_check.h"
#include "totals_program.h"

/* Programs that are killed at any moment: their totals have what the recovered files have. The
 * number of kills is COMPUTEPROF_KILLS. */

enum { THREADS = 4, EACH = 50000, ALL = THREADS * EACH };

static struct progress {
	_Atomic uint64_t begun[THREADS];
	_Atomic uint64_t committed[THREADS];
	bool traced;
} *progress;

static int group_set_up(void **state)
{
	(void)state;
	srandom((unsigned int)getpid());
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	return progress == MAP_FAILED ? -1 : 0;
}

static uint32_t names[4];

static void *work_all(void *argument)
{
	uint64_t thread = (uintptr_t)argument;

	for (uint64_t i = 0; i < EACH; i++) {
		enum fake fake = i % 50 == 7 ? FAKE_SLOW : i % 999 == 3 ? FAKE_NEVER : FAKE_DONE;

		progress->begun[thread] = i + 1;
		work(thread * EACH + i, (uint32_t)thread, names[i % 4], fake);
		progress->committed[thread] = i + 1;
		if (i % 64 == 0)
			usleep(20);
	}
	pause();
	return NULL;
}

static void program(void)
{
	pthread_t thread;

	start(with_totals(progress->traced ? "trace" : NULL));
	for (uint32_t i = 0; i < 4; i++)
		names[i] = session_name((char[]){(char)('a' + i)}, 1);
	for (uintptr_t i = 1; i < THREADS; i++)
		if (pthread_create(&thread, NULL, work_all, (void *)i))
			_exit(1);
	work_all(NULL);
}

static void run_and_kill(bool traced, bool late)
{
	pid_t child;
	int status;

	clean_up();
	memset((void *)progress, 0, sizeof(*progress));
	progress->traced = traced;
	child = fork();
	if (!child) {
		program();
		_exit(1);
	}
	for (int i = 0; late && i < 10000 && !progress->committed[0]; i++)
		usleep(1000);
	usleep((unsigned int)random() % 60000);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
}

static unsigned wrong_rows(const struct rows *rows)
{
	unsigned wrong = 0;

	for (uint64_t thread = 0; thread < THREADS; thread++)
		for (uint64_t i = 0; i < EACH; i++) {
			unsigned seen = rows->seen[thread * EACH + i];

			if (i < progress->committed[thread])
				wrong += seen != 1;
			else
				wrong += seen > (i < progress->begun[thread]);
		}
	return wrong;
}

/* The log has the serial numbers of the records, from which their sizes and times follow. */
static void compare_log(const struct sums *sums)
{
	uint64_t bytes = 0, committed = 0, begun = 0;
	struct rows rows;

	assert_int_equal(read_rows("log", &rows, ALL), 0);
	assert_int_equal(wrong_rows(&rows), 0);
	assert_int_equal(sums->records, rows.count);
	assert_int_equal(sums->untimed, rows.untimed);
	for (uint64_t i = 0; i < ALL; i++)
		bytes += rows.seen[i] * i;
	/* Rows without times are in no sum. */
	assert_in_range(sums->bytes, rows.untimed ? 0 : bytes, bytes);
	for (int thread = 0; thread < THREADS; thread++) {
		committed += progress->committed[thread];
		begun += progress->begun[thread];
	}
	assert_in_range(sums->calls, committed, begun);
	free(rows.seen);
}

/* Returns the number of records. */
static uint64_t check(void)
{
	struct recover_report report = {0};
	struct sums sums;

	if (!find_ring()[0])
		return 0;
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_DONE);
	assert_string_equal(find_ring(), "");
	if (!count_files("log")) {
		recover_report_free(&report);
		return 0;
	}
	assert_int_equal(sum_totals(&report.totals, &sums), 0);
	assert_int_equal(sums.processes, 1);
	if (progress->traced)
		assert_int_equal(compare_sums(&report.totals, "trace"), 0);
	compare_log(&sums);
	recover_report_free(&report);
	return sums.records;
}

static void kill_often(bool traced)
{
	const char *wanted = getenv("COMPUTEPROF_KILLS"), *level = getenv("COMPUTEPROF_TEST_LEVEL");
	bool quick = SLOW_BUILD || (level && !strcmp(level, "quick"));
	int kills = wanted ? atoi(wanted) : quick ? 15 : 150;
	uint64_t records = 0;

	for (int i = 0; i < kills; i++) {
		run_and_kill(traced, i % 2);
		records += check();
	}
	print_message("# %d kills, %llu records\n", kills, (unsigned long long)records);
	assert_in_range(records, kills, UINT64_MAX);
}

static void test_with_a_trace(void **state)
{
	(void)state;
	kill_often(true);
}

static void test_without_a_trace(void **state)
{
	(void)state;
	kill_often(false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_with_a_trace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_without_a_trace, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, group_set_up, NULL);
}
