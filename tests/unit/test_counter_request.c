/* SPDX-License-Identifier: MIT */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "settings/counter_request.h"

static struct counter_choices choices;

static int forget(void **state)
{
	(void)state;
	counter_requests_free(&choices);
	return 0;
}

/* Counters of the table are identified by their row, others by their name. */
static void test_each_once(void **state)
{
	static const int ids[] = {0, 1, -1, -1};

	(void)state;
	assert_non_null(counter_requests_add(&choices, "name", 0));
	assert_null(counter_requests_add(&choices, "other name", 0));
	assert_non_null(counter_requests_add(&choices, "name", 1));
	assert_null(counter_requests_add(&choices, "other name", 1));
	/* These have the name of a counter with a row. */
	assert_non_null(counter_requests_add(&choices, "name", -1));
	assert_null(counter_requests_add(&choices, "name", -1));
	assert_non_null(counter_requests_add(&choices, "other name", -1));
	assert_int_equal(choices.count, 4);
	for (unsigned i = 0; i < choices.count; i++) {
		const struct counter_choice *choice = &choices.items[i];

		assert_int_equal(choice->id, ids[i]);
		assert_string_equal(choice->name, i < 3 ? "name" : "other name");
		assert_null(choice->metric);
	}
}

static void test_timeout(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTER_REQUESTS_MOST; i++)
		assert_non_null(counter_requests_add(&choices, "name", i));
	assert_null(counter_requests_add(&choices, "name", COUNTER_REQUESTS_MOST));
	assert_int_equal(choices.count, COUNTER_REQUESTS_MOST);
	for (int i = 0; i < COUNTER_REQUESTS_MOST; i++)
		assert_int_equal(choices.items[i].id, i);
}

/* Returns the heap bytes in use; 0 under a sanitizer, which has its own heap. */
static size_t in_use(void)
{
#ifdef __GLIBC__
	return mallinfo2().uordblks;
#else
	return 0;
#endif
}

/* Uses texts that are long enough to measure. */
static void fill_and_free(int count)
{
	static char text[500];

	memset(text, 'x', sizeof(text) - 1);
	for (int i = 0; i < count; i++) {
		struct counter_choice *choice = counter_requests_add(&choices, text, i);

		assert_string_equal(choice->name, text);
		choice->metric = strdup(text);
		choice->event = strdup(text);
		choice->help = strdup(text);
		choice->unit = strdup(text);
	}
	counter_requests_free(&choices);
	assert_int_equal(choices.count, 0);
	assert_null(choices.items);
}

/* The C library keeps some memory, but the amount does not grow. */
static void test_given_back(void **state)
{
	size_t before;

	(void)state;
	fill_and_free(50);
	before = in_use();
	for (int i = 0; i < 1000; i++)
		fill_and_free(50);
	assert_in_range(in_use(), 0, before + 1000000);
	counter_requests_free(&choices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_each_once, forget),
		cmocka_unit_test_teardown(test_timeout, forget),
		cmocka_unit_test_teardown(test_given_back, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
