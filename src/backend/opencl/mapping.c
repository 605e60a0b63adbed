/* SPDX-License-Identifier: MIT */
#include "backend/opencl/mapping.h"

#include <stdatomic.h>

#include "backend/opencl/address_range.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/image.h"
#include "backend/opencl/opencl.h"

/*
 * A lock-free hash table of fixed size. A mapping whose few places are all taken is not stored, and
 * its unmap then has no size.
 */
enum { PLACES = 1 << 14, TRIES = 16 };

struct place {
	atomic_uintptr_t key; /* 0: free */
	_Atomic uint64_t bytes;
	atomic_uint count; /* a region may be mapped several times */
};

static struct place places[PLACES];

static uintptr_t key_of(cl_mem mem, const void *address)
{
	uint64_t key = (uint64_t)(uintptr_t)mem * 0x9e3779b97f4a7c15u ^ (uintptr_t)address;

	return key ? (uintptr_t)key : 1;
}

static struct place *place_at(uintptr_t key, unsigned try)
{
	return &places[((key >> 6 ^ key >> 20) + try) % PLACES];
}

void mapping_add(cl_mem mem, const void *address, uint64_t bytes)
{
	uintptr_t key = key_of(mem, address);

	for (unsigned try = 0; try < TRIES; try++) {
		struct place *place = place_at(key, try);
		uintptr_t seen = 0;

		if (!atomic_compare_exchange_strong(&place->key, &seen, key) && seen != key)
			continue;
		place->bytes = bytes;
		atomic_fetch_add(&place->count, 1);
		return;
	}
}

uint64_t mapping_take(cl_mem mem, const void *address)
{
	uintptr_t key = key_of(mem, address);

	for (unsigned try = 0; try < TRIES; try++) {
		struct place *place = place_at(key, try);

		if (place->key == key) {
			uint64_t bytes = place->bytes;

			if (atomic_fetch_sub(&place->count, 1) == 1)
				place->key = 0;
			return bytes;
		}
	}
	return 0;
}

/* The host reads mapped memory unless the flags allow it to overwrite everything. */
struct copy mapping_copy(enum memory memory, cl_map_flags flags, uint64_t bytes)
{
	bool writes = flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);

	if (flags & CL_MAP_READ || !writes)
		return copy_between(memory, MEMORY_HOST, NULL, bytes);
	return copy_between(MEMORY_HOST, memory, NULL, bytes);
}

/* Returns true if the driver keeps this buffer in page-locked host memory. */
static bool is_page_locked(cl_mem mem)
{
	cl_mem_flags flags = 0;

	next.clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof(flags), &flags, NULL);
	return flags & CL_MEM_ALLOC_HOST_PTR;
}

static void end_map(struct command *command, cl_mem mem, void *address, bool page_locked,
		    struct copy *copy)
{
	if (address && page_locked)
		address_range_add(ADDRESS_RANGE_PAGE_LOCKED, address, copy->bytes);
	if (address)
		mapping_add(mem, address, copy->bytes);
	copy->host = address;
	command_end_copy(command, address ? CL_SUCCESS : CL_MAP_FAILURE, copy);
}

void *profiled_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				  cl_map_flags flags, size_t offset, size_t size,
				  cl_uint wait_count, const cl_event *wait, cl_event *event,
				  cl_int *error)
{
	struct copy copy = mapping_copy(MEMORY_DEVICE, flags, size);
	bool page_locked = is_page_locked(buffer);
	struct command command;
	void *address;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	address = next.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, wait_count,
					  wait, command.event, error);
	end_map(&command, buffer, address, page_locked, &copy);
	return address;
}

void *profiled_clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
				 cl_map_flags flags, const size_t *origin, const size_t *region,
				 size_t *row, size_t *slice, cl_uint wait_count,
				 const cl_event *wait, cl_event *event, cl_int *error)
{
	struct copy copy = mapping_copy(MEMORY_ARRAY, flags, image_bytes(image, region));
	bool page_locked = is_page_locked(image);
	struct command command;
	void *address;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	address = next.clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice,
					 wait_count, wait, command.event, error);
	end_map(&command, image, address, page_locked, &copy);
	return address;
}

static bool is_image(cl_mem mem)
{
	cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;

	if (!opencl_is_recording())
		return false;
	next.clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof(type), &type, NULL);
	return type != CL_MEM_OBJECT_BUFFER && type != CL_MEM_OBJECT_PIPE;
}

cl_int profiled_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *address,
					cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct copy copy = copy_between(MEMORY_HOST, is_image(mem) ? MEMORY_ARRAY : MEMORY_DEVICE,
					address, mapping_take(mem, address));
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueUnmapMemObject(queue, mem, address, wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	if (status == CL_SUCCESS)
		address_range_remove(ADDRESS_RANGE_PAGE_LOCKED, address);
	else
		mapping_add(mem, address, copy.bytes);
	return status;
}
