/* SPDX-License-Identifier: MIT */
/* What calls of the CUDA driver do with memory: live_memory.c, kernel_parameters.c, memory_calls.c
 * and memory_copies.c. test_memory_params.c compares the parameters with the driver's headers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "backend/cuda/kernel_parameters.h"
#include "backend/cuda/live_memory.h"
#include "memory_stubs.h"

enum { BYTES = 1 << 16 };

/* A byte for each address: number of the allocation that has it, 0 for none. */
static uint8_t model[BYTES];
static uint64_t starts[256], sizes[256];

static void model_remove(uint8_t number)
{
	for (int i = 0; i < BYTES; i++)
		if (model[i] == number)
			model[i] = 0;
}

static void check(uint64_t address)
{
	const struct live_memory *found = live_memory_find(address + 1);
	uint8_t number = model[address];

	if (!number) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_int_equal(found->address, starts[number] + 1);
	assert_int_equal(found->bytes, sizes[number]);
}

/* Random allocations, which may overlap older ones, and releases. Addresses begin at 1. */
static void test_live(void **state)
{
	(void)state;
	srandom(1);
	for (int step = 0; step < 20000; step++) {
		uint8_t number = (uint8_t)(1 + random() % 255);
		uint64_t at = (uint64_t)random() % (BYTES - 300);

		if (random() % 3) {
			if (model[starts[number]] == number)
				live_memory_remove(starts[number] + 1);
			model_remove(number);
			starts[number] = at;
			sizes[number] = 1 + (uint64_t)random() % 299;
			for (uint64_t i = at; i < at + sizes[number]; i++)
				if (model[i])
					model_remove(model[i]);
			memset(model + at, number, sizes[number]);
			assert_int_equal(live_memory_add(at + 1, sizes[number]), 0);
		} else if (model[at]) {
			live_memory_remove(starts[model[at]] + 1);
			model_remove(model[at]);
		} else {
			live_memory_remove(at + 1); /* no allocation begins there */
		}
		for (int i = 0; i < 20; i++)
			check((uint64_t)random() % BYTES);
	}
	for (uint64_t i = 0; i < BYTES; i++)
		live_memory_remove(i + 1);
	assert_null(live_memory_find(1));
	assert_int_equal(live_memory_add(0, 5), 0);
	assert_int_equal(live_memory_add(5, 0), 0);
	assert_int_equal(live_memory_add(5, UINT64_MAX), 0);
	assert_null(live_memory_find(5));
}

/* Functions are queried once, and again after modules were unloaded. */
static void test_parameters(void **state)
{
	const struct kernel_parameters *first, *second;
	unsigned before;

	(void)state;
	stub_parameters(2, (struct kernel_parameter){0, 8}, (struct kernel_parameter){8, 4});
	first = kernel_parameters_of(FUNCTION_AT(1));
	assert_non_null(first);
	assert_int_equal(first->count, 2);
	assert_int_equal(first->items[1].offset, 8);
	assert_int_equal(first->items[1].size, 4);
	before = asked;
	assert_ptr_equal(kernel_parameters_of(FUNCTION_AT(1)), first);
	assert_int_equal(asked, before);
	kernel_parameters_forget();
	assert_ptr_equal(kernel_parameters_of(FUNCTION_AT(1)), first); /* equal, so shared */
	assert_true(asked > before);
	kernel_parameters_forget();
	stub_parameters(1, (struct kernel_parameter){0, 16}, (struct kernel_parameter){0, 0});
	second = kernel_parameters_of(FUNCTION_AT(1));
	assert_int_equal(second->count, 1);
	assert_int_equal(second->items[0].size, 16);
	assert_null(kernel_parameters_of(NULL));
}

static void launch(uint32_t correlation, void **values, void **extra)
{
	struct {
		void *function;
		unsigned sizes[7];
		void *stream;
		void **values, **extra;
	} given = {.function = FUNCTION_AT(2), .values = values, .extra = extra};

	call("cuLaunchKernel", CUPTI_ENTER, correlation, &given, 0);
	call("cuLaunchKernel", CUPTI_EXIT, correlation, &given, 0);
}

