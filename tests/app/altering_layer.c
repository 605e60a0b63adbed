/* SPDX-License-Identifier: MIT */
/*
 * A loader layer between the profiler and the driver, which changes the driver's answers:
 *	ODD_NAME=TEXT	every kernel has this name
 *	ODD_LENGTH=N	every kernel's name has N letters
 *	ODD_STAMPS=HOW	time stamps of events: zero, untouched (success, but nothing written),
 *			backwards (each one before the one before it), refused
 *	ODD_COPIES=1	copies of kernels lack local arguments, and are not launched without them
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_POINT __attribute__((visibility("default")))

/* Not every cl_layer.h declares them. */
ENTRY_POINT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size,
							   void *value, size_t *size_ret);
ENTRY_POINT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count,
							const cl_icd_dispatch *target,
							cl_uint *count_ret,
							const cl_icd_dispatch **layer);

static cl_icd_dispatch next, own;
static const char *stamps, *name;
static size_t name_length;

/* The local arguments that were set, and those that copies lack. */
static struct local_argument {
	cl_kernel kernel;
	cl_uint index;
	cl_bool is_missing;
} locals[256];
static int local_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the locals */

static cl_int answer(const void *from, size_t need, size_t size, void *value, size_t *size_ret)
{
	if (value && size < need)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, from, need);
	if (size_ret)
		*size_ret = need;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL odd_kernel_info(cl_kernel kernel, cl_kernel_info what, size_t size,
					  void *value, size_t *size_ret)
{
	if (what != CL_KERNEL_FUNCTION_NAME || !name)
		return next.clGetKernelInfo(kernel, what, size, value, size_ret);
	return answer(name, name_length + 1, size, value, size_ret);
}

static cl_int CL_API_CALL odd_profiling_info(cl_event event, cl_profiling_info what, size_t size,
					     void *value, size_t *size_ret)
{
	cl_ulong stamp = 0;

	if (!stamps)
		return next.clGetEventProfilingInfo(event, what, size, value, size_ret);
	if (!strcmp(stamps, "untouched"))
		return CL_SUCCESS;
	if (!strcmp(stamps, "refused"))
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	if (!strcmp(stamps, "backwards"))
		stamp = 1000000000 - 1000 * (cl_ulong)(what - CL_PROFILING_COMMAND_QUEUED);
	return answer(&stamp, sizeof(stamp), size, value, size_ret);
}

static void add_local(cl_kernel kernel, cl_uint index, cl_bool is_missing)
{
	if (local_count == sizeof(locals) / sizeof(*locals))
		abort();
	locals[local_count++] = (struct local_argument){kernel, index, is_missing};
}

static void forget_locals(cl_kernel kernel, cl_uint index)
{
	for (int i = local_count; i-- > 0;)
		if (locals[i].kernel == kernel && locals[i].index == index)
			locals[i] = locals[--local_count];
}

static cl_int CL_API_CALL odd_set_argument(cl_kernel kernel, cl_uint index, size_t size,
					   const void *value)
{
	cl_int status = next.clSetKernelArg(kernel, index, size, value);

	pthread_mutex_lock(&lock);
	if (status == CL_SUCCESS) {
		forget_locals(kernel, index);
		if (!value)
			add_local(kernel, index, CL_FALSE);
	}
	pthread_mutex_unlock(&lock);
	return status;
}

static cl_kernel CL_API_CALL odd_copy(cl_kernel kernel, cl_int *status)
{
	cl_kernel copy = next.clCloneKernel(kernel, status);

	pthread_mutex_lock(&lock);
	for (int i = 0, count = local_count; copy && i < count; i++)
		if (locals[i].kernel == kernel)
			add_local(copy, locals[i].index, CL_TRUE);
	pthread_mutex_unlock(&lock);
	return copy;
}

static cl_bool is_complete(cl_kernel kernel)
{
	cl_bool is_missing = CL_FALSE;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < local_count; i++)
		is_missing |= locals[i].kernel == kernel && locals[i].is_missing;
	pthread_mutex_unlock(&lock);
	return !is_missing;
}

static cl_int CL_API_CALL odd_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				     const size_t *offset, const size_t *global,
				     const size_t *local, cl_uint count, const cl_event *waits,
				     cl_event *event)
{
	if (!is_complete(kernel))
		return CL_INVALID_KERNEL_ARGS;
	return next.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count,
					   waits, event);
}

static void lose_locals(void)
{
	own.clSetKernelArg = odd_set_argument;
	own.clCloneKernel = odd_copy;
	own.clEnqueueNDRangeKernel = odd_launch;
}

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *size_ret)
{
	cl_uint version = CL_LAYER_API_VERSION_100;

	if (what != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	return answer(&version, sizeof(version), size, value, size_ret);
}

static void read_settings(void)
{
	const char *length = getenv("ODD_LENGTH");
	char *made;

	stamps = getenv("ODD_STAMPS");
	name = getenv("ODD_NAME");
	name_length = name ? strlen(name) : 0;
	if (!length)
		return;
	name_length = strtoul(length, NULL, 10);
	made = malloc(name_length + 1);
	if (!made)
		return;
	memset(made, 'x', name_length);
	made[name_length] = '\0';
	name = made;
}

cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
			       const cl_icd_dispatch **layer)
{
	size_t size = count * sizeof(void *);

	read_settings();
	memcpy(&next, target, size < sizeof(next) ? size : sizeof(next));
	own = next;
	own.clGetKernelInfo = odd_kernel_info;
	own.clGetEventProfilingInfo = odd_profiling_info;
	if (getenv("ODD_COPIES"))
		lose_locals();
	*count_ret = (cl_uint)(sizeof(own) / sizeof(void *));
	*layer = &own;
	return CL_SUCCESS;
}
