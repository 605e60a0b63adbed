/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/totals/memory_usage.h"

static struct memory_usage *usage;
static struct strbuf error;

static int set_up(void **state)
{
	(void)state;
	usage = memory_usage_new();
	return usage ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	memory_usage_free(usage);
	strbuf_free(&error);
	return 0;
}

static int set_up_spilling(void **state)
{
	int result;

	setenv("COMPUTEPROF_TEST_SORT_BUDGET", "65536", 1);
	result = set_up(state);
	unsetenv("COMPUTEPROF_TEST_SORT_BUDGET");
	return result;
}

/* Adds an allocation of device memory in context 0, or its release, by a call of 10 ns. */
static void add(uint64_t address, uint64_t bytes, uint64_t enter, bool is_end)
{
	const struct allocation allocation = {.frame.flags = is_end ? ALLOCATION_FREED : 0,
					      .enter = enter,
					      .leave = enter + 10,
					      .address = address,
					      .bytes = bytes,
					      .memory = MEMORY_KIND_DEVICE};

	assert_int_equal(memory_usage_add(usage, &allocation, &error), 0);
}

static void made(uint64_t address, uint64_t bytes, uint64_t enter)
{
	add(address, bytes, enter, false);
}

static void freed(uint64_t address, uint64_t bytes, uint64_t enter)
{
	add(address, bytes, enter, true);
}

static void assert_next(uint64_t time, uint64_t bytes)
{
	struct memory_usage_sample sample;

	assert_int_equal(memory_usage_next(usage, &sample, &error), 1);
	assert_int_equal(sample.time, time);
	assert_int_equal(sample.bytes, bytes);
}

static void assert_over(void)
{
	struct memory_usage_sample sample;

	assert_int_equal(memory_usage_next(usage, &sample, &error), 0);
}

/* An allocation counts from the return of its call, a release from the entry of its call. */
static void test_order(void **state)
{
	(void)state;
	freed(0x100, 7, 500);
	made(0x200, 30, 300);
	made(0x100, 7, 200);
	freed(0x200, 30, 400);
	assert_next(210, 7);
	assert_next(310, 37);
	assert_next(400, 7);
	assert_next(500, 0);
	assert_over();
}

/* Both at the same time, as if their calls were unknown: the order of the file counts. */
static void test_one_moment(void **state)
{
	(void)state;
	made(0x100, 7, 200);
	freed(0x100, 7, 210);
	made(0x100, 9, 200);
	freed(0x100, 9, 210);
	assert_next(210, 7);
	assert_next(210, 0);
	assert_next(210, 9);
	assert_next(210, 0);
	assert_over();
}

static void test_older_than_the_trace(void **state)
{
	(void)state;
	made(0x100, 7, 200);
	freed(0x900, 1 << 30, 300);
	freed(0x100, 5, 400); /* 7 were allocated */
	freed(0x100, 7, 500);
	assert_next(210, 7);
	assert_next(300, 7);
	assert_next(400, 0);
	assert_next(500, 0);
}

static void test_same_place(void **state)
{
	(void)state;
	made(0x100, 7, 200);
	made(0x100, 9, 300);
	freed(0x100, 9, 400);
	assert_next(210, 7);
	assert_next(310, 9);
	assert_next(400, 0);
}

static void test_left(void **state)
{
	uint64_t bytes;

	(void)state;
	made(0x100, 7, 200);
	made(0x200, 8, 300);
	freed(0x300, 9, 400);
	made(0x400, 11, 500);
	freed(0x200, 8, 600);
	for (int i = 0; i < 5; i++) {
		struct memory_usage_sample sample;

		assert_int_equal(memory_usage_next(usage, &sample, &error), 1);
		assert_int_equal(sample.total, sample.bytes);
	}
	assert_over();
	assert_int_equal(memory_usage_left(usage, &bytes), 2);
	assert_int_equal(bytes, 18);
}

/* Each kind of memory of each context is counted separately, also at the same address. */
static void test_apart(void **state)
{
	static const struct {
		uint32_t context, known;
		uint16_t memory, kind;
	} of[] = {
		{0, 0, MEMORY_KIND_DEVICE, MEMORY_KIND_DEVICE},
		{0, 0, MEMORY_KIND_PINNED, MEMORY_KIND_PINNED},
		{1, 1, MEMORY_KIND_DEVICE, MEMORY_KIND_DEVICE},
		{UINT32_MAX, UINT32_MAX, MEMORY_KIND_DEVICE, MEMORY_KIND_DEVICE},
		{CATALOG_CONTEXTS - 1, CATALOG_CONTEXTS - 1, MEMORY_KIND_PIPE, MEMORY_KIND_PIPE},
		{CATALOG_CONTEXTS, UINT32_MAX, UINT16_MAX, MEMORY_KIND_UNKNOWN},
	};
	enum { COUNT = sizeof(of) / sizeof(of[0]) };
	struct allocation allocation = {.address = 0x100};
	struct memory_usage_sample sample;

	(void)state;
	for (unsigned i = 0; i < 2 * COUNT; i++) {
		allocation.frame.flags = i < COUNT ? 0 : ALLOCATION_FREED;
		allocation.enter = allocation.leave = i;
		allocation.context = of[i % COUNT].context;
		allocation.memory = of[i % COUNT].memory;
		allocation.bytes = i % COUNT + 1;
		assert_int_equal(memory_usage_add(usage, &allocation, &error), 0);
	}
	for (unsigned i = 0; i < 2 * COUNT; i++) {
		assert_int_equal(memory_usage_next(usage, &sample, &error), 1);
		assert_int_equal(sample.context, of[i % COUNT].known);
		assert_int_equal(sample.kind, of[i % COUNT].kind);
		assert_int_equal(sample.bytes, i < COUNT ? i + 1 : 0);
	}
}

