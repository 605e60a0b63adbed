/* SPDX-License-Identifier: MIT */
/* The elements of kernels' arguments, and the launches that are examined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/opencl/flow_patterns.h"
#include "backend/opencl/functions.h"
#include "session/probe.h"

static struct settings settings = {
	.values = VALUES_PATTERNS, .value_type = ELEMENT_UINT16, .value_sample = 1};

/* Stubs of the back end and the session. */
static struct opencl_device device = {.version = 120};
static const char *name;

const struct opencl_device *kernel_device(cl_kernel handle)
{
	(void)handle;
	return &device;
}

static cl_int CL_API_CALL get_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info info,
				   size_t size, void *value, size_t *needed)
{
	(void)kernel;
	(void)index;
	(void)needed;
	assert_int_equal(info, CL_KERNEL_ARG_TYPE_NAME);
	if (!name || strlen(name) >= size)
		return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
	strcpy(value, name);
	return CL_SUCCESS;
}

bool snapshots_find_patterns(const struct snapshot_object *object, uint64_t offset, uint64_t bytes,
			     const struct value_layout *layout, struct value_patterns *found)
{
	(void)object;
	(void)offset;
	(void)bytes;
	(void)layout;
	(void)found;
	return false;
}

struct timed *probe_past_event(struct probe *probe, enum frame_kind kind, uint64_t enter,
			       uint64_t leave)
{
	(void)probe;
	(void)kind;
	(void)enter;
	(void)leave;
	return NULL;
}

void probe_commit(void)
{
}

void probe_end(struct probe *probe)
{
	(void)probe;
}

static int set_up(void **state)
{
	(void)state;
	next.clGetKernelArgInfo = get_info;
	settings.value_sample = 1;
	patterns_begin(&settings);
	return 0;
}

static uint16_t element(enum element_type type, unsigned width)
{
	return (uint16_t)(type | width << PATTERNS_WIDTH);
}

static void test_types(void **state)
{
	static const char *const unknown[] = {
		"",	 "*",	  "float",   "float5*", "float0*", "float99999999999*",
		"pair*", "void*", "float**", "floats*", "int *x",  "image2d_t",
	};

	(void)state;
	assert_int_equal(patterns_type("float*"), element(ELEMENT_FLOAT32, 1));
	assert_int_equal(patterns_type("float3 *"), element(ELEMENT_FLOAT32, 3));
	assert_int_equal(patterns_type("uchar16*"), element(ELEMENT_UINT8, 16));
	assert_int_equal(patterns_type("char2*"), element(ELEMENT_INT8, 2));
	assert_int_equal(patterns_type("unsigned int*"), element(ELEMENT_UINT32, 1));
	assert_int_equal(patterns_type("long8*"), element(ELEMENT_INT64, 8));
	assert_int_equal(patterns_type("ulong*"), element(ELEMENT_UINT64, 1));
	assert_int_equal(patterns_type("short4*"), element(ELEMENT_INT16, 4));
	assert_int_equal(patterns_type("half*"), element(ELEMENT_FLOAT16, 1));
	assert_int_equal(patterns_type("double2*"), element(ELEMENT_FLOAT64, 2));
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_int_equal(patterns_type(unknown[i]), 0);
}

/* The type is unknown, or the driver does not report types: one is assumed. */
static void test_assumed(void **state)
{
	uint16_t assumed = PATTERNS_ASSUMED | element(ELEMENT_UINT16, 1);

	(void)state;
	name = "int4*";
	assert_int_equal(patterns_element(NULL, 0), element(ELEMENT_INT32, 4));
	name = "a_type_whose_name_is_longer_than_those_of_all_types_that_are_known*";
	assert_int_equal(patterns_element(NULL, 0), assumed);
	name = NULL;
	assert_int_equal(patterns_element(NULL, 0), assumed);
	name = "int4*";
	device.version = 110;
	assert_int_equal(patterns_element(NULL, 0), assumed);
	device.version = 120;
	next.clGetKernelArgInfo = NULL;
	assert_int_equal(patterns_element(NULL, 0), assumed);
}

/* Launches are counted by the kernel's name, since programs may make a kernel for each launch. */
static void test_sample(void **state)
{
	struct opencl_kernel one = {.name = 7, .examined = true}, same = one;
	struct opencl_kernel other = {.name = 0, .examined = true}, none = {.name = 9};

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_false(patterns_leave_out(&one));
	settings.value_sample = 3;
	patterns_begin(&settings);
	for (int i = 0; i < 4; i++) {
		assert_false(patterns_leave_out(&one));
		assert_true(patterns_leave_out(&same));
		assert_int_equal(patterns_leave_out(&other), i % 3 != 0);
		assert_true(patterns_leave_out(&one));
		assert_true(patterns_leave_out(&none));
	}
}

static void test_mode(void **state)
{
	struct settings flow = {.values = VALUES_FLOW};

	(void)state;
	assert_true(patterns_are_on());
	patterns_begin(&flow);
	assert_false(patterns_are_on());
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_types, set_up),
		cmocka_unit_test_setup(test_assumed, set_up),
		cmocka_unit_test_setup(test_sample, set_up),
		cmocka_unit_test_setup(test_mode, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
