/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "opencl.h"

/* Devices and their properties. */

static bool is_vendor(const char *name)
{
	return !strcmp(script.vendor, name);
}

static cl_int number(cl_uint from, size_t size, void *value, size_t *size_ret)
{
	return answer(&from, sizeof(from), size, value, size_ret);
}

static cl_int large(cl_ulong from, size_t size, void *value, size_t *size_ret)
{
	return answer(&from, sizeof(from), size, value, size_ret);
}

/* The attributes of vendors, by their numbers. */
static cl_int vendor_info(cl_device_info what, size_t size, void *value, size_t *size_ret)
{
	if (is_vendor("nvidia") && what == 0x4000)
		return number((cl_uint)script.cc / 10, size, value, size_ret);
	if (is_vendor("nvidia") && what == 0x4001)
		return number((cl_uint)script.cc % 10, size, value, size_ret);
	if (is_vendor("nvidia") && what == 0x4003)
		return number((cl_uint)script.warp, size, value, size_ret);
	if (is_vendor("amd") && what == 0x4038)
		return answer_text(script.board, size, value, size_ret);
	if (is_vendor("amd") && what == 0x4043)
		return number((cl_uint)script.warp, size, value, size_ret);
	if (is_vendor("amd") && what == 0x4047)
		return number(65536, size, value, size_ret);
	return CL_INVALID_VALUE;
}

cl_int fake_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
			    size_t *size_ret)
{
	char text[64];

	if (!object_is(device, KIND_DEVICE))
		return CL_INVALID_DEVICE;
	switch (what) {
	case CL_DEVICE_TYPE:
		return large(CL_DEVICE_TYPE_GPU, size, value, size_ret);
	case CL_DEVICE_NAME:
		snprintf(text, sizeof(text), "Fake %u", device->number);
		return answer_text(text, size, value, size_ret);
	case CL_DEVICE_VENDOR:
		return answer_text(script.vendor, size, value, size_ret);
	case CL_DEVICE_VERSION:
		snprintf(text, sizeof(text), "OpenCL %d.%d fake", (int)script.version / 100,
			 (int)script.version / 10 % 10);
		return answer_text(text, size, value, size_ret);
	case CL_DEVICE_EXTENSIONS:
		return answer_text(script.suggest ? "cl_khr_suggested_local_work_size" : "", size,
				   value, size_ret);
	case CL_DEVICE_PLATFORM:
		return answer(&device->platform, sizeof(device->platform), size, value, size_ret);
	case CL_DEVICE_PARENT_DEVICE:
		if (script.version < 120)
			return CL_INVALID_VALUE;
		return answer(&device->parent, sizeof(device->parent), size, value, size_ret);
	case CL_DEVICE_MAX_COMPUTE_UNITS:
		return number(device->parent ? 2 : 4, size, value, size_ret);
	case CL_DEVICE_LOCAL_MEM_SIZE:
		return large(49152, size, value, size_ret);
	default:
		return vendor_info(what, size, value, size_ret);
	}
}

/* Two halves, regardless of the properties. */
cl_int fake_clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
			       cl_uint count, cl_device_id *to, cl_uint *count_ret)
{
	LOCKED();

	if (!object_is(device, KIND_DEVICE))
		return CL_INVALID_DEVICE;
	for (cl_uint i = 0; to && i < count && i < 2; i++) {
		cl_device_id part = object_make(KIND_DEVICE, sizeof(*part));

		part->platform = device->platform;
		part->parent = device;
		part->number = 100 * (device->number + 1) + i;
		to[i] = part;
	}
	if (count_ret)
		*count_ret = 2;
	return CL_SUCCESS;
}

cl_int fake_clRetainDevice(cl_device_id device)
{
	return object_is(device, KIND_DEVICE) && !device->parent
		       ? CL_SUCCESS
		       : object_count(device, KIND_DEVICE, 1, CL_INVALID_DEVICE);
}

cl_int fake_clReleaseDevice(cl_device_id device)
{
	return object_is(device, KIND_DEVICE) && !device->parent
		       ? CL_SUCCESS
		       : object_count(device, KIND_DEVICE, -1, CL_INVALID_DEVICE);
}

cl_int fake_clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_time,
				    cl_ulong *host_time)
{
	if (!object_is(device, KIND_DEVICE))
		return CL_INVALID_DEVICE;
	if (!script.timer)
		return CL_INVALID_OPERATION;
	*device_time = script.timer == 2 ? 12345 : device_clock();
	*host_time = host_clock();
	return CL_SUCCESS;
}
