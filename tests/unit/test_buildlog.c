/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/opencl/buildlog.h"
#include "backend/opencl/device.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/lines.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/used.h"

/* Stubs of the modules that buildlog.c uses. */
struct opencl_functions next;
static struct opencl_device nvidia = {.compute = 21}, other;
static struct settings settings;
static const char *log_text;
static size_t log_size;
static char built_with[128];
static const char *refused; /* an option, or NULL */

const struct opencl_device *device_of(cl_device_id handle)
{
	return handle ? (const struct opencl_device *)(const void *)handle : NULL;
}

const struct settings *opencl_settings(void)
{
	return &settings;
}

static unsigned told; /* calls of lines_build and lines_forget */

void lines_build(cl_program program)
{
	(void)program;
	told++;
}

void lines_forget(cl_program program)
{
	(void)program;
	told++;
}

static cl_device_id handle_of(struct opencl_device *device)
{
	return (cl_device_id)(void *)device;
}

static cl_int give_log(cl_program program, cl_device_id device, cl_program_build_info what,
		       size_t size, void *value, size_t *size_ret)
{
	(void)program;
	(void)device;
	assert_int_equal(what, CL_PROGRAM_BUILD_LOG);
	if (!log_text)
		return CL_OUT_OF_HOST_MEMORY;
	if (value && size < log_size)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, log_text, log_size);
	if (size_ret)
		*size_ret = log_size;
	return CL_SUCCESS;
}

static cl_int build(cl_program program, cl_uint count, const cl_device_id *devices,
		    const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	(void)program;
	(void)count;
	(void)devices;
	(void)notify;
	(void)data;
	assert_true(told > 0);
	strncpy(built_with, options ? options : "NULL", sizeof(built_with) - 1);
	return refused && strstr(built_with, refused) ? CL_INVALID_BUILD_OPTIONS : CL_SUCCESS;
}

/* clang-format off */
#define ENTRY(name) "ptxas info    : Compiling entry function '" name "' for 'sm_21'\n"
#define USED "ptxas info    : Used 31 registers, 32800 bytes smem, 64 bytes cmem[0]\n"
#define USED_OTHER "ptxas info    : Used 9 registers, 4 bytes cmem[1]\n"

static const struct log_sample {
	const char *log;
	int registers; /* -1: not in the log */
} samples[] = {
	{ENTRY("hello") USED, 31},
	{"\n" ENTRY("hello") "ptxas info    : Function properties for hello\n"
	 "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" USED, 31},
	{"warning: 'Used 7 registers'\n" ENTRY("other") USED_OTHER ENTRY("hello") USED, 31},
	{ENTRY("hello") USED ENTRY("other") USED_OTHER, 31},
	{ENTRY("hello_again") USED_OTHER ENTRY("hello") USED, 31},
	{ENTRY("shello") USED_OTHER ENTRY("hello") USED, 31},
	{ENTRY("hello") "Used 1 register, 2 bytes smem\n", 1},
	{ENTRY("hello") "Used 0 registers\n", 0},
	{ENTRY("hello") "Used 31 registers", 31},
	{"", -1},
	{ENTRY("other") USED, -1},
	{ENTRY("hello_again") USED, -1},
	{ENTRY("hello"), -1},
	{ENTRY("hello") ENTRY("other") USED_OTHER, -1},
	{USED ENTRY("hello"), -1},
	{ENTRY("hello") "Used many registers\n", -1},
	{ENTRY("hello") "Used -1 registers\n", -1},
	{ENTRY("hello") "Used 65536 registers\n", -1},
	{ENTRY("hello") "Used 99999999999999999999 registers\n", -1},
	{ENTRY("hello") "Used 31 barriers\n", -1},
	{ENTRY("hello") "Used ", -1},
	{"Compiling entry function 'hello", -1},
	{"Compiling entry function '", -1},
};
/* clang-format on */

static void test_parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		uint32_t registers = 12345;
		bool found = buildlog_parse(samples[i].log, "hello", &registers);

		if (found != (samples[i].registers >= 0) ||
		    registers != (found ? (uint32_t)samples[i].registers : 12345))
			fail_msg("%d, %u: %s", found, registers, samples[i].log);
	}
}

