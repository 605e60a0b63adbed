/* SPDX-License-Identifier: MIT */
/* The lock of the data flow: who waits for it, keeps errno. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "backend/opencl/flow_lock.h"
#include "backend/opencl/flow_wait.h"

static struct flow_lock lock;

/* Later than one sleep lasts. */
static void *give_later(void *unused)
{
	usleep(150000);
	flow_lock_give(&lock);
	return unused;
}

static void test_errno_is_kept(void **state)
{
	pthread_t thread;

	(void)state;
	atomic_store(&flow_on, true);
	for (int i = 0; i < 2; i++) {
		assert_true(flow_lock_take(&lock));
		assert_int_equal(pthread_create(&thread, NULL, give_later, NULL), 0);
		errno = EDOM;
		assert_true(flow_lock_take(&lock));
		assert_int_equal(errno, EDOM);
		flow_lock_give(&lock);
		pthread_join(thread, NULL);
	}
}

static void test_no_wait_after_the_end(void **state)
{
	(void)state;
	atomic_store(&flow_on, true);
	assert_true(flow_lock_take(&lock));
	atomic_store(&flow_on, false);
	assert_false(flow_lock_take(&lock));
	flow_lock_give(&lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errno_is_kept),
		cmocka_unit_test(test_no_wait_after_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
