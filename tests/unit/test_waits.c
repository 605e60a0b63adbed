/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/stacks/waits.h"

#define EPOCH INT64_C(1000000)

static struct waits waits;

/* A kernel that ended at `end`. */
static void add(uint64_t end, uint32_t name, uint32_t context, uint32_t stream)
{
	const struct record record = {
		.frame.kind = FRAME_KERNEL,
		.ended = end + (uint64_t)EPOCH,
		.name = name,
		.context = context,
		.stream = stream,
		.known = KNOWN_TIMES | (stream == UINT32_MAX ? 0 : KNOWN_STREAM),
	};

	assert_int_equal(waits_add_record(&waits, &record, EPOCH), 0);
}

static uint32_t awaited(uint64_t enter, uint64_t leave, uint32_t context, uint32_t stream)
{
	const struct wait wait = {
		.enter = enter, .leave = leave, .context = context, .stream = stream};
	const struct wait_end *end = waits_find(&waits, &wait);

	return end ? end->name : 0;
}

static void test_find(void **state)
{
	(void)state;
	add(300, 3, 0, 7);
	add(100, 1, 0, 5);
	add(400, 4, 1, 5);
	add(200, 2, 0, 5);
	assert_int_equal(waits_add_record(&waits, &(struct record){.name = 9}, EPOCH), 0);
	waits_sort(&waits);
	assert_int_equal(waits.end_count, 4); /* one has no times */
	assert_int_equal(awaited(50, 500, UINT32_MAX, UINT32_MAX), 4);
	assert_int_equal(awaited(50, 399, UINT32_MAX, UINT32_MAX), 3);
	assert_int_equal(awaited(50, 500, 0, UINT32_MAX), 3);
	assert_int_equal(awaited(50, 500, 0, 5), 2);
	assert_int_equal(awaited(50, 200, 0, 5), 2); /* it ended with the wait */
	assert_int_equal(awaited(200, 500, 0, 5), 2); /* it ended when the wait began */
	assert_int_equal(awaited(150, 199, 0, 5), 0); /* nothing ended in it */
	assert_int_equal(awaited(201, 500, 0, 5), 0);
	assert_int_equal(awaited(50, 99, UINT32_MAX, UINT32_MAX), 0);
	assert_int_equal(awaited(50, 500, 2, UINT32_MAX), 0);
	waits_free(&waits);
	assert_int_equal(awaited(50, 500, 0, 5), 0);
}

static void test_kept(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(waits_add(&waits, &(struct wait){.enter = i}), 0);
	assert_int_equal(waits.wait_count, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(waits.waits[i].enter, i);
	waits_free(&waits);
}

/* Above the limit waits and commands are counted. */
static void test_limit(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	waits.limit = 2;
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(waits_add(&waits, &(struct wait){.enter = i}), 0);
	waits_put_message(&text, &waits, 7);
	assert_int_equal(text.length, 0);
	assert_int_equal(waits_add(&waits, &(struct wait){.enter = 3}), 1);
	for (uint32_t i = 0; i < 6; i++)
		add(300, 3, 0, 7);
	assert_int_equal(waits.wait_count, 2);
	assert_int_equal(waits.more_waits, 1);
	assert_int_equal(waits.end_count, 2);
	assert_int_equal(waits.more_ends, 4);
	waits_put_message(&text, &waits, 7);
	assert_non_null(strstr(strbuf_text(&text), "for the GPU, 1 are not named"));
	assert_non_null(strstr(strbuf_text(&text), "\nprocess 7: waits are named after the "));
	strbuf_free(&text);
	waits_free(&waits);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
