/* SPDX-License-Identifier: MIT */
/* A program that is linked with the driver: one memset, which is one row. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "backend/cuda/cupti.h"

int cuInit(unsigned int flags);
int cuDeviceGet(cuda_device *device, int number);
int cuCtxCreate_v2(cuda_context *context, unsigned int flags, cuda_device device);
int cuMemAlloc_v2(uint64_t *memory, size_t size);
int cuMemsetD32_v2(uint64_t memory, unsigned int value, size_t count);

int main(void)
{
	cuda_context context;
	cuda_device device;
	uint64_t memory;
	int result = cuInit(0);

	if (result) {
		printf("cuInit: error %d\n", result);
		return 77;
	}
	return cuDeviceGet(&device, 0) || cuCtxCreate_v2(&context, 0, device) ||
	       cuMemAlloc_v2(&memory, 4096) || cuMemsetD32_v2(memory, 1, 1024);
}
