/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_DUMPFILE_H
#define TESTS_FAKES_DUMPFILE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "backend/cuda/cupti.h"

/*
 * CUPTI's buffers in a file, in the order in which they were handed over. All numbers are the
 * machine's.
 *	buffer	8 bytes "CUPTIBUF", 64 bits the number of valid bytes, 64 bits the number of records
 *	record	32 bits its size, 32 bits the length of its name with the 0 byte (0: it has none),
 *		the record, and the name
 * A name is stored with the record, since the kernel's pointer to it is not valid later.
 */
#define DUMPFILE_MAGIC "CUPTIBUF"

struct dumpfile_buffer {
	char magic[8];
	uint64_t bytes;
	uint64_t records;
};

struct dumpfile_record {
	uint32_t size;
	uint32_t name;
};

static inline int dumpfile_has_name(uint32_t kind)
{
	return kind == CUPTI_KIND_KERNEL || kind == CUPTI_KIND_CONCURRENT_KERNEL;
}

static inline void dumpfile_write_buffer(FILE *file, uint64_t bytes, uint64_t records)
{
	struct dumpfile_buffer header = {.bytes = bytes, .records = records};

	memcpy(header.magic, DUMPFILE_MAGIC, sizeof(header.magic));
	fwrite(&header, sizeof(header), 1, file);
}

static inline void dumpfile_write_record(FILE *file, const struct cupti_record *record, size_t size)
{
	const struct cupti_kernel *kernel = (const void *)record;
	struct dumpfile_record header = {.size = (uint32_t)size};

	if (dumpfile_has_name(record->kind) && kernel->name)
		header.name = (uint32_t)strlen(kernel->name) + 1;
	fwrite(&header, sizeof(header), 1, file);
	fwrite(record, size, 1, file);
	if (header.name)
		fwrite(kernel->name, header.name, 1, file);
}

#endif
