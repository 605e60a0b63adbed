/* SPDX-License-Identifier: MIT */
#ifndef GPU_DRIVER_H
#define GPU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The CUDA driver, opened by name at run time: building needs neither a toolkit nor a driver, and a
 * symbol that a driver lacks is a NULL pointer.
 */

struct cuda_module;
struct cuda_function;
struct cuda_event;
struct cuda_graph;
struct cuda_node;
struct cuda_executable;

struct cuda_kernel_node { /* CUDA_KERNEL_NODE_PARAMS_v1 */
	struct cuda_function *function;
	unsigned grid[3];
	unsigned block[3];
	unsigned shared;
	void **parameters;
	void **extra;
};

struct cuda_extended_launch { /* CUlaunchConfig */
	unsigned grid[3];
	unsigned block[3];
	unsigned shared;
	cuda_stream stream;
	void *attributes;
	unsigned count; /* of attributes */
};

enum cuda_memory_type { CUDA_MEMORY_HOST = 1, CUDA_MEMORY_DEVICE = 2 };

struct cuda_copy_end {
	size_t x;
	size_t y;
	size_t z;
	size_t level;
	int type; /* enum cuda_memory_type */
	const void *host;
	uint64_t device;
	void *array;
	void *reserved;
	size_t pitch;
	size_t height;
};

struct cuda_copy { /* CUDA_MEMCPY3D */
	struct cuda_copy_end source;
	struct cuda_copy_end target;
	size_t width; /* bytes */
	size_t height;
	size_t depth;
};

enum {

	CUDA_STREAM_NON_BLOCKING = 1,
	CUDA_MANAGED_GLOBAL = 1, /* flag of cuMemAllocManaged */

	/* of cuDeviceGetAttribute */
	CUDA_DEVICE_CLOCK_RATE = 13, /* kHz */
	CUDA_DEVICE_WARP_SIZE = 10,
	CUDA_DEVICE_MULTIPROCESSORS = 16,
	CUDA_DEVICE_THREADS_OF_MULTIPROCESSOR = 39,
	CUDA_DEVICE_MAJOR = 75,
	CUDA_DEVICE_MINOR = 76,
	CUDA_DEVICE_MANAGED_MEMORY = 83,
	CUDA_DEVICE_SHARED_OPTIN = 97,

	/* of cuFuncGetAttribute */
	CUDA_FUNCTION_SHARED = 1,
	CUDA_FUNCTION_REGISTERS = 4,
	CUDA_FUNCTION_DYNAMIC_SHARED = 8,
};

struct driver {
#define NEED(name, symbol, parameters) int(*name) parameters;
#define MAY(name, symbol, parameters)  int(*name) parameters;
#include "driver.def"
#undef NEED
#undef MAY
};

/* All NULL before driver_open. */
extern struct driver cu;

/* Opens libcuda.so.1. Returns NULL, or the missing part (constant, or valid until the next call of
 * dlerror). */
const char *driver_open(void);

#endif
