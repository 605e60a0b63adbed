/* SPDX-License-Identifier: MIT */
#include "backend/opencl/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "session/session.h"

/*
 * Reads the properties of devices at their first use. A device's number is its index among all
 * devices of all platforms, in the driver's order. Platforms after that of the device are not
 * queried, so they are not initialized.
 */
enum {
	MAX_PLATFORMS = 64,
	MAX_DEVICES = 256, /* per platform */
	/* Vendors' attributes by number, since not every header has them. */
	NVIDIA_COMPUTE_MAJOR = 0x4000,
	NVIDIA_COMPUTE_MINOR = 0x4001,
	NVIDIA_WARP_SIZE = 0x4003,
	AMD_BOARD_NAME = 0x4038,
};

static const struct opencl_device *_Atomic by_id[CATALOG_DEVICES];

/* Queries an attribute; returns false if that fails. */
static bool query_attribute(cl_device_id device, cl_device_info what, void *value, size_t size)
{
	return next.clGetDeviceInfo(device, what, size, value, NULL) == CL_SUCCESS;
}

const struct opencl_device *device_by_id(uint32_t id)
{
	return id < CATALOG_DEVICES ? by_id[id] : NULL;
}

/* Returns the text of an attribute; "" if there is none. The caller frees `to` with strbuf_free. */
static const char *ask_text(cl_device_id device, cl_device_info what, struct strbuf *to)
{
	size_t size = 0;
	char *room;

	if (next.clGetDeviceInfo(device, what, 0, NULL, &size) != CL_SUCCESS || !size)
		return "";
	room = strbuf_reserve(to, size + 1);
	if (!room || !query_attribute(device, what, room, size))
		return "";
	to->length = strnlen(room, size);
	return strbuf_text(to);
}

/* Returns the number of the platform's devices before `device`; *found is set if it is one of
 * them. */
static uint32_t count_before(cl_platform_id platform, cl_device_id device, bool *found)
{
	cl_device_id devices[MAX_DEVICES];
	cl_uint count = 0;

	if (next.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &count) !=
	    CL_SUCCESS)
		return 0;
	for (cl_uint i = 0; i < count && i < MAX_DEVICES; i++) {
		if (devices[i] != device)
			continue;
		*found = true;
		return i;
	}
	return count;
}

static uint32_t number_of(cl_device_id device)
{
	cl_platform_id platforms[MAX_PLATFORMS];
	cl_uint count = 0;
	uint32_t number = 0;
	bool found = false;

	if (next.clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS)
		return 0;
	for (cl_uint i = 0; i < count && i < MAX_PLATFORMS && !found; i++)
		number += count_before(platforms[i], device, &found);
	return number;
}

/* Returns the root device of a sub-device. */
static cl_device_id whole_of(cl_device_id device)
{
	cl_device_id parent = NULL;

	for (int depth = 0; depth < 16; depth++) {
		if (!query_attribute(device, CL_DEVICE_PARENT_DEVICE, &parent, sizeof(parent)) ||
		    !parent)
			break;
		device = parent;
	}
	return device;
}

static void ask_nvidia(struct opencl_device *device)
{
	cl_uint major = 0, minor = 0, warp = 0;

	if (!query_attribute(device->handle, NVIDIA_COMPUTE_MAJOR, &major, sizeof(major)) ||
	    !query_attribute(device->handle, NVIDIA_COMPUTE_MINOR, &minor, sizeof(minor)))
		return;
	device->compute = 10 * major + minor;
	if (query_attribute(device->handle, NVIDIA_WARP_SIZE, &warp, sizeof(warp)))
		device->warp = warp;
}

/* AMD reports names such as gfx90a; the board has the product name. */
static const char *name_of(const struct opencl_device *device, struct strbuf *to)
{
	const char *name = ask_text(device->handle, AMD_BOARD_NAME, to);

	if (!*name)
		name = ask_text(device->handle, CL_DEVICE_NAME, to);
	return *name ? name : "unknown device";
}

static uint32_t announce(const struct opencl_device *device)
{
	struct strbuf name = STRBUF_INIT;
	cl_uint units = 0;
	uint32_t id;

	query_attribute(device->handle, CL_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof(units));
	id = session_device(&(struct device){
		.api = API_OPENCL,
		.number = number_of(device->handle),
		.name = name_of(device, &name),
		.multiprocessors = units,
		.compute_major = device->compute / 10,
		.compute_minor = device->compute % 10,
	});
	strbuf_free(&name);
	return id;
}

/* Parses "OpenCL 1.2 ...". The version is needed since a loader also calls functions that an older
 * driver lacks, and crashes. */
static void ask_version(struct opencl_device *device)
{
	static const char before[] = "OpenCL ";
	struct strbuf text = STRBUF_INIT;
	const char *version = ask_text(device->handle, CL_DEVICE_VERSION, &text);
	const char *end;

	if (!strncmp(version, before, sizeof(before) - 1)) {
		device->version = 100 * (uint32_t)number_read(version + sizeof(before) - 1, &end);
		if (*end == '.')
			device->version += 10 * (uint32_t)number_read(end + 1, NULL);
	}
	strbuf_free(&text);
}