static void test_registers(void **state)
{
	uint32_t registers = 0;

	(void)state;
	next.clGetProgramBuildInfo = give_log;
	log_text = ENTRY("hello") USED;
	log_size = strlen(log_text) + 1;
	assert_true(buildlog_registers(NULL, handle_of(&nvidia), "hello", &registers));
	assert_int_equal(registers, 31);
	assert_false(buildlog_registers(NULL, handle_of(&nvidia), "", &registers));
	assert_false(buildlog_registers(NULL, handle_of(&other), "hello", &registers));
	assert_false(buildlog_registers(NULL, NULL, "hello", &registers));
	/* Some drivers omit the final NUL, and some have no log. */
	log_size = strlen(ENTRY("hello")) + 24;
	assert_false(buildlog_registers(NULL, handle_of(&nvidia), "hello", &registers));
	log_size = 0;
	assert_false(buildlog_registers(NULL, handle_of(&nvidia), "hello", &registers));
	log_text = NULL;
	assert_false(buildlog_registers(NULL, handle_of(&nvidia), "hello", &registers));
}

static const char *built(struct opencl_device *device, const char *options)
{
	cl_device_id handle = handle_of(device);

	assert_int_equal(profiled_clBuildProgram(NULL, 1, &handle, options, NULL, NULL),
			 CL_SUCCESS);
	return built_with;
}

static void test_options(void **state)
{
	(void)state;
	next.clBuildProgram = build;
	assert_string_equal(built(&nvidia, "-w"), "-w");
	assert_string_equal(built(&nvidia, NULL), "NULL");
	settings.verbose_build = true;
	assert_string_equal(built(&nvidia, "-w"), "-w -cl-nv-verbose");
	assert_string_equal(built(&nvidia, NULL), " -cl-nv-verbose");
	assert_string_equal(built(&nvidia, "-cl-nv-verbose -w"), "-cl-nv-verbose -w");
	assert_string_equal(built(&other, "-w"), "-w");
	assert_string_equal(built(&other, NULL), "NULL");
}

/* Of the arguments of kernels. */
static void test_argument_information(void **state)
{
	struct opencl_device old = {.version = 110}, new = {.version = 120};

	(void)state;
	settings.verbose_build = false;
	settings.values = VALUES_OBJECTS;
	assert_string_equal(built(&new, "-w"), "-w");
	settings.values = VALUES_FLOW;
	assert_string_equal(built(&new, "-w"), "-w -cl-kernel-arg-info");
	assert_string_equal(built(&new, "-cl-kernel-arg-info"), "-cl-kernel-arg-info");
	assert_string_equal(built(&old, "-w"), "-w");
	refused = "-cl-kernel-arg-info";
	assert_string_equal(built(&new, "-w"), "-w");
	assert_string_equal(built(&new, NULL), "NULL");
	refused = NULL;
	settings.values = VALUES_NONE;
}

static cl_int compile(cl_program program, cl_uint count, const cl_device_id *devices,
		      const char *options, cl_uint header_count, const cl_program *headers,
		      const char **names, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	(void)headers;
	(void)names;
	assert_int_equal(header_count, 0);
	return build(program, count, devices, options, notify, data) == CL_SUCCESS
		       ? CL_SUCCESS
		       : CL_INVALID_COMPILER_OPTIONS;
}

static const char *compiled(struct opencl_device *device, const char *options)
{
	cl_device_id handle = handle_of(device);

	assert_int_equal(
		used_clCompileProgram(NULL, 1, &handle, options, 0, NULL, NULL, NULL, NULL),
		CL_SUCCESS);
	return built_with;
}

static void test_compile(void **state)
{
	struct opencl_device new = {.version = 300};

	(void)state;
	next.clCompileProgram = compile;
	settings.values = VALUES_OBJECTS;
	assert_string_equal(compiled(&new, "-w"), "-w");
	settings.values = VALUES_FLOW;
	assert_string_equal(compiled(&new, NULL), " -cl-kernel-arg-info");
	refused = "-cl-kernel-arg-info";
	assert_string_equal(compiled(&new, "-w"), "-w");
	refused = NULL;
	settings.values = VALUES_NONE;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_argument_information),
		cmocka_unit_test(test_compile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
