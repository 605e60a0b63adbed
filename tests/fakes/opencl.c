/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

/* The exported functions of the driver, its platforms and its functions. */

#define ENTRY_POINT __attribute__((visibility("default")))

enum { MAX_PLATFORMS = 4, MAX_DEVICES = 8 };

ENTRY_POINT __typeof__(clIcdGetPlatformIDsKHR) clIcdGetPlatformIDsKHR;

cl_icd_dispatch dispatch;
static struct _cl_platform_id *platforms[MAX_PLATFORMS];

/* An old driver's table ends early. */
static void cut(size_t offset)
{
	memset((char *)&dispatch + offset, 0, sizeof(dispatch) - offset);
}

void dispatch_fill(void)
{
#define FAKE(name) dispatch.name = fake_##name;
#include "opencl.def"
#undef FAKE
	if (script.version < 120)
		cut(offsetof(cl_icd_dispatch, clCreateSubDevices));
	else if (script.version < 200)
		cut(offsetof(cl_icd_dispatch, clCreateCommandQueueWithProperties));
	else if (script.version < 210)
		cut(offsetof(cl_icd_dispatch, clCloneKernel));
}

static void start(void)
{
	script_read();
	dispatch_fill();
	for (int i = 0; i < script.platforms && i < MAX_PLATFORMS; i++) {
		platforms[i] = object_make(KIND_PLATFORM, sizeof(*platforms[i]));
		platforms[i]->devices = calloc(MAX_DEVICES, sizeof(cl_device_id));
		if (!platforms[i]->devices)
			abort();
		for (unsigned j = 0; j < script.devices && j < MAX_DEVICES; j++) {
			cl_device_id device = object_make(KIND_DEVICE, sizeof(*device));

			device->platform = platforms[i];
			device->number = j;
			platforms[i]->devices[j] = device;
		}
	}
}

__attribute__((destructor)) static void end(void)
{
	event_print_stamp_count();
	object_check_end();
}

cl_int clIcdGetPlatformIDsKHR(cl_uint count, cl_platform_id *to, cl_uint *count_ret)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start);
	for (cl_uint i = 0; to && i < count && i < script.platforms; i++)
		to[i] = platforms[i];
	if (count_ret)
		*count_ret = (cl_uint)script.platforms;
	return CL_SUCCESS;
}

cl_int fake_clGetPlatformIDs(cl_uint count, cl_platform_id *to, cl_uint *count_ret)
{
	return clIcdGetPlatformIDsKHR(count, to, count_ret);
}

cl_int fake_clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size,
			      void *value, size_t *size_ret)
{
	char version[64];

	snprintf(version, sizeof(version), "OpenCL %d.%d fake", (int)script.version / 100,
		 (int)script.version / 10 % 10);
	switch (what) {
	case CL_PLATFORM_PROFILE:
		return answer_text("FULL_PROFILE", size, value, size_ret);
	case CL_PLATFORM_VERSION:
		return answer_text(version, size, value, size_ret);
	case CL_PLATFORM_NAME:
		return answer_text(script.oclgrind ? "Oclgrind" : "Fake", size, value, size_ret);
	case CL_PLATFORM_VENDOR:
		return answer_text(script.vendor, size, value, size_ret);
	case CL_PLATFORM_EXTENSIONS:
		return answer_text("cl_khr_icd", size, value, size_ret);
	case CL_PLATFORM_ICD_SUFFIX_KHR:
		return answer_text("FAKE", size, value, size_ret);
	default:
		return CL_INVALID_VALUE;
	}
}

/* The loader looks up some functions before it has an object with a table. */
ENTRY_POINT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size,
			      void *value, size_t *size_ret)
{
	return fake_clGetPlatformInfo(platform, what, size, value, size_ret);
}

ENTRY_POINT void *clGetExtensionFunctionAddress(const char *name)
{
	return fake_clGetExtensionFunctionAddress(name);
}

static cl_int suggest_size(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
			   const size_t *offset, const size_t *global, size_t *size)
{
	static const size_t sizes[3] = {16, 8, 1};

	if (script.suggest == 1)
		memcpy(size, sizes, dimensions * sizeof(*size));
	if (script.suggest == 2)
		memset(size, 0, dimensions * sizeof(*size));
	if (script.suggest == 5)
		complain("a work-group size was queried");
	return script.suggest == 4 ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

void *fake_clGetExtensionFunctionAddress(const char *name)
{
	if (!strcmp(name, "clIcdGetPlatformIDsKHR"))
		return (void *)clIcdGetPlatformIDsKHR;
	if (script.suggest && !strcmp(name, "clGetKernelSuggestedLocalWorkSizeKHR"))
		return (void *)suggest_size;
	return buffer_function(name);
}

void *fake_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
	return fake_clGetExtensionFunctionAddress(name);
}

cl_int fake_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count,
			   cl_device_id *to, cl_uint *count_ret)
{
	if (!object_is(platform, KIND_PLATFORM))
		return CL_INVALID_PLATFORM;
	for (cl_uint i = 0; to && i < count && i < script.devices; i++)
		to[i] = platform->devices[i];
	if (count_ret)
		*count_ret = (cl_uint)script.devices;
	return CL_SUCCESS;
}
