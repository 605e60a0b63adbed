/* SPDX-License-Identifier: MIT */
#include "cli/devices.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#include "cli/table.h"

enum { NAME = 256, MAJOR = 75, MINOR = 76 /* of CUdevice_attribute */ };

/* From the reference of the CUDA driver API; CUresult is an enum whose 0 is success. */
struct cuda {
	int (*init)(unsigned flags);
	int (*count)(int *count);
	int (*get)(int *device, int ordinal);
	int (*name)(char *name, int size, int device);
	int (*attribute)(int *value, int attribute, int device);
};

static int load(struct cuda *cuda, struct strbuf *out)
{
	void *handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		strbuf_string(out, dlerror());
		return -1;
	}
	*(void **)&cuda->init = dlsym(handle, "cuInit");
	*(void **)&cuda->count = dlsym(handle, "cuDeviceGetCount");
	*(void **)&cuda->get = dlsym(handle, "cuDeviceGet");
	*(void **)&cuda->name = dlsym(handle, "cuDeviceGetName");
	*(void **)&cuda->attribute = dlsym(handle, "cuDeviceGetAttribute");
	if (cuda->init && cuda->count && cuda->get && cuda->name)
		return 0;
	strbuf_string(out, "libcuda.so.1 is not a CUDA driver");
	return -1;
}

static void add_device(struct strbuf *out, const struct cuda *cuda, int ordinal)
{
	char name[NAME] = "";
	int device;

	if (cuda->get(&device, ordinal) || cuda->name(name, NAME - 1, device))
		return;
	strbuf_printf(out, "CUDA\t%d\t", ordinal);
	table_cell(out, name);
	strbuf_string(out, "\tCUDA\n");
}

int devices_cuda(struct strbuf *out, const char *argument)
{
	struct cuda cuda;
	int count = 0, error;

	(void)argument;
	if (load(&cuda, out))
		return 1;
	error = cuda.init(0);
	if (!error)
		error = cuda.count(&count);
	if (error) {
		strbuf_printf(out, "the CUDA driver reports error %d", error);
		return 1;
	}
	for (int i = 0; i < count; i++)
		add_device(out, &cuda, i);
	return 0;
}

/* Returns 0 or the driver's error. */
static int ask_capability(const struct cuda *cuda, int ordinal, int *capability)
{
	int device, major = 0, minor = 0;
	int error = cuda->get(&device, ordinal);

	error = error ? error : cuda->attribute(&major, MAJOR, device);
	error = error ? error : cuda->attribute(&minor, MINOR, device);
	*capability = 10 * major + minor;
	return error;
}

int devices_capability(struct strbuf *out, const char *argument)
{
	struct cuda cuda;
	int capability = 0, error;
	char *end;
	long number = strtol(argument, &end, 10);

	if (end == argument || *end || number < 0 || number > INT_MAX) {
		strbuf_printf(out, "'%.100s' is not a number", argument);
		return 1;
	}
	if (load(&cuda, out))
		return 1;
	error = cuda.attribute ? cuda.init(0) : 1;
	error = error ? error : ask_capability(&cuda, (int)number, &capability);
	if (error) {
		strbuf_printf(out, "the CUDA driver reports error %d", error);
		return 1;
	}
	strbuf_printf(out, "%d", capability);
	return 0;
}

static void add_capability(struct strbuf *out, const struct cuda *cuda, int ordinal)
{
	char name[NAME] = "";
	int device, capability;

	if (ask_capability(cuda, ordinal, &capability) || cuda->get(&device, ordinal) ||
	    cuda->name(name, NAME - 1, device))
		return;
	strbuf_printf(out, "%d\t%d\t", ordinal, capability);
	table_cell(out, name);
	strbuf_char(out, '\n');
}

int devices_capabilities(struct strbuf *out, const char *argument)
{
	struct cuda cuda;
	int count = 0, error;

	(void)argument;
	if (load(&cuda, out))
		return 1;
	error = cuda.attribute ? cuda.init(0) : 1;
	error = error ? error : cuda.count(&count);
	if (error) {
		strbuf_printf(out, "the CUDA driver reports error %d", error);
		return 1;
	}
	for (int i = 0; i < count; i++)
		add_capability(out, &cuda, i);
	return 0;
}
