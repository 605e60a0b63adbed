/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <sys/mman.h>

void *memory_map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void memory_unmap(void *memory, size_t size)
{
	if (memory)
		munmap(memory, size);
}
