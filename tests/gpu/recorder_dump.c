/* SPDX-License-Identifier: MIT */
/* Completed buffers in a file, as tests/fakes/cupti_dump.c describes it and plays it back. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

struct buffer_header {
	char magic[8];
	uint64_t bytes;
	uint64_t records;
};

struct record_header {
	uint32_t size;
	uint32_t name; /* length with the 0 byte, or 0 */
};

static const char *name_of(const struct cupti_record *record)
{
	if (record->kind != CUPTI_KIND_KERNEL && record->kind != CUPTI_KIND_CONCURRENT_KERNEL)
		return NULL;
	return ((const struct cupti_kernel *)record)->name;
}

static void write_record(FILE *file, const struct cupti_record *record, size_t size)
{
	const char *name = name_of(record);
	struct record_header header = {.size = (uint32_t)size};

	if (name)
		header.name = (uint32_t)strlen(name) + 1;
	fwrite(&header, sizeof(header), 1, file);
	fwrite(record, size, 1, file);
	if (name)
		fwrite(name, header.name, 1, file);
}

/* Calls write_record for each if there is a file; how many records there are. A record reaches up
 * to the next one. */
static uint64_t walk(uint8_t *buffer, size_t valid, record_next *next, FILE *file)
{
	struct cupti_record *record = NULL, *before = NULL;
	uint64_t count = 0;

	for (; next(buffer, valid, &record) == CUPTI_DONE; before = record, count++) {
		if (before && file)
			write_record(file, before, (size_t)((char *)record - (char *)before));
	}
	if (before && file)
		write_record(file, before, (size_t)((char *)buffer + valid - (char *)before));
	return count;
}

void dump_buffer(uint8_t *buffer, size_t valid, record_next *next)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct buffer_header header = {.bytes = valid};
	char *path = note_path("RECORDER_DUMP", NULL);
	FILE *file;

	if (!path)
		return;
	memcpy(header.magic, "CUPTIBUF", sizeof(header.magic));
	header.records = walk(buffer, valid, next, NULL);
	pthread_mutex_lock(&lock);
	file = fopen(path, "ae");
	if (file) {
		fwrite(&header, sizeof(header), 1, file);
		walk(buffer, valid, next, file);
		fclose(file);
	}
	pthread_mutex_unlock(&lock);
	free(path);
}
