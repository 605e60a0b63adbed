/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/totals/memory_usage.h"

static struct memory_usage inuse;

static int set_up(void **state)
{
	(void)state;
	return memory_usage_open(&inuse);
}

static int tear_down(void **state)
{
	(void)state;
	memory_usage_close(&inuse);
	return 0;
}

/* Of context 0, device memory, each moment a call of 10 ns. */
static void add(uint64_t address, uint64_t bytes, uint64_t enter, bool is_end)
{
	const struct allocation allocation = {.frame.flags = is_end ? ALLOCATION_FREED : 0,
					      .enter = enter,
					      .leave = enter + 10,
					      .address = address,
					      .bytes = bytes,
					      .memory = MEMORY_KIND_DEVICE};

	memory_usage_add(&inuse, &allocation);
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

	assert_true(memory_usage_shift(&inuse, &sample));
	assert_int_equal(sample.time, time);
	assert_int_equal(sample.bytes, bytes);
}

static void assert_over(void)
{
	struct memory_usage_sample sample;

	assert_false(memory_usage_shift(&inuse, &sample));
}

/* A beginning counts from the end of its call, an end from its beginning. */
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

/* Both at one moment, as where the call is not known: as they came. */
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
	freed(0x100, 5, 400); /* it had 7 */
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

/* One that comes after its turn. */
static void test_late(void **state)
{
	(void)state;
	made(0x100, 7, 200);
	made(0x200, 8, 900);
	assert_next(210, 7);
	assert_next(910, 15);
	made(0x300, 9, 400);
	freed(0x100, 7, 500);
	assert_next(910, 24);
	assert_next(910, 17);
}

/* Each kind of each context has its own, also at one address. */
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
		memory_usage_add(&inuse, &allocation);
	}
	for (unsigned i = 0; i < 2 * COUNT; i++) {
		assert_true(memory_usage_shift(&inuse, &sample));
		assert_int_equal(sample.context, of[i % COUNT].known);
		assert_int_equal(sample.kind, of[i % COUNT].kind);
		assert_int_equal(sample.bytes, i < COUNT ? i + 1 : 0);
	}
}

/* Whatever a file claims, viewers can read it as a signed number. */
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

static void test_full(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < INUSE_WAITING; i++) {
		assert_false(memory_usage_is_full(&inuse));
		made(i << 8, 1, 1000 * (INUSE_WAITING - i));
	}
	assert_true(memory_usage_is_full(&inuse));
	for (uint64_t i = 1; i <= INUSE_WAITING; i++)
		assert_next(1000 * i + 10, i);
	assert_over();
}

/* More than are remembered: their ends count all the same, and nothing falls below 0. */
static void test_forgotten(void **state)
{
	enum { MORE = INUSE_ALLOCATIONS + 1000 };
	struct memory_usage_sample sample = {0};

	(void)state;
	for (uint64_t i = 0; i < MORE; i++) {
		made((i + 1) << 8, 3, 100 * i);
		assert_next(100 * i + 10, 3 * (i + 1));
	}
	for (uint64_t i = 0; i < MORE; i++) {
		freed((i + 1) << 8, 3, 100 * (MORE + i));
		assert_true(memory_usage_shift(&inuse, &sample));
		assert_int_equal(sample.bytes, 3 * (MORE - i - 1));
	}
	freed(0x77, 1000, 1000 * (uint64_t)MORE);
	assert_next(1000 * (uint64_t)MORE, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_order),      TEST(test_one_moment), TEST(test_older_than_the_trace),
		TEST(test_same_place), TEST(test_late),	      TEST(test_apart),
		TEST(test_enormous),   TEST(test_full),	      TEST(test_forgotten),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
