/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

#include "session/join.h"

#include "profiled.h"

/* Programs that kill themselves at a moment that is seldom met by chance. */

/* The ring file knows of each loss at once: nothing comes between the last one and the kill. */
static void lose_and_die(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch_on(77, 0, 0, FAKE_DONE); /* no such context */
	launch(0, 1, FAKE_NEVER);
	for (int i = 0; i < 10000 && polled != 1; i++)
		usleep(1000);
	session_lost(5);
	session_found(2);
	kill(getpid(), SIGKILL);
}

static void test_losses_are_told(void **state)
{
	struct recover_report report = {0};

	(void)state;
	assert_int_equal(run(lose_and_die), -1);
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_DONE);
	assert_int_equal(report.rows, 1);
	assert_int_equal(report.lost, 4);
	recover_report_free(&report);
}

enum { CROWD = JOIN_MAX + 5000 }; /* more than are left in a ring */

static void *launch_crowd(void *unused)
{
	for (uint64_t i = 0; i < CROWD; i++)
		launch(1, i, FAKE_NONE);
	return unused;
}

/* Rows go out before their turn, since one call holds all later ones back until there is no place
 * for them; then that call ends. */
static void overtaken(void)
{
	struct probe probe;
	pthread_t crowd;

	start(new_settings(API_OPENCL, "log"));
	probe_begin(&probe);
	if (pthread_create(&crowd, NULL, launch_crowd, NULL) || pthread_join(crowd, NULL))
		_exit(1);
	session_settle(NULL, NULL);
	launched(&probe, 0, 0, CROWD, FAKE_NEVER);
	for (int i = 0; i < 10000 && polled != CROWD; i++)
		usleep(1000);
	kill(getpid(), SIGKILL);
}

static void test_rows_were_early(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(overtaken), -1);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(read_rows("log", &rows, CROWD + 1), 0);
	assert_int_equal(wrong_counts(&rows, 0, CROWD + 1), 0);
	assert_false(rows.ordered);
	free(rows.seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_losses_are_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rows_were_early, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
