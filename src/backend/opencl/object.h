/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_OBJECT_H
#define BACKEND_OPENCL_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/cl.h"

/*
 * What this back end knows of the program's OpenCL objects, found by their handles: of those that
 * it has, and of so many of each kind that it has released last, since events may name these
 * (base/handles.h).
 */
enum { OBJECT_RETIRED = 1024 };

/* clGetKernelSuggestedLocalWorkSizeKHR */
typedef cl_int (*suggest_function)(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				   const size_t *offset, const size_t *global, size_t *local);

struct opencl_device {
	cl_device_id handle;
	cl_platform_id platform;
	uint32_t id; /* in the session's catalog; a sub-device has its parent's */
	uint32_t compute; /* NVIDIA: 10 * major + minor, else 0 */
	uint32_t warp;	  /* NVIDIA: work-items that run in step, else 0 */
	uint32_t version; /* of OpenCL: 100 * major + 10 * minor, 0 if it does not say */
	bool is_pocl;
	bool always_times; /* also commands of queues that were made without profiling */
	suggest_function suggest; /* which work-group size it would choose; NULL: cannot be, or
				     need not be asked */
};

struct opencl_context {
	uint32_t id; /* in the session's catalog */
	uint32_t only_device; /* id, UINT32_MAX if it has several */
};

/* A buffer, an image, a pipe, or shared virtual memory by its address. Known only where calls are
 * recorded. */
struct opencl_memory {
	cl_mem parent; /* that it is a part or a view of, or NULL */
	uint64_t bytes;
	uint64_t serial; /* the older, the less */
	uint32_t device; /* ids in the session's catalog, UINT32_MAX for none */
	uint32_t context;
	uint16_t kind; /* enum memory_kind; MEMORY_KIND_UNKNOWN: it has none of its own */
	bool told;     /* its beginning is in the trace */
	atomic_uint references; /* the program's, and one for each part and view; 0: gone */
};

enum { QUEUE_PROPERTIES = 32 };

struct opencl_queue {
	cl_command_queue handle;
	const struct opencl_device *device;
	const struct opencl_context *context;
	uint32_t stream;      /* ordinal, from 1 */
	atomic_bool profiled; /* the program itself asked for profiling */
	atomic_uint references; /* the program's */
	uint32_t property_count; /* of `properties`, 0 if the program gave none */
	cl_queue_properties properties[QUEUE_PROPERTIES]; /* as the program gave them */
};

enum { KERNEL_ARGUMENTS = 64 };

struct opencl_kernel {
	atomic_uint references; /* the program's */
	uint32_t name; /* in the session's catalog */
	bool wanted;   /* passes the user's filter */
	bool has_registers;
	uint32_t registers; /* per work-item */
	uint32_t static_local; /* bytes per work-group */
	uint32_t dynamic_local;
	uint32_t arguments[KERNEL_ARGUMENTS]; /* bytes of local memory that each stands for */
};

enum object_kind {
	OBJECT_DEVICE,
	OBJECT_CONTEXT,
	OBJECT_QUEUE,
	OBJECT_KERNEL,
	OBJECT_COMMAND_BUFFER,
	OBJECT_MEMORY,
	OBJECT_KINDS
};

/* Once, before anything else here. */
void object_prepare(void);

/* What was put under the handle, or NULL. */
void *object_find(enum object_kind kind, const void *handle);

/* Puts a copy of `object` (`size` bytes, always the same for a kind) under the handle and returns
 * it; NULL without memory. */
void *object_put(enum object_kind kind, const void *handle, const void *object, size_t size);

/* It is gone: it has no `references`, unless a new object has its place already. */
void object_retire(enum object_kind kind, const void *handle, const atomic_uint *references);

/* One of the program's references less; with the last one the object retires. Called before the
 * driver's release: right after that the handle may be another object's. Returns how many there
 * were, 0 if it is gone already. */
unsigned object_release(enum object_kind kind, const void *handle, atomic_uint *references);
/* The driver has refused the release before which there were `count` references. */
void object_undo_release(enum object_kind kind, const void *handle, atomic_uint *references,
			 unsigned count);

/* Calls `visit` for each object that is not retired, without a lock: some may retire meanwhile. */
void object_each(enum object_kind kind, void (*visit)(void *object));

/* device.c, context.c, queue.c, kernel.c: look up, and find out about objects that were made
 * behind our back. NULL for what is none, or without memory. */
/* Of a part of a device: the whole device. */
const struct opencl_device *device_of(cl_device_id handle);
const struct opencl_context *context_of(cl_context handle);
struct opencl_queue *queue_of(cl_command_queue handle);
struct opencl_kernel *kernel_of(cl_kernel handle);

/* What the driver's question functions give for `what`; false if it does not answer. */
bool device_ask(cl_device_id device, cl_device_info what, void *value, size_t size);

/* The device with this id in the catalog, for what is asked of the device itself; or NULL. */
const struct opencl_device *device_by_id(uint32_t id);

/* clCreateCommandQueueWithProperties, under any name. */
typedef cl_command_queue (*queue_maker)(cl_context context, cl_device_id device,
					const cl_queue_properties *properties, cl_int *error);
cl_command_queue queue_make(queue_maker make, cl_context context, cl_device_id device,
			    const cl_queue_properties *properties, cl_int *error);

/* Starts what waits in the queues that the program still has. */
void queue_flush_all(void);

#endif
