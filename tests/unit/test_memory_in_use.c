/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "session/memory_in_use.h"
#include "view/totals/memory_usage.h"

#include "random.h"

static struct allocation event(uint64_t address, uint64_t time, uint64_t bytes, bool freed)
{
	return (struct allocation){
		.frame = {.kind = FRAME_ALLOCATION, .flags = freed ? ALLOCATION_FREED : 0},
		.enter = time,
		.leave = time,
		.address = address,
		.bytes = bytes,
		.memory = MEMORY_KIND_DEVICE,
	};
}

static void add(struct memory_in_use *memory, uint64_t address, uint64_t time, uint64_t bytes,
		bool freed)
{
	const struct allocation change = event(address, time, bytes, freed);

	assert_int_equal(memory_in_use_add(memory, &change), 0);
}

#define EXPECT(wanted_bytes, wanted_allocations)                                                   \
	do {                                                                                       \
		assert_int_equal(memory.bytes, wanted_bytes);                                      \
		assert_int_equal(memory.allocations, wanted_allocations);                          \
	} while (0)

static void test_rules(void **state)
{
	struct memory_in_use memory = {0};
	struct allocation other = event(1, 50, 1000, false);

	(void)state;
	add(&memory, 1, 10, 100, false);
	EXPECT(100, 1);
	add(&memory, 2, 11, 7, true); /* older than the run */
	EXPECT(100, 1);
	add(&memory, 1, 12, 300, false); /* replaces the first one */
	EXPECT(300, 1);
	add(&memory, 1, 11, 100, true); /* the release of that one comes late */
	EXPECT(300, 1);
	add(&memory, 1, 20, 9999, true); /* its own size does not count */
	EXPECT(0, 0);
	add(&memory, 3, 30, 5, true); /* the release comes before the allocation */
	add(&memory, 3, 29, 5, false);
	EXPECT(0, 0);
	other.context = 1; /* another place */
	assert_int_equal(memory_in_use_add(&memory, &other), 0);
	add(&memory, 1, 60, 1000, true);
	EXPECT(1000, 1);
	memory_in_use_free(&memory);
}

/* CUDA: the release may have another context than the allocation, or come first. OpenCL in the same
 * program has addresses of its own. */
static void test_other_context(void **state)
{
	struct memory_in_use memory = {0};
	struct allocation made = event(1, 10, 100, false), released = event(1, 20, 100, true);

	(void)state;
	add(&memory, 1, 10, 7, false); /* OpenCL */
	made.api = released.api = API_CUDA;
	made.context = UINT32_MAX;
	for (int i = 0; i < 4; i++) {
		released.context = (uint32_t)i % 2;
		memory_in_use_add(&memory, i < 2 ? &made : &released);
		EXPECT(i < 2 ? 107 : 7, i < 2 ? 2 : 1);
		memory_in_use_add(&memory, i < 2 ? &released : &made);
		EXPECT(7, 1);
		made.leave += 100;
		released.enter += 100;
	}
	memory_in_use_free(&memory);
}

/* In any order of arrival the result is that of a view, which sorts the events. */
static void test_equals_the_view(void **state)
{
	enum { EVENTS = 20000, ADDRESSES = 300 };
	struct memory_in_use memory = {0};
	struct memory_usage *usage = memory_usage_new();
	struct memory_usage_sample sample;
	struct strbuf error = STRBUF_INIT;
	uint64_t bytes;

	(void)state;
	for (uint64_t i = 1; i <= EVENTS; i++) {
		uint64_t late = next_random() % 8 ? 0 : next_random() % 500;
		struct allocation change =
			event(1 + next_random() % ADDRESSES, 1000 + i * 10 - late,
			      next_random() % 10000, next_random() % 2);

		change.api = i % 4 < 3 ? API_CUDA : API_OPENCL;
		change.context = next_random() % 8 ? 0 : UINT32_MAX;

		assert_int_equal(memory_in_use_add(&memory, &change), 0);
		assert_int_equal(memory_usage_add(usage, &change, &error), 0);
	}
	while (memory_usage_next(usage, &sample, &error) > 0)
		;
	assert_int_equal(memory.allocations, memory_usage_left(usage, &bytes));
	assert_int_equal(memory.bytes, bytes);
	assert_in_range(memory.allocations, 1, 3 * ADDRESSES);
	memory_usage_free(usage);
	memory_in_use_free(&memory);
}

/* Releases of ever new addresses do not fill the table: those of long ago are forgotten. */
static void test_releases_are_forgotten(void **state)
{
	enum { PAIRS = 1 << 20 };
	struct memory_in_use memory = {0};

	(void)state;
	for (uint64_t i = 1; i <= PAIRS; i++) {
		add(&memory, i, i * 1000000, i, false);
		add(&memory, i, i * 1000000 + 10, i, true);
	}
	EXPECT(0, 0);
	assert_in_range(memory.room, 1, 1 << 13);
	memory_in_use_free(&memory);
}

/* Beyond the bound allocations are not counted; those that are in the table still are. */
static void test_full(void **state)
{
	enum { MORE = MEMORY_IN_USE_MOST + 1000 };
	struct memory_in_use memory = {0};
	uint64_t counted = 0;

	(void)state;
	for (uint64_t i = 1; i <= MORE; i++) {
		const struct allocation change = event(i * 64, i, 2, false);

		counted += !memory_in_use_add(&memory, &change);
	}
	assert_in_range(counted, MEMORY_IN_USE_MOST / 2, MEMORY_IN_USE_MOST * 3 / 4);
	EXPECT(2 * counted, counted);
	for (uint64_t i = 1; i <= MORE; i++)
		add(&memory, i * 64, MORE + i, 2, true);
	EXPECT(0, 0);
	add(&memory, 8, 4 * (uint64_t)MORE, 5, false); /* there is room again */
	EXPECT(5, 1);
	memory_in_use_free(&memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_other_context),
		cmocka_unit_test(test_equals_the_view),
		cmocka_unit_test(test_releases_are_forgotten),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
