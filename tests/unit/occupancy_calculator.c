/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stddef.h>

#include "occupancy_points.h"

/* Calls the calculator of the CUDA toolkit that configure has found, if any. */

#ifdef HAVE_CUDA_OCCUPANCY_H
#include <cuda_occupancy.h>

enum { COMMON_SHARED = 48 * 1024 }; /* bytes of a block without opting in to more */

bool has_calculator(void)
{
	return true;
}

bool ask_calculator(struct occupancy_point *point)
{
	const struct occupancy_device *device = &point->device;
	bool opts_in = device->compute >= 70 && device->block_shared > COMMON_SHARED;
	struct cudaOccDeviceProp properties = {
		.computeMajor = (int)device->compute / 10,
		.computeMinor = (int)device->compute % 10,
		.maxThreadsPerBlock = 1024,
		.maxThreadsPerMultiprocessor = (int)device->threads,
		.regsPerBlock = (int)device->block_registers,
		.regsPerMultiprocessor = (int)device->registers,
		.warpSize = 32,
		.sharedMemPerBlock = opts_in ? COMMON_SHARED : device->block_shared,
		.sharedMemPerMultiprocessor = device->shared,
		.numSms = 1,
		.sharedMemPerBlockOptin = device->block_shared,
		.reservedSharedMemPerBlock = device->reserved_shared,
	};
	struct cudaOccFuncAttributes kernel = {
		.maxThreadsPerBlock = INT_MAX,
		.numRegs = (int)point->registers,
		.sharedSizeBytes = point->static_shared,
		.partitionedGCConfig = PARTITIONED_GC_OFF,
		.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
		.maxDynamicSharedSizeBytes = device->block_shared,
	};
	struct cudaOccDeviceState state = {
		.cacheConfig = (cudaOccCacheConfig)point->cache,
		.carveoutConfig = point->carveout,
	};
	struct cudaOccResult result = {0};
	size_t capacity = 0;

	if (cudaOccSMemPerMultiprocessor(&capacity, &properties, &state) ||
	    cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &kernel, &state,
						    (int)point->threads, point->dynamic_shared))
		return false;
	point->capacity = (uint32_t)capacity;
	point->blocks = (uint32_t)result.activeBlocksPerMultiprocessor;
	return true;
}

#else

bool has_calculator(void)
{
	return false;
}

bool ask_calculator(struct occupancy_point *point)
{
	(void)point;
	return false;
}

#endif
