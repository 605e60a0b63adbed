/* SPDX-License-Identifier: MIT */
#include "backend/opencl/address_range.h"
#include "backend/opencl/allocation.h"
#include "backend/opencl/flow.h"
#include "backend/opencl/next.h"
#include "backend/opencl/traced.h"
#include "base/clock.h"
#include "model/event.h"

/* Wrappers of calls that make memory objects, used when calls are recorded. */

/* `kind` is that of memory made by the driver. A buffer over shared virtual memory allocates
 * nothing. */
static enum memory_kind kind_of(enum memory_kind kind, cl_mem_flags flags, const void *host)
{
	if (flags & CL_MEM_USE_HOST_PTR)
		return address_range_has(ADDRESS_RANGE_SHARED, host) ? MEMORY_KIND_UNKNOWN
								     : MEMORY_KIND_PAGEABLE;
	return flags & CL_MEM_ALLOC_HOST_PTR ? MEMORY_KIND_PINNED : kind;
}

static uint64_t size_of(cl_mem handle)
{
	size_t size = 0;

	if (handle)
		next.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof(size), &size, NULL);
	return size;
}

/* Sets the place of memory in shared virtual memory, which has allocated it. */
static void set_root(struct opencl_memory *memory, const void *host)
{
	size_t size;

	memory->root = address_range_find(ADDRESS_RANGE_SHARED, host, &size);
	if (memory->root)
		memory->origin = (uintptr_t)host - (uintptr_t)memory->root;
	memory->extent = memory->bytes;
}

#define HAS_CONTENTS (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)

static void memory_made(cl_mem handle, struct opencl_memory memory, cl_mem_flags flags,
			const void *host, uint64_t enter)
{
	memory.flags = flags;
	if (memory.kind == MEMORY_KIND_UNKNOWN)
		set_root(&memory, host);
	allocation_made(handle, memory, enter);
	if (flow_is_on())
		flow_made(handle, flags & HAS_CONTENTS ? host : NULL);
}

/* `memory` is without its flags. */
static void buffer_made(cl_mem buffer, struct opencl_memory memory, cl_mem_flags flags,
			const void *host, uint64_t enter)
{
	memory.kind = (uint16_t)kind_of(MEMORY_KIND_DEVICE, flags, host);
	if (buffer)
		memory_made(buffer, memory, flags, host, enter);
}

cl_mem traced_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
			     cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_mem buffer = next.clCreateBuffer(context, flags, size, host, error);

	buffer_made(buffer, allocation_in(context, MEMORY_KIND_DEVICE, size), flags, host, enter);
	return buffer;
}

cl_mem traced_clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
					   cl_mem_flags flags, size_t size, void *host,
					   cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_mem buffer =
		next.clCreateBufferWithProperties(context, properties, flags, size, host, error);
	struct opencl_memory memory = allocation_in(context, MEMORY_KIND_DEVICE, size);

	memory.is_opaque = properties && *properties; /* such as external memory */
	buffer_made(buffer, memory, flags, host, enter);
	return buffer;
}

cl_mem traced_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
				const void *region, cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_mem part = next.clCreateSubBuffer(buffer, flags, type, region, error);
	const cl_buffer_region *place = region;
	struct opencl_memory memory = {.flags = flags};

	if (part && type == CL_BUFFER_CREATE_TYPE_REGION) {
		memory.origin = place->origin;
		memory.extent = place->size;
	}
	allocation_part(part, buffer, memory, enter);
	return part;
}

static void image_made(cl_mem image, cl_context context, cl_mem_flags flags, const void *host,
		       uint64_t enter)
{
	struct opencl_memory memory;

	if (!image)
		return;
	memory = allocation_in(context, kind_of(MEMORY_KIND_ARRAY, flags, host), size_of(image));
	memory.is_opaque = true;
	memory_made(image, memory, flags, host, enter);
}

static void described_made(cl_mem image, cl_context context, cl_mem_flags flags,
			   const cl_image_desc *description, const void *host, uint64_t enter)
{
	if (image && description->mem_object)
		allocation_part(image, description->mem_object,
				(struct opencl_memory){.flags = flags, .extent = size_of(image)},
				enter);
	else
		image_made(image, context, flags, host, enter);
}

cl_mem traced_clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
			    const cl_image_desc *description, void *host, cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_mem image = next.clCreateImage(context, flags, format, description, host, error);

	described_made(image, context, flags, description, host, enter);
	return image;
}

cl_mem traced_clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
					  cl_mem_flags flags, const cl_image_format *format,
					  const cl_image_desc *description, void *host,
					  cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_mem image = next.clCreateImageWithProperties(context, properties, flags, format,
							description, host, error);

	described_made(image, context, flags, description, host, enter);
	return image;
}

cl_mem traced_clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
			      size_t width, size_t height, size_t row, void *host, cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_mem image =
		next.clCreateImage2D(context, flags, format, width, height, row, host, error);

	image_made(image, context, flags, host, enter);
	return image;
}

cl_mem traced_clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
			      size_t width, size_t height, size_t depth, size_t row, size_t slice,
			      void *host, cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_mem image = next.clCreateImage3D(context, flags, format, width, height, depth, row,
					    slice, host, error);

	image_made(image, context, flags, host, enter);
	return image;
}

cl_mem traced_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet, cl_uint count,
			   const cl_pipe_properties *properties, cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_mem pipe = next.clCreatePipe(context, flags, packet, count, properties, error);

	if (pipe)
		allocation_made(pipe, allocation_in(context, MEMORY_KIND_PIPE, size_of(pipe)),
				enter);
	return pipe;
}
