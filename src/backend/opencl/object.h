/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_OBJECT_H
#define BACKEND_OPENCL_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/cl.h"

/*
 * The back end's data about the program's OpenCL objects, found by handle. It has all live objects
 * and the last OBJECT_RETIRED released ones of each kind, since events may refer to these
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
	uint32_t warp;	  /* NVIDIA: work-items that run in lockstep, else 0 */
	uint32_t version; /* of OpenCL: 100 * major + 10 * minor, 0 if unknown */
	bool is_pocl;
	bool always_times; /* also for queues without profiling */
	suggest_function suggest; /* the work-group size that it would choose; NULL: unavailable or
				   * not needed */
};

struct opencl_context {
	uint32_t id; /* in the session's catalog */
	uint32_t only_device; /* id, UINT32_MAX if there are several */
};

/* A buffer, an image, a pipe, or shared virtual memory by its address. Known only if calls are
 * recorded. */
struct opencl_memory {
	cl_mem parent; /* the object that it is a part or a view of, or NULL */
	const void *root; /* handle or address of the allocation that it is a part of; NULL: it is
			   * one itself */
	uint64_t origin; /* in `root`, in bytes */
	uint64_t extent; /* bytes from there on; 0: not known */
	cl_mem_flags flags;
	uint64_t bytes;
	uint64_t serial; /* increases with each new object */
	uint32_t device; /* ids in the session's catalog, UINT32_MAX for none */
	uint32_t context;
	uint16_t kind; /* enum memory_kind; MEMORY_KIND_UNKNOWN: no memory of its own */
	bool is_traced; /* its start is in the trace */
	bool is_opaque; /* an image, or memory that other APIs may write */
	atomic_uint references; /* held by the program, and by each part and view; 0: ended. The
				 * last member: copies are without it */
};

enum { QUEUE_PROPERTIES = 32 };

struct opencl_queue {
	cl_command_queue handle;
	const struct opencl_device *device;
	const struct opencl_context *context;
	uint32_t stream;      /* number, from 1 */
	atomic_bool profiled; /* the program requested profiling */
	atomic_uint references; /* held by the program */
	_Atomic(cl_command_queue) reader; /* flow.c: a queue of the profiler, of the same context
					   * and device; or NULL */
	uint32_t property_count; /* of `properties`, 0 if the program gave none */
	cl_queue_properties properties[QUEUE_PROPERTIES]; /* as passed by the program */
};

enum { KERNEL_ARGUMENTS = 64 };

struct opencl_kernel {
	atomic_uint references; /* held by the program */
	uint32_t name; /* in the session's catalog */
	bool wanted;   /* matches the user's filter */
	bool has_registers;
	bool has_static_local;	 /* the driver provided it */
	bool lacks_dynamic_local; /* not all arguments were seen */
	uint32_t registers; /* per work-item */
	uint32_t static_local; /* bytes per work-group */
	uint32_t dynamic_local;
	atomic_uint values; /* number of its arguments in OBJECT_ARGUMENTS; 0: it has none there */
	atomic_uint value_count;   /* arguments that may be there */
	atomic_bool lacks_values;  /* some that may be memory are not there */
	atomic_uint pointer_count; /* other pointers that it uses (clSetKernelExecInfo) */
	uint32_t arguments[KERNEL_ARGUMENTS]; /* local memory size of each argument in bytes */
};

enum object_kind {
	OBJECT_DEVICE,
	OBJECT_CONTEXT,
	OBJECT_QUEUE,
	OBJECT_KERNEL,
	OBJECT_COMMAND_BUFFER,
	OBJECT_MEMORY,
	OBJECT_ARGUMENTS, /* arguments.c; the next one: used_map.c */
	OBJECT_MAPPING,
	OBJECT_KINDS
};

/* Call once, before all other functions here. */
void object_prepare(void);

/* Returns the object for the handle, or NULL. */
void *object_find(enum object_kind kind, const void *handle);

/* Stores a copy of `object` (`size` bytes, constant per kind) for the handle and returns it; NULL
 * without memory. */
void *object_put(enum object_kind kind, const void *handle, const void *object, size_t size);

/* Retires the object if `references` is 0, unless a new object has taken its place. */
void object_retire(enum object_kind kind, const void *handle, const atomic_uint *references);

/* Removes one of the program's references; with the last one the object retires. Call before the
 * driver's release: right after that the handle may be reused. Returns the number before, 0 if it
 * was retired already. */
unsigned object_release(enum object_kind kind, const void *handle, atomic_uint *references);
/* Reverts object_release after the driver has refused it. `count` is the number before it. */
void object_undo_release(enum object_kind kind, const void *handle, atomic_uint *references,
			 unsigned count);

/* Calls `visit` for each object that is not retired. No lock is held; objects may retire
 * meanwhile. */
void object_each(enum object_kind kind, void (*visit)(void *object));

/* device.c, context.c, queue.c, kernel.c: return the object. If its creation was not seen, it is
 * queried and added. NULL for an invalid handle, or without memory. */
/* For a sub-device returns the root device. */
const struct opencl_device *device_of(cl_device_id handle);
const struct opencl_context *context_of(cl_context handle);
struct opencl_queue *queue_of(cl_command_queue handle);
struct opencl_kernel *kernel_of(cl_kernel handle);

/* Returns the first device of the kernel's program, or NULL. */
const struct opencl_device *kernel_device(cl_kernel handle);

/* As clReleaseKernel; sets `count` to the number of the program's references before, 0 if the
 * kernel is unknown or the call has failed. */
cl_int kernel_release(cl_kernel handle, unsigned *count);

/* Returns the device with this id in the catalog, for queries of the device itself; or NULL. */
const struct opencl_device *device_by_id(uint32_t id);

/* clCreateCommandQueueWithProperties or one of its synonyms. */
typedef cl_command_queue (*queue_maker)(cl_context context, cl_device_id device,
					const cl_queue_properties *properties, cl_int *error);
cl_command_queue queue_make(queue_maker make, cl_context context, cl_device_id device,
			    const cl_queue_properties *properties, cl_int *error);

/* Flushes all queues of the program. */
void queue_flush_all(void);

#endif
