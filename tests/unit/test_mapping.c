/* SPDX-License-Identifier: MIT */
/* The program's mappings: the table's places are used again, and what it has no place for has no
 * size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/opencl/address_range.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/image.h"
#include "backend/opencl/mapping.h"
#include "backend/opencl/opencl.h"

enum { PLACES = 1 << 14, SIZE = 64, ALIGNMENT = 64 };

/* Stubs of the back end and of the driver. */
atomic_bool opencl_records;
static struct copy ended;
static cl_int ended_status, unmap_status;
static void *mapped;
static int page_locked; /* number of ranges */

struct copy copy_between(enum memory source, enum memory target, const void *host, uint64_t bytes)
{
	return (struct copy){.source = source, .target = target, .host = host, .bytes = bytes};
}

void command_begin_from(struct command *command, cl_command_queue queue, cl_event *event,
			const void *caller)
{
	(void)queue;
	(void)caller;
	command->event = event;
}

void command_end_copy(struct command *command, cl_int status, const struct copy *copy)
{
	(void)command;
	ended_status = status;
	ended = *copy;
}

void address_range_add(enum address_range_set set, const void *begin, size_t size)
{
	(void)set;
	(void)begin;
	(void)size;
	page_locked++;
}

void address_range_remove(enum address_range_set set, const void *begin)
{
	(void)set;
	(void)begin;
	page_locked--;
}

uint64_t image_bytes(cl_mem image, const size_t region[3])
{
	(void)image;
	return region[0];
}

static cl_int get_info(cl_mem mem, cl_mem_info what, size_t size, void *value, size_t *size_ret)
{
	const cl_mem_flags flags = CL_MEM_ALLOC_HOST_PTR;

	(void)mem;
	(void)size_ret;
	if (what == CL_MEM_FLAGS)
		memcpy(value, &flags, size);
	return CL_SUCCESS;
}

static void *map(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
		 size_t offset, size_t size, cl_uint wait_count, const cl_event *wait,
		 cl_event *event, cl_int *error)
{
	(void)queue, (void)buffer, (void)blocking, (void)flags, (void)offset, (void)size;
	(void)wait_count, (void)wait, (void)event, (void)error;
	return mapped;
}

static cl_int unmap(cl_command_queue queue, cl_mem mem, void *address, cl_uint wait_count,
		    const cl_event *wait, cl_event *event)
{
	(void)queue, (void)mem, (void)address, (void)wait_count, (void)wait, (void)event;
	return unmap_status;
}

static cl_mem object_number(uintptr_t number)
{
	return (cl_mem)(number << 4);
}

static const void *address_number(uintptr_t number)
{
	return (const void *)(0x7f0000000000 + number * ALIGNMENT);
}

static void add(uintptr_t number)
{
	mapping_add(object_number(1), address_number(number), number + 1);
}

static uint64_t take(uintptr_t number)
{
	return mapping_take(object_number(1), address_number(number));
}

/* One after the other, or a few at once, at more addresses than there are places. */
static void test_places_are_used_again(void **state)
{
	const uintptr_t few = 100;

	(void)state;
	for (uintptr_t i = 0; i < 4 * PLACES; i++) {
		add(i);
		assert_int_equal(take(i), i + 1);
		assert_int_equal(take(i), 0);
	}
	for (uintptr_t i = 0; i < 4 * PLACES; i++) {
		add(i);
		if (i >= few)
			assert_int_equal(take(i - few), i - few + 1);
	}
	for (uintptr_t i = 4 * PLACES - few; i < 4 * PLACES; i++)
		assert_int_equal(take(i), i + 1);
}

/* Those that find no place have no size, never that of another one. */
static void test_more_than_there_are_places(void **state)
{
	uint64_t sized = 0;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		for (uintptr_t i = 0; i < 2 * PLACES; i++)
			add(i);
		sized = 0;
		for (uintptr_t i = 0; i < 2 * PLACES; i++) {
			uint64_t bytes = take(i);

			assert_true(!bytes || bytes == i + 1);
			sized += bytes > 0;
		}
		assert_int_equal(sized, PLACES);
	}
}

static void test_several_mappings_of_a_region(void **state)
{
	(void)state;
	mapping_add(object_number(1), address_number(1), SIZE);
	mapping_add(object_number(1), address_number(1), SIZE);
	mapping_add(object_number(2), address_number(1), 2 * SIZE);
	mapping_add(NULL, address_number(1), 3 * SIZE);
	assert_int_equal(mapping_take(object_number(1), address_number(1)), SIZE);
	assert_int_equal(mapping_take(object_number(1), address_number(1)), SIZE);
	assert_int_equal(mapping_take(object_number(1), address_number(1)), 0);
	assert_int_equal(mapping_take(object_number(2), address_number(1)), 2 * SIZE);
	assert_int_equal(mapping_take(NULL, address_number(1)), 3 * SIZE);
}

static void map_buffer(void)
{
	profiled_clEnqueueMapBuffer(NULL, object_number(1), CL_TRUE, CL_MAP_WRITE, 0, SIZE, 0, NULL,
				    NULL, NULL);
}

static cl_int unmap_buffer(void)
{
	return profiled_clEnqueueUnmapMemObject(NULL, object_number(1), mapped, 0, NULL, NULL);
}

/* After an unmap that the driver refuses, the memory is mapped as before. */
static void test_calls_that_fail(void **state)
{
	static char memory[SIZE];

	(void)state;
	next.clGetMemObjectInfo = get_info;
	next.clEnqueueMapBuffer = map;
	next.clEnqueueUnmapMemObject = unmap;
	mapped = NULL;
	map_buffer();
	assert_int_equal(ended_status, CL_MAP_FAILURE);
	assert_int_equal(page_locked, 0);
	assert_int_equal(mapping_take(object_number(1), NULL), 0);

	mapped = memory;
	map_buffer();
	assert_int_equal(ended_status, CL_SUCCESS);
	assert_ptr_equal(ended.host, memory);
	assert_int_equal(page_locked, 1);
	unmap_status = CL_INVALID_COMMAND_QUEUE;
	assert_int_equal(unmap_buffer(), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(ended_status, CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(page_locked, 1);
	unmap_status = CL_SUCCESS;
	assert_int_equal(unmap_buffer(), CL_SUCCESS);
	assert_int_equal(ended.bytes, SIZE);
	assert_int_equal(page_locked, 0);
	assert_int_equal(mapping_take(object_number(1), memory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places_are_used_again),
		cmocka_unit_test(test_more_than_there_are_places),
		cmocka_unit_test(test_several_mappings_of_a_region),
		cmocka_unit_test(test_calls_that_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
