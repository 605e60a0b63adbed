/* SPDX-License-Identifier: MIT */
/* The memory of kernels' arguments: arguments.c and used.c, without a driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "backend/opencl/allocation.h"
#include "backend/opencl/arguments.h"
#include "backend/opencl/callscope.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/kernel.h"
#include "backend/opencl/lines.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "base/memory.h"

#include "flow_stubs.h"

enum { MOST = 64, KERNEL = 0x1000, MEMORY = 0x100000, KERNELS = 20000 };

/* Stubs of the session: the uses. */
static struct use uses[MOST];
static int use_count;

uint64_t probe_last_correlation(void)
{
	static uint64_t newest = 100;

	return ++newest; /* each call makes a record */
}

void probe_end(struct probe *probe)
{
	(void)probe;
}

struct timed *probe_past_event(struct probe *probe, enum frame_kind kind, uint64_t enter,
			       uint64_t leave)
{
	(void)probe;
	(void)enter;
	(void)leave;
	assert_int_equal(kind, FRAME_USE);
	assert_true(use_count < MOST);
	uses[use_count] = (struct use){.frame.kind = FRAME_USE};
	return (struct timed *)(void *)&uses[use_count];
}

void probe_commit(void)
{
	use_count++;
}

void probe_announce_none(void)
{
}

/* Stubs of the back end. */
atomic_bool opencl_records = true;
static bool drivers;
static cl_int status = CL_SUCCESS;

bool callscope_is_drivers(void)
{
	return drivers;
}

uint64_t callscope_nested_records(void)
{
	return 0;
}

struct opencl_kernel *kernel_of(cl_kernel handle)
{
	return object_find(OBJECT_KERNEL, handle);
}

const struct opencl_device *kernel_device(cl_kernel handle)
{
	(void)handle;
	return NULL;
}

/* No kernel is counted by source line here. */
void lines_set_shared(struct lines_kernel *kernel, cl_uint index, const void *pointer)
{
	(void)kernel, (void)index, (void)pointer;
}

void lines_set_info(struct lines_kernel *kernel, cl_kernel_exec_info name, size_t size,
		    const void *value)
{
	(void)kernel, (void)name, (void)size, (void)value;
}

cl_int kernel_release(cl_kernel handle, unsigned *count)
{
	struct opencl_kernel *kernel = kernel_of(handle);

	*count = object_release(OBJECT_KERNEL, handle, &kernel->references);
	return CL_SUCCESS;
}

cl_int profiled_clSetKernelArg(cl_kernel handle, cl_uint index, size_t size, const void *value)
{
	(void)handle;
	(void)index;
	(void)size;
	(void)value;
	return status;
}

static cl_kernel kernel_at(unsigned number)
{
	return (cl_kernel)(uintptr_t)(KERNEL + 16 * number);
}

static cl_mem memory_at(unsigned number)
{
	return (cl_mem)(uintptr_t)(MEMORY + 16 * number);
}

cl_kernel profiled_clCloneKernel(cl_kernel source, cl_int *error)
{
	struct opencl_kernel clone = *kernel_of(source);

	*error = CL_SUCCESS;
	clone.references = 1;
	object_put(OBJECT_KERNEL, kernel_at(99), &clone, sizeof(clone));
	return kernel_at(99);
}

/* All memory that the tables of objects map. */
static size_t mapped;

void *__real_memory_map(size_t size);
void *__wrap_memory_map(size_t size);

void *__wrap_memory_map(size_t size)
{
	mapped += size;
	return __real_memory_map(size);
}

static cl_kernel make_kernel(unsigned number)
{
	const struct opencl_kernel kernel = {.references = 1};

	object_put(OBJECT_KERNEL, kernel_at(number), &kernel, sizeof(kernel));
	return kernel_at(number);
}

static int begin(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MOST; i++) {
		const struct opencl_memory memory = {
			.bytes = 64, .kind = MEMORY_KIND_DEVICE, .references = 1};

		object_put(OBJECT_MEMORY, memory_at(i), &memory, sizeof(memory));
	}
	return 0;
}

static void set(cl_kernel kernel, cl_uint index, cl_mem memory)
{
	assert_int_equal(used_clSetKernelArg(kernel, index, sizeof(memory), &memory), status);
}

static void launch(cl_kernel kernel)
{
	struct used used;

	use_count = 0;
	used_begin(&used, NULL);
	if (!used_open(&used, true))
		return;
	arguments_used(&used, kernel);
	used_close(&used);
}