static void assert_sample(uint32_t context, uint64_t bytes, uint64_t total)
{
	struct memory_usage_sample sample;

	assert_int_equal(memory_usage_next(usage, &sample, &error), 1);
	assert_int_equal(sample.context, context);
	assert_int_equal(sample.bytes, bytes);
	assert_int_equal(sample.total, total);
}

/* CUDA: an address is of one allocation in all contexts. Its memory is that of the context which
 * allocated it. */
static void test_other_context(void **state)
{
	static const struct allocation changes[] = {
		{.context = UINT32_MAX, .bytes = 5}, /* CUPTI has not told the context yet */
		{.context = 1, .frame.flags = ALLOCATION_FREED},
		{.context = 2, .bytes = 7},
		{.context = 3, .bytes = 9}, /* in place of the last one */
		{.context = 2, .frame.flags = ALLOCATION_FREED},
	};
	uint64_t bytes;

	(void)state;
	for (unsigned i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		struct allocation change = changes[i];

		change.enter = change.leave = i;
		change.address = 0x100;
		change.api = API_CUDA;
		change.memory = MEMORY_KIND_DEVICE;
		assert_int_equal(memory_usage_add(usage, &change, &error), 0);
	}
	assert_sample(UINT32_MAX, 5, 5);
	assert_sample(UINT32_MAX, 0, 0);
	assert_sample(2, 7, 7);
	assert_sample(2, 0, 0);
	assert_sample(3, 9, 9);
	assert_sample(3, 0, 0);
	assert_over();
	assert_int_equal(memory_usage_left(usage, &bytes), 0);
	assert_int_equal(bytes, 0);
}

/* Whatever the numbers in the file, viewers can read the result as a signed number. */
static void test_enormous(void **state)
{
	(void)state;
	made(0x100, UINT64_MAX, 200);
	made(0x200, UINT64_MAX - 5, 300);
	freed(0x200, UINT64_MAX - 5, 400);
	freed(0x100, UINT64_MAX, 500);
	assert_next(210, INT64_MAX);
	assert_next(310, INT64_MAX);
	assert_next(400, INT64_MAX);
	assert_next(500, 0);
}

/* Very many allocations, in the reverse order of time, each released much later. */
static void test_many(void **state)
{
	enum { MANY = 300000 };

	(void)state;
	for (uint64_t i = MANY; i-- > 0;)
		freed((i + 1) << 8, 3, 100 * (MANY + i));
	for (uint64_t i = MANY; i-- > 0;)
		made((i + 1) << 8, 3, 100 * i);
	freed(0x77, 1000, 1000 * (uint64_t)MANY);
	for (uint64_t i = 0; i < MANY; i++)
		assert_next(100 * i + 10, 3 * (i + 1));
	for (uint64_t i = 0; i < MANY; i++)
		assert_next(100 * (MANY + i), 3 * (MANY - i - 1));
	assert_next(1000 * (uint64_t)MANY, 0);
	assert_over();
}

static void test_no_folder(void **state)
{
	struct memory_usage_sample sample;
	int result = 0;

	(void)state;
	setenv("TMPDIR", "/nonexistent", 1);
	for (uint64_t i = 1; i < 5000 && !result; i++) {
		const struct allocation allocation = {.leave = i, .address = i, .bytes = 1};

		result = memory_usage_add(usage, &allocation, &error);
	}
	while (!result)
		result = memory_usage_next(usage, &sample, &error) < 0;
	assert_non_null(strstr(strbuf_text(&error), "/nonexistent"));
	unsetenv("TMPDIR");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define TEST_SPILLING(name)                                                                        \
	cmocka_unit_test_setup_teardown(name, set_up_spilling, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_order),     TEST(test_one_moment), TEST(test_older_than_the_trace),
		TEST(test_same_place), TEST(test_left),	     TEST(test_apart),
		TEST(test_other_context),
		TEST(test_enormous),  TEST(test_many),	     TEST_SPILLING(test_many),
		TEST_SPILLING(test_no_folder),
	};
#undef TEST
#undef TEST_SPILLING

	return cmocka_run_group_tests(tests, NULL, NULL);
}
