/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/cupti_events.h"
#include "cuda_driver.h"

/* Memory. Device memory is host memory in a list; an address in no list is pageable. */

enum { ALIGNMENT = 256 };

static struct allocation {
	uint64_t address;
	size_t size;
	enum cupti_memory kind;
	struct context *context;
	uint64_t made;
	bool on_device; /* managed memory */
	struct allocation *older;
} * allocations;

static struct allocation **find(uint64_t address)
{
	struct allocation **at = &allocations;

	while (*at && (address < (*at)->address || address - (*at)->address >= (*at)->size))
		at = &(*at)->older;
	return at;
}

enum cupti_memory memory_kind(uint64_t address)
{
	struct allocation *found;
	LOCKED();

	found = *find(address);
	return found ? found->kind : CUPTI_MEMORY_PAGEABLE;
}

size_t memory_left(uint64_t address)
{
	struct allocation *found;
	LOCKED();

	found = *find(address);
	return found ? found->size - (size_t)(address - found->address) : 0;
}

bool memory_is(uint64_t address, size_t size)
{
	size_t left = memory_left(address);

	return left && size <= left;
}

uint64_t memory_make(enum cupti_memory kind, size_t size)
{
	struct allocation *allocation = calloc(1, sizeof(*allocation));
	void *memory;

	if (!allocation || posix_memalign(&memory, ALIGNMENT, size ? size : 1))
		abort();
	memset(memory, 0, size);
	*allocation = (struct allocation){(uint64_t)(uintptr_t)memory,
					  size,
					  kind,
					  context_current(),
					  clock_now(),
					  false,
					  allocations};
	allocations = allocation;
	return allocation->address;
}

/* Returns a managed allocation of this context, which is on the device from now on; its address is
 * 0 if there is none. */
static struct allocation take_from_host(const struct context *context)
{
	struct allocation *at;
	LOCKED();

	for (at = allocations; at; at = at->older)
		if (at->kind == CUPTI_MEMORY_MANAGED && at->context == context && !at->on_device)
			break;
	if (!at)
		return (struct allocation){0};
	at->on_device = true;
	return *at;
}

void memory_to_device(const struct context *context)
{
	enum { WRITE = 2, COHERENCE = 2 };
	struct allocation found;

	while ((found = take_from_host(context)).address) {
		tell_managed(CUPTI_MANAGED_DEVICE_FAULT, 1, found.address, WRITE);
		tell_managed(CUPTI_MANAGED_HOST_TO_DEVICE, found.size, found.address, COHERENCE);
	}
}

void memory_to_host(uint64_t address)
{
	enum { READ = 1, COHERENCE = 2, INSTRUCTION = 0x401000 };
	struct allocation *found, moved = {0};

	driver_lock();
	found = *find(address);
	if (found && found->on_device) {
		found->on_device = false;
		moved = *found;
	}
	driver_unlock(NULL);
	if (!moved.address)
		return;
	tell_managed(CUPTI_MANAGED_HOST_FAULT, INSTRUCTION, moved.address, READ);
	tell_managed(CUPTI_MANAGED_DEVICE_TO_HOST, moved.size, moved.address, COHERENCE);
}

static int allocate(enum cupti_memory kind, size_t size, uint64_t *address)
{
	if (!object_is(context_current(), KIND_CONTEXT))
		return CUDA_INVALID_CONTEXT;
	if (!size)
		return CUDA_INVALID_VALUE;
	if (size > 1 << 30)
		return CUDA_OUT_OF_MEMORY;
	driver_lock();
	*address = memory_make(kind, size);
	driver_unlock(NULL);
	tell_memory(*address, size, kind);
	return CUDA_DONE;
}

static int allocate_host(void **address, size_t size)
{
	uint64_t number = 0;
	int result = allocate(CUPTI_MEMORY_PINNED, size, &number);

	*address = (void *)(uintptr_t)number;
	return result;
}

static int release(uint64_t address)
{
	struct allocation **at, *found;

	if (!address)
		return CUDA_DONE;
	driver_lock();
	at = find(address);
	found = *at;
	if (found && found->address == address)
		*at = found->older;
	else
		found = NULL;
	driver_unlock(NULL);
	if (!found)
		return CUDA_INVALID_VALUE;
	tell_freed(address, found->size, found->kind, found->made);
	free((void *)(uintptr_t)address);
	free(found);
	return CUDA_DONE;
}

int fake_cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
	return allocate(CUPTI_MEMORY_DEVICE, bytes, address);
}

int fake_cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags)
{
	return allocate(CUPTI_MEMORY_MANAGED, bytes, address);
}

int fake_cuMemAllocHost_v2(void **address, size_t bytes)
{
	return allocate_host(address, bytes);
}

int fake_cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
	return allocate_host(address, bytes);
}

static int wait_and_release(uint64_t address)
{
	struct context *context = context_current();

	if (!object_is(context, KIND_CONTEXT))
		return CUDA_INVALID_CONTEXT;
	context_wait(context);
	return release(address);
}

int fake_cuMemFree_v2(uint64_t address)
{
	return wait_and_release(address);
}

int fake_cuMemFreeHost(void *address)
{
	return wait_and_release((uint64_t)(uintptr_t)address);
}

int fake_cuPointerGetAttribute(void *value, int attribute, uint64_t address)
{
	struct allocation *found;
	LOCKED();

	found = *find(address);
	if (!found)
		return CUDA_INVALID_VALUE;
	switch (attribute) {
	case 1:
		memcpy(value, &found->context, sizeof(found->context));
		return CUDA_DONE;
	case 2:
		*(unsigned *)value = found->kind == CUPTI_MEMORY_PINNED ? 1 : 2;
		return CUDA_DONE;
	case 3:
	case 4:
		memcpy(value, &address, sizeof(address));
		return CUDA_DONE;
	case 8:
		*(unsigned *)value = found->kind == CUPTI_MEMORY_MANAGED;
		return CUDA_DONE;
	case 9:
		*(int *)value = found->context->device;
		return CUDA_DONE;
	default:
		return CUDA_INVALID_VALUE;
	}
}
