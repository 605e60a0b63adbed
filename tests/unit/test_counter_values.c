/* SPDX-License-Identifier: MIT */
/* Values that wait for their records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cuda/counters/counter_values.h"
#include "settings/counter_request.h"

enum { SLOTS = 1 << 17 };

static double values[COUNTER_REQUESTS_MOST];

static void add(uint32_t correlation, size_t count, double first)
{
	double these[COUNTER_REQUESTS_MOST];

	for (size_t i = 0; i < count; i++)
		these[i] = first + (double)i;
	counter_values_add(correlation, these, count);
}

static void assert_taken(uint32_t correlation, size_t count, double first)
{
	assert_int_equal(counter_values_take(correlation, values), count);
	for (size_t i = 0; i < count; i++)
		assert_true(values[i] == first + (double)i);
}

static void test_before(void **state)
{
	(void)state;
	assert_int_equal(counter_values_state(1), MEASURED_NOT);
	assert_int_equal(counter_values_take(1, values), 0);
	assert_false(counter_values_is_late(0));
	assert_int_equal(counter_values_init(), 0);
}

static void test_one(void **state)
{
	(void)state;
	add(1, 3, 5); /* it was not expected */
	assert_int_equal(counter_values_state(1), MEASURED_NOT);
	counter_values_expect(1);
	assert_int_equal(counter_values_state(1), MEASURED_EXPECTED);
	assert_int_equal(counter_values_take(1, values), 0);
	add(1, 3, 5);
	assert_int_equal(counter_values_state(1), MEASURED_EXPECTED);
	counter_values_complete(1);
	assert_int_equal(counter_values_state(1), MEASURED_COMPLETE);
	assert_taken(1, 3, 5);
	assert_taken(1, 0, 0);
	assert_int_equal(counter_values_state(1), MEASURED_COMPLETE);
}

static void test_graph(void **state)
{
	(void)state;
	counter_values_expect(2);
	add(2, COUNTER_REQUESTS_MOST, 1000);
	add(2, 14, 2000);
	add(2, 15, 3000);
	counter_values_complete(2);
	assert_taken(2, COUNTER_REQUESTS_MOST, 1000);
	assert_taken(2, 14, 2000);
	add(2, 1, 4000);
	assert_taken(2, 15, 3000);
	assert_taken(2, 1, 4000);
	assert_taken(2, 0, 0);
}

static void test_reused(void **state)
{
	(void)state;
	counter_values_expect(3);
	add(3, 20, 1);
	counter_values_expect(3 + SLOTS);
	assert_int_equal(counter_values_state(3), MEASURED_NOT);
	add(3, 20, 1);
	counter_values_complete(3);
	assert_int_equal(counter_values_state(3 + SLOTS), MEASURED_EXPECTED);
	assert_taken(3 + SLOTS, 0, 0);
	add(3 + SLOTS, 2, 7);
	assert_taken(3 + SLOTS, 2, 7);
	counter_values_complete(3 + SLOTS);
}

static void test_late(void **state)
{
	(void)state;
	assert_false(counter_values_is_late(0));
	counter_values_expect(4);
	counter_values_expect(5);
	assert_true(counter_values_is_late(0));
	assert_false(counter_values_is_late(UINT64_C(3600000000000)));
	counter_values_complete(4);
	assert_true(counter_values_is_late(0));
	usleep(2000);
	assert_true(counter_values_is_late(1000000));
	counter_values_complete(5);
	assert_false(counter_values_is_late(0));
}

static void test_forgotten(void **state)
{
	(void)state;
	counter_values_expect(6);
	counter_values_expect(7);
	add(6, 4, 1);
	counter_values_forget();
	assert_int_equal(counter_values_state(6), MEASURED_NOT);
	assert_taken(6, 0, 0);
	add(7, 4, 1);
	counter_values_complete(7);
	assert_taken(7, 0, 0);
	assert_false(counter_values_is_late(0));
	counter_values_expect(7);
	add(7, 1, 9);
	assert_taken(7, 1, 9);
	counter_values_complete(7);
}

/* More values than room: some are dropped, and later there is room again. */
static void test_full(void **state)
{
	uint32_t had = 0;

	(void)state;
	for (uint32_t i = 0; i < 20000; i++) {
		counter_values_expect(100 + i);
		add(100 + i, COUNTER_REQUESTS_MOST, i);
		counter_values_complete(100 + i);
	}
	for (uint32_t i = 0; i < 20000; i++)
		had += counter_values_take(100 + i, values) == COUNTER_REQUESTS_MOST;
	assert_in_range(had, 10000, 19999);
	for (uint32_t i = 0; i < 10000; i++) {
		counter_values_expect(50000 + i);
		add(50000 + i, COUNTER_REQUESTS_MOST, i);
		counter_values_complete(50000 + i);
	}
	for (uint32_t i = 0; i < 10000; i++)
		assert_taken(50000 + i, COUNTER_REQUESTS_MOST, i);
}

static atomic_bool over;

static void *hammer(void *argument)
{
	uint32_t base = 1000000 * (uint32_t)(uintptr_t)argument;
	double own[COUNTER_REQUESTS_MOST];

	for (uint32_t i = 0; !atomic_load(&over); i++) {
		uint32_t correlation = base + i % 1000;

		counter_values_expect(correlation);
		add(correlation, 20, i);
		counter_values_complete(correlation);
		counter_values_is_late(0);
		if (counter_values_take(correlation, own) != 20 || own[19] != i + 19)
			return argument;
	}
	return NULL;
}

static void *ask(void *argument)
{
	counter_values_state(1);
	atomic_store((atomic_bool *)argument, true);
	return NULL;
}

static bool fork_is_watched, answered;

/* As the session, whose handler was registered first: a fork waits here until the writer has ended
 * its round, in which it requests values. */
static void before_fork(void)
{
	static atomic_bool done;
	pthread_t thread;

	if (!fork_is_watched)
		return;
	atomic_store(&done, false);
	answered = !pthread_create(&thread, NULL, ask, &done);
	for (int i = 0; i < 1000 && !atomic_load(&done); i++)
		usleep(1000);
	answered &= atomic_load(&done);
	pthread_detach(thread);
}

static bool fork_blocks_no_thread(void)
{
	pid_t child;
	int status;

	answered = false;
	fork_is_watched = true;
	child = fork();
	if (child == 0)
		_exit(0);
	fork_is_watched = false;
	return answered && waitpid(child, &status, 0) == child && !status;
}

static void test_threads_and_forks(void **state)
{
	pthread_t threads[3];
	void *wrong;

	(void)state;
	for (uintptr_t i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hammer, (void *)(i + 1)), 0);
	for (int i = 0; i < 50; i++)
		assert_true(fork_blocks_no_thread());
	atomic_store(&over, true);
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_before),	cmocka_unit_test(test_one),
		cmocka_unit_test(test_graph),	cmocka_unit_test(test_reused),
		cmocka_unit_test(test_late),	cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_full),	cmocka_unit_test(test_threads_and_forks),
	};

	return pthread_atfork(before_fork, NULL, NULL) ||
	       cmocka_run_group_tests(tests, NULL, NULL);
}
