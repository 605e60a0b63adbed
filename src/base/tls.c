/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif

#include "base/tls.h"

#include <link.h>

static int add(struct dl_phdr_info *object, size_t size, void *argument)
{
	size_t *sum = argument;

	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_TLS)
			*sum += object->dlpi_phdr[i].p_memsz + object->dlpi_phdr[i].p_align;
	return 0;
}

size_t tls_size(void)
{
	size_t sum = 0;

	dl_iterate_phdr(add, &sum);
	return sum;
}
