/* SPDX-License-Identifier: MIT */
#include "cli/devices.h"

#include <dlfcn.h>
#include <stdint.h>

#include "cli/table.h"

/* From the OpenCL 1.0 specification and the Khronos header cl.h; the tool needs only these. */
enum {
	SUCCESS = 0,
	PLATFORM_NAME = 0x0902,
	DEVICE_NAME = 0x102b,
	LIMIT = 256, /* the most platforms, and the most devices of each */
	TEXT = 1024,
};

#define DEVICE_TYPE_ALL UINT64_C(0xffffffff)

struct opencl {
	int32_t (*platforms)(uint32_t room, void **platforms, uint32_t *count);
	int32_t (*platform_info)(void *platform, uint32_t name, size_t size, void *value,
				 size_t *needed);
	int32_t (*devices)(void *platform, uint64_t type, uint32_t room, void **devices,
			   uint32_t *count);
	int32_t (*device_info)(void *device, uint32_t name, size_t size, void *value,
			       size_t *needed);
};

static int load(struct opencl *opencl, struct strbuf *out)
{
	void *handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		strbuf_string(out, dlerror());
		return -1;
	}
	*(void **)&opencl->platforms = dlsym(handle, "clGetPlatformIDs");
	*(void **)&opencl->platform_info = dlsym(handle, "clGetPlatformInfo");
	*(void **)&opencl->devices = dlsym(handle, "clGetDeviceIDs");
	*(void **)&opencl->device_info = dlsym(handle, "clGetDeviceInfo");
	if (opencl->platforms && opencl->platform_info && opencl->devices && opencl->device_info)
		return 0;
	strbuf_string(out, "libOpenCL.so.1 is not an OpenCL loader");
	return -1;
}

static uint32_t at_most(uint32_t count)
{
	return count < LIMIT ? count : LIMIT;
}

static void add_device(struct strbuf *out, const struct opencl *opencl, uint32_t number,
		       void *device, const char *platform)
{
	char name[TEXT] = "";

	opencl->device_info(device, DEVICE_NAME, TEXT - 1, name, NULL);
	strbuf_printf(out, "OpenCL\t%u\t", number);
	table_cell(out, name);
	strbuf_char(out, '\t');
	table_cell(out, platform);
	strbuf_char(out, '\n');
}

static uint32_t add_platform(struct strbuf *out, const struct opencl *opencl, uint32_t number,
			     void *platform)
{
	void *devices[LIMIT];
	char name[TEXT] = "";
	uint32_t count = 0;

	if (opencl->devices(platform, DEVICE_TYPE_ALL, LIMIT, devices, &count) != SUCCESS)
		return 0;
	opencl->platform_info(platform, PLATFORM_NAME, TEXT - 1, name, NULL);
	count = at_most(count);
	for (uint32_t i = 0; i < count; i++)
		add_device(out, opencl, number + i, devices[i], name);
	return count;
}

int devices_opencl(struct strbuf *out, const char *argument)
{
	struct opencl opencl;
	void *platforms[LIMIT];
	uint32_t count = 0, number = 0;

	(void)argument;
	if (load(&opencl, out))
		return 1;
	if (opencl.platforms(LIMIT, platforms, &count) != SUCCESS || !count) {
		strbuf_string(out, "the OpenCL loader found no platform");
		return 1;
	}
	count = at_most(count);
	for (uint32_t i = 0; i < count; i++)
		number += add_platform(out, &opencl, number, platforms[i]);
	return 0;
}