/* Launches a kernel that is known to use no memory. */
static void launch_without(cl_kernel kernel)
{
	launch(kernel);
	assert_int_equal(use_count, 1);
	assert_int_equal(uses[0].access, USE_NONE);
	assert_int_equal(uses[0].address, 0);
	assert_true(uses[0].record > 100);
}

/* Arguments in any order, replaced, and cleared by other values. */
static void test_values(void **state)
{
	cl_kernel kernel = make_kernel(1);
	const int number = 5;
	const cl_ulong other = 0xfffffff8;

	(void)state;
	launch_without(kernel);
	set(kernel, 30, memory_at(3));
	set(kernel, 0, memory_at(1));
	set(kernel, 7, memory_at(2));
	launch(kernel);
	assert_int_equal(use_count, 3);
	assert_int_equal(uses[0].address, (uintptr_t)memory_at(1));
	assert_int_equal(uses[1].argument, 7);
	assert_int_equal(uses[2].argument, 30);
	assert_int_equal(uses[2].address, (uintptr_t)memory_at(3));
	assert_true(uses[2].record > 100);
	set(kernel, 7, memory_at(4));
	used_clSetKernelArg(kernel, 0, sizeof(number), &number);
	used_clSetKernelArg(kernel, 30, sizeof(other), &other);
	launch(kernel);
	assert_int_equal(use_count, 1);
	assert_int_equal(uses[0].address, (uintptr_t)memory_at(4));
	set(kernel, 7, NULL);
	used_clSetKernelArg(kernel, 1, 64, NULL); /* local memory */
	launch_without(kernel);
	set(kernel, UINT32_MAX, memory_at(1)); /* is not kept: its uses are not known */
	launch(kernel);
	assert_int_equal(use_count, 0);
}

/* The driver has refused the argument: the former one stays. */
static void test_refused(void **state)
{
	cl_kernel kernel = make_kernel(2);

	(void)state;
	set(kernel, 0, memory_at(1));
	status = CL_INVALID_ARG_INDEX;
	set(kernel, 0, memory_at(2));
	status = CL_SUCCESS;
	launch(kernel);
	assert_int_equal(use_count, 1);
	assert_int_equal(uses[0].address, (uintptr_t)memory_at(1));
	drivers = true;
	launch(kernel);
	assert_int_equal(use_count, 0);
	drivers = false;
	opencl_records = false;
	launch(kernel);
	assert_int_equal(use_count, 0);
	opencl_records = true;
}

/* A clone has arguments of its own from then on, also after the other's end. */
static void test_clone(void **state)
{
	cl_kernel kernel = make_kernel(3), clone;
	cl_int error;

	(void)state;
	set(kernel, 0, memory_at(1));
	set(kernel, 20, memory_at(2));
	clone = used_clCloneKernel(kernel, &error);
	set(kernel, 0, memory_at(3));
	set(clone, 20, memory_at(4));
	launch(kernel);
	assert_int_equal(use_count, 2);
	assert_int_equal(uses[0].address, (uintptr_t)memory_at(3));
	assert_int_equal(uses[1].address, (uintptr_t)memory_at(2));
	used_clReleaseKernel(kernel);
	launch(clone);
	assert_int_equal(use_count, 2);
	assert_int_equal(uses[0].address, (uintptr_t)memory_at(1));
	assert_int_equal(uses[1].address, (uintptr_t)memory_at(4));
}

/* Memory of released kernels is used again; a kernel with the handle of an earlier one has none of
 * its arguments. */
static void test_many(void **state)
{
	size_t half = 0;

	(void)state;
	for (unsigned i = 0; i < KERNELS; i++) {
		cl_kernel kernel = make_kernel(100 + i % 7);

		launch_without(kernel);
		for (cl_uint index = 0; index < 40; index++)
			set(kernel, index, memory_at(index));
		launch(kernel);
		assert_int_equal(use_count, 40);
		used_clReleaseKernel(kernel);
		half = i == KERNELS / 2 ? mapped : half;
	}
	assert_true(half > 0);
	assert_int_equal(mapped, half);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_values, begin),
		cmocka_unit_test_setup(test_refused, begin),
		cmocka_unit_test_setup(test_clone, begin),
		cmocka_unit_test_setup(test_many, begin),
	};

	object_prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