/* Returns true if a column, the trace, the event stream or the totals need the work-group size that
 * the driver chooses. Totals need it for the occupancy, which is known for NVIDIA's devices
 * only. */
static bool wants_sizes(const struct opencl_device *device)
{
	static const uint32_t sized =
		1u << COLUMN_ID_GRID | 1u << COLUMN_ID_GRID3D | 1u << COLUMN_ID_BLOCK;
	const struct settings *settings = opencl_settings();
	uint32_t occupancy = device->compute ? 1u << COLUMN_ID_OCCUPANCY : 0;

	return settings->trace || settings->events || (settings->totals && occupancy) ||
	       settings->layout.columns & (sized | occupancy);
}

static void ask_extensions(struct opencl_device *device)
{
	struct strbuf text = STRBUF_INIT;
	const char *all = ask_text(device->handle, CL_DEVICE_EXTENSIONS, &text);

	if (wants_sizes(device) && strstr(all, "cl_khr_suggested_local_work_size") &&
	    device->version >= 120 && next.clGetExtensionFunctionAddressForPlatform)
		device->suggest =
			(suggest_function)next.clGetExtensionFunctionAddressForPlatform(
				device->platform, "clGetKernelSuggestedLocalWorkSizeKHR");
	strbuf_free(&text);
}

static bool is_named(cl_platform_id platform, const char *wanted)
{
	char name[64] = "";

	return next.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL) ==
		       CL_SUCCESS &&
	       !strcmp(name, wanted);
}

static const struct opencl_device *see_device(cl_device_id handle);

/* Stores a sub-device, by whose id the root device is found. It is retired at once, since its
 * release is not seen: it can be found for a while. */
static void put_part(cl_device_id handle, uint32_t id)
{
	struct opencl_device part = {.handle = handle, .id = id};

	object_put(OBJECT_DEVICE, handle, &part, sizeof(part));
	object_retire(OBJECT_DEVICE, handle, NULL);
}

static atomic_bool works_here;

bool device_works_here(void)
{
	return atomic_load(&works_here);
}

/* PoCL compiles kernels of any device when they are launched. */
static void note_work(const struct opencl_device *device)
{
	cl_device_type type = 0;

	query_attribute(device->handle, CL_DEVICE_TYPE, &type, sizeof(type));
	if (device->is_pocl || (type & CL_DEVICE_TYPE_CPU))
		atomic_store(&works_here, true);
}

/* The caller holds the lock. */
static const struct opencl_device *find_out(cl_device_id handle)
{
	cl_device_id whole = whole_of(handle);
	const struct opencl_device *known = whole == handle ? NULL : see_device(whole);
	struct opencl_device device = {.handle = handle};

	if (known) {
		put_part(handle, known->id);
		return known;
	}
	query_attribute(handle, CL_DEVICE_PLATFORM, &device.platform, sizeof(device.platform));
	device.is_pocl = is_named(device.platform, "Portable Computing Language");
	device.always_times = is_named(device.platform, "Oclgrind");
	note_work(&device);
	ask_nvidia(&device);
	ask_version(&device);
	ask_extensions(&device);
	device.id = announce(&device);
	if (device.id >= CATALOG_DEVICES)
		return NULL;
	known = object_put(OBJECT_DEVICE, handle, &device, sizeof(device));
	if (known && whole == handle)
		by_id[device.id] = known;
	return known;
}

/* For a sub-device returns the root device, which has all its properties and stays valid. */
static const struct opencl_device *find_known(cl_device_id handle)
{
	const struct opencl_device *known = object_find(OBJECT_DEVICE, handle);
	const struct opencl_device *whole = known ? device_by_id(known->id) : NULL;

	return whole ? whole : known;
}

static const struct opencl_device *see_device(cl_device_id handle)
{
	const struct opencl_device *known = find_known(handle);

	return known || !handle ? known : find_out(handle);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const struct opencl_device *device_of(cl_device_id handle)
{
	const struct opencl_device *known = find_known(handle);
	uint64_t begun;

	if (known || !handle)
		return known;
	begun = session_overhead_begin();
	pthread_mutex_lock(&lock);
	known = see_device(handle);
	pthread_mutex_unlock(&lock);
	session_overhead(OVERHEAD_INSTRUMENTATION, begun, known ? 1 : 0);
	return known;
}

/* A sub-device may have the handle of a released one, with another parent. */
cl_int profiled_clCreateSubDevices(cl_device_id device,
				   const cl_device_partition_property *properties, cl_uint count,
				   cl_device_id *parts, cl_uint *count_ret)
{
	cl_uint made = 0;
	cl_int status = next.clCreateSubDevices(device, properties, count, parts, &made);

	if (count_ret && status == CL_SUCCESS)
		*count_ret = made;
	pthread_mutex_lock(&lock);
	for (cl_uint i = 0; status == CL_SUCCESS && parts && i < made && i < count; i++)
		if (object_find(OBJECT_DEVICE, parts[i]))
			find_out(parts[i]);
	pthread_mutex_unlock(&lock);
	return status;
}
