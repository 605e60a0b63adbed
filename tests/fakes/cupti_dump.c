/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_fake.h"

/*
 * Buffers in a file, in the order in which they were handed over. All numbers are the machine's.
 *	buffer	8 bytes "CUPTIBUF", 64 bits how many bytes are valid, 64 bits how many records
 *	record	32 bits its size, 32 bits the length of its name with the 0 byte (0: it has none),
 *		the record, and the name
 * Names stand where a kernel's pointer to its name means nothing any more.
 */
static const char magic[8] = "CUPTIBUF";

struct buffer_header {
	char magic[8];
	uint64_t bytes;
	uint64_t records;
};

struct record_header {
	uint32_t size;
	uint32_t name;
};

static bool has_name(uint32_t kind)
{
	return kind == CUPTI_KIND_KERNEL || kind == CUPTI_KIND_CONCURRENT_KERNEL;
}

static void write_record(FILE *file, const struct cupti_record *record)
{
	const struct cupti_kernel *kernel = (const void *)record;
	struct record_header header = {.size = (uint32_t)record_size(record->kind)};

	if (has_name(record->kind) && kernel->name)
		header.name = (uint32_t)strlen(kernel->name) + 1;
	fwrite(&header, sizeof(header), 1, file);
	fwrite(record, header.size, 1, file);
	if (header.name)
		fwrite(kernel->name, header.name, 1, file);
}

void dump_buffer(const struct buffer *buffer)
{
	struct buffer_header header = {.bytes = buffer->used, .records = buffer->records};
	FILE *file = script.dump ? fopen(script.dump, "ae") : NULL;

	if (!file)
		return;
	memcpy(header.magic, magic, sizeof(magic));
	fwrite(&header, sizeof(header), 1, file);
	for (size_t at = 0; at < buffer->used;) {
		const struct cupti_record *record = (const void *)(buffer->bytes + at);

		write_record(file, record);
		at += record_size(record->kind);
	}
	fclose(file);
}

static void read_whole(FILE *file, void *to, size_t size)
{
	if (fread(to, size, 1, file) != 1)
		complain("%s ends in the middle of a buffer", script.replay);
}

/* A record from the file, at the end of the buffer. The names are never freed. */
static void read_record(FILE *file, struct buffer *buffer)
{
	struct record_header header;
	struct cupti_kernel *kernel = (void *)(buffer->bytes + buffer->used);
	char *name;

	read_whole(file, &header, sizeof(header));
	if (header.size < sizeof(struct cupti_record) || header.size % CUPTI_BUFFER_ALIGNMENT ||
	    header.size > RECORD_SIZE || header.size > buffer->size - buffer->used)
		complain("%s has a record of %u bytes", script.replay, header.size);
	read_whole(file, kernel, header.size);
	record_set_size(kernel->kind, header.size);
	buffer->used += header.size;
	buffer->records++;
	if (!header.name)
		return;
	name = malloc(header.name);
	if (!name)
		abort();
	read_whole(file, name, header.name);
	if (has_name(kernel->kind))
		kernel->name = name;
}

/* Once, whatever is recorded by then. */
void replay_file(void)
{
	static bool done;
	struct buffer_header header;
	FILE *file = done ? NULL : fopen(script.replay, "re");

	done = true;
	if (!file)
		return;
	while (fread(&header, sizeof(header), 1, file) == 1) {
		struct buffer *buffer = buffer_request();

		if (memcmp(header.magic, magic, sizeof(magic)) != 0)
			complain("%s has no buffer where one should be", script.replay);
		if (header.bytes > buffer->size)
			complain("the client's buffer is too small for a recorded one");
		for (uint64_t i = 0; i < header.records; i++)
			read_record(file, buffer);
		buffer_hand_over(buffer);
	}
	fclose(file);
}