/* Aligned words of parameters are looked up, wherever the parameter's copy is. */
static void test_launch(void **state)
{
	struct {
		char shift;
		char bytes[24];
	} __attribute__((packed)) values = {.shift = 1};
	const uint64_t address = 0x10008;
	uint64_t words[3] = {address + 3, 5, 0x20000 - 1};
	void *all[] = {words, values.bytes};
	char buffer[64];
	void *extra[] = {(void *)2, buffer, (void *)1, buffer, NULL};

	(void)state;
	begin_calls();
	allocate(0x10000, 0x10000);
	kernel_parameters_forget();
	stub_parameters(2, (struct kernel_parameter){0, 24}, (struct kernel_parameter){28, 20});
	memcpy(values.bytes + 4, &address, sizeof(address)); /* offset 32 */
	launch(1, all, NULL);
	assert_int_equal(use_count, 3);
	assert_int_equal(uses[0].offset, 0xb);
	assert_int_equal(uses[0].argument, 0);
	assert_int_equal(uses[1].offset, 0xffff);
	assert_int_equal(uses[2].offset, 8);
	assert_int_equal(uses[2].argument, 1);
	assert_int_equal(uses[2].access, USE_READ_WRITE);
	assert_int_equal(uses[2].frame.flags, USE_ASSUMED | USE_PARTIAL);
	assert_int_equal(uses[2].bytes, 0);
	use_count = 0;
	memset(buffer, 0, sizeof(buffer));
	memcpy(buffer + 32, &address, sizeof(address));
	launch(2, NULL, extra);
	assert_int_equal(use_count, 1);
	assert_int_equal(uses[0].argument, 1);
	launch(3, NULL, NULL);
	assert_int_equal(use_count, 1);
}

/* Without cuFuncGetParamInfo launches have no uses, and a message says so once. */
static void test_old_driver(void **state)
{
	uint64_t word = 0x10000;
	void *all[] = {&word};

	(void)state;
	begin_calls();
	allocate(0x10000, 0x10000);
	kernel_parameters_forget();
	driver.cuFuncGetParamInfo = NULL;
	for (int i = 0; i < 3; i++)
		launch(1, all, NULL);
	assert_int_equal(use_count, 0);
	assert_int_equal(messages, 1);
	driver.cuFuncGetParamInfo = param_info;
}

/* A failed call has no uses, and allocates nothing. */
static void test_failure(void **state)
{
	uint64_t address = 0x40000;
	struct {
		uint64_t *address;
		uint64_t bytes;
	} allocation = {&address, 64};
	struct {
		uint64_t to, value, count;
	} fill = {0x40000, 0, 8};

	(void)state;
	begin_calls();
	call("cuMemAlloc_v2", CUPTI_ENTER, 1, &allocation, 0);
	call("cuMemAlloc_v2", CUPTI_EXIT, 1, &allocation, 2);
	call("cuMemsetD32_v2", CUPTI_ENTER, 2, &fill, 0);
	assert_int_equal(use_count, 0);
	call("cuMemAlloc_v2", CUPTI_EXIT, 3, &allocation, 0);
	call("cuMemsetD32_v2", CUPTI_ENTER, 4, &fill, 0);
	assert_int_equal(use_count, 1);
	assert_int_equal(uses[0].bytes, 32);
	call("cuMemsetD32_v2", CUPTI_EXIT, 4, &fill, 1);
	assert_int_equal(dropped, 4);
	call("cuMemsetD32", CUPTI_ENTER, 5, &fill, 0); /* of 32-bit addresses */
	assert_int_equal(use_count, 1);
	recording = false;
	call("cuMemsetD32_v2", CUPTI_ENTER, 6, &fill, 0);
	assert_int_equal(use_count, 1);
	recording = true;
	call("cuMemsetD32_v2_ptds", CUPTI_ENTER, 7, &fill, 0);
	assert_int_equal(use_count, 2);
	call("cuMemFree_v2", CUPTI_ENTER, 8, &address, 0);
	call("cuMemsetD32_v2", CUPTI_ENTER, 9, &fill, 0);
	assert_int_equal(use_count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live),	   cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_launch),	   cmocka_unit_test(test_old_driver),
		cmocka_unit_test(test_failure),
	};

	driver.cuFuncGetParamInfo = param_info;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
