/* SPDX-License-Identifier: MIT */
#include "backend/cuda/cupti_events.h"
#include "cupti_fake.h"

/* The length of records in this release. */

static size_t sizes[KINDS]; /* from a replay, if they differ */

void record_set_size(uint32_t kind, size_t size)
{
	if (kind < KINDS)
		__atomic_store_n(&sizes[kind], size, __ATOMIC_RELAXED);
}

size_t record_size(uint32_t kind)
{
	const struct release *this = release();

	if (kind < KINDS && __atomic_load_n(&sizes[kind], __ATOMIC_RELAXED))
		return __atomic_load_n(&sizes[kind], __ATOMIC_RELAXED);
	switch (kind) {
	case CUPTI_KIND_KERNEL:
	case CUPTI_KIND_CONCURRENT_KERNEL:
		return this->kernel;
	case CUPTI_KIND_MEMCPY:
		return this->memcpy;
	case CUPTI_KIND_MEMCPY_PEER:
		return this->peer;
	case CUPTI_KIND_MEMSET:
		return this->memset;
	case CUPTI_KIND_CONTEXT:
		return this->context;
	case CUPTI_KIND_DRIVER:
	case CUPTI_KIND_RUNTIME:
		return sizeof(struct cupti_api);
	case CUPTI_KIND_OVERHEAD:
		return this->overhead;
	case CUPTI_KIND_MANAGED: /* with the bits of all processors since CUDA 12.8 */
		return sizeof(struct cupti_managed) + (this->generation < 10 ? 0 : 40);
	case CUPTI_KIND_RECORDED:
		return this->recorded;
	case CUPTI_KIND_STREAM:
		return sizeof(struct cupti_stream);
	case CUPTI_KIND_SYNCHRONIZATION:
		return this->wait;
	case CUPTI_KIND_MEMORY:
		return sizeof(struct cupti_allocation);
	case CUPTI_KIND_MEMORY2:
		return this->memory2;
	default:
		return 0;
	}
}
