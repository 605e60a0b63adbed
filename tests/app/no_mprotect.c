/* SPDX-License-Identifier: MIT */
/* A preloaded library that simulates a system on which mapped memory cannot be made writable. */
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) int mprotect(void *address, size_t size, int protection);

int mprotect(void *address, size_t size, int protection)
{
	if (protection & PROT_WRITE) {
		errno = EACCES;
		return -1;
	}
	return (int)syscall(SYS_mprotect, address, size, protection);
}
