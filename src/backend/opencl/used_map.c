/* SPDX-License-Identifier: MIT */
#include "backend/opencl/functions.h"
#include "backend/opencl/allocation.h"
#include "backend/opencl/object.h"
#include "backend/opencl/used.h"

/*
 * Uses by mappings. A map reads the memory, unless its flags let the program overwrite all of it.
 * The unmap writes what the program may have written.
 */
struct mapping {
	uint64_t address; /* of the allocation */
	struct used_part part;
	_Atomic uint64_t bytes; /* of the largest map that allows the program to write */
	_Atomic uint64_t overwritten; /* bytes of the largest that it overwrites */
	atomic_uint written; /* a map allows the program to write */
	atomic_uint count;   /* a region may be mapped several times */
};

/* The mapping's object (NULL for shared virtual memory) and address as one key. */
static const void *key_of(cl_mem mem, const void *address)
{
	uint64_t key = (uint64_t)(uintptr_t)mem * 0x9e3779b97f4a7c15u ^ (uintptr_t)address;

	return (const void *)(uintptr_t)(key ? key : 1);
}

static bool is_written(cl_map_flags flags)
{
	return flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
}

static bool is_overwritten(cl_map_flags flags)
{
	return flags & CL_MAP_WRITE_INVALIDATE_REGION && !(flags & (CL_MAP_READ | CL_MAP_WRITE));
}

static void raise_to(_Atomic uint64_t *most, uint64_t bytes)
{
	for (uint64_t seen = *most; seen < bytes;)
		if (atomic_compare_exchange_weak(most, &seen, bytes))
			return;
}

/* `part` is placed in the allocation. */
static void map(struct used *used, const void *key, cl_map_flags flags, uint64_t address,
		struct used_part part)
{
	struct mapping *known = object_find(OBJECT_MAPPING, key);
	struct mapping made = {.address = address,
			       .part = part,
			       .bytes = is_written(flags) ? part.bytes : 0,
			       .overwritten = is_overwritten(flags) ? part.bytes : 0,
			       .written = is_written(flags),
			       .count = 1};

	if (!is_overwritten(flags)) {
		part.access = USE_READ;
		used_allocation(used, address, &part);
	}
	made.part.access = USE_WRITE;
	if (!known || !known->count) {
		object_put(OBJECT_MAPPING, key, &made, sizeof(made));
		return;
	}
	atomic_fetch_add(&known->count, 1);
	atomic_fetch_or(&known->written, made.written);
	raise_to(&known->bytes, made.bytes);
	raise_to(&known->overwritten, made.overwritten);
}

static void map_object(struct used *used, cl_mem mem, const void *address, cl_map_flags flags,
		       struct used_part part)
{
	const struct opencl_memory *memory = object_find(OBJECT_MEMORY, mem);

	if (!memory) {
		used->is_unknown = true;
		return;
	}
	part.offset += memory->origin;
	map(used, key_of(mem, address), flags, (uintptr_t)(memory->root ? memory->root : mem),
	    part);
}

/* The last of a region's unmaps writes: the order in which its maps end is not known. It ends the
 * mapping also while nothing is recorded. */
static void unmap(struct used *used, cl_int status, const void *key)
{
	struct mapping *known = status == CL_SUCCESS ? object_find(OBJECT_MAPPING, key) : NULL;
	struct used_part part = {0};
	uint64_t address = 0;
	unsigned count = 0;
	bool writes = false;

	if (known) {
		address = known->address;
		part = known->part;
		part.bytes = known->bytes;
		if (!part.bytes || known->overwritten < part.bytes)
			part.flags |= USE_PARTIAL;
		writes = known->written;
		count = object_release(OBJECT_MAPPING, key, &known->count);
		writes = writes && count == 1;
	}
	if (!used_open(used, writes || (count && used->on)))
		return;
	if (writes)
		used_allocation(used, address, &part);
	used_close(used);
}

void *used_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
			      cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
			      const cl_event *wait, cl_event *event, cl_int *error)
{
	struct used_part part = {.offset = offset, .bytes = size, .argument = USE_NO_ARGUMENT};
	struct used used;
	void *address;

	used_begin(&used, queue);
	address = profiled_clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
					      wait_count, wait, event, error);
	if (!used_open(&used, address != NULL))
		return address;
	map_object(&used, buffer, address, flags, part);
	used_close(&used);
	return address;
}

void *used_clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
			     cl_map_flags flags, const size_t *origin, const size_t *region,
			     size_t *row, size_t *slice, cl_uint wait_count, const cl_event *wait,
			     cl_event *event, cl_int *error)
{
	struct used used;
	void *address;

	used_begin(&used, queue);
	address = profiled_clEnqueueMapImage(queue, image, blocking, flags, origin, region, row,
					     slice, wait_count, wait, event, error);
	if (!used_open(&used, address != NULL))
		return address;
	map_object(&used, image, address, flags, used_image_part(image, origin, region, USE_READ));
	used_close(&used);
	return address;
}

cl_int used_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *address,
				    cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueUnmapMemObject(queue, mem, address, wait_count, wait, event);
	unmap(&used, status, key_of(mem, address));
	return status;
}

cl_int used_clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
			    void *memory, size_t size, cl_uint wait_count, const cl_event *wait,
			    cl_event *event)
{
	struct used_part part = {.argument = USE_NO_ARGUMENT};
	uint64_t begin = used_shared(memory, &part);
	struct used used;
	cl_int status;

	part.bytes = size;
	used_begin(&used, queue);
	status = profiled_clEnqueueSVMMap(queue, blocking, flags, memory, size, wait_count, wait,
					  event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	if (begin)
		map(&used, key_of(NULL, memory), flags, begin, part);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueSVMUnmap(cl_command_queue queue, void *memory, cl_uint wait_count,
			      const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueSVMUnmap(queue, memory, wait_count, wait, event);
	unmap(&used, status, key_of(NULL, memory));
	return status;
}
