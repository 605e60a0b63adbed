/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_fake.h"
#include "dumpfile.h"

void dump_buffer(const struct buffer *buffer)
{
	FILE *file = script.dump ? fopen(script.dump, "ae") : NULL;

	if (!file)
		return;
	dumpfile_write_buffer(file, buffer->used, buffer->records);
	for (size_t at = 0; at < buffer->used;) {
		const struct cupti_record *record = (const void *)(buffer->bytes + at);

		dumpfile_write_record(file, record, record_size(record->kind));
		at += record_size(record->kind);
	}
	fclose(file);
}

static void read_whole(FILE *file, void *to, size_t size)
{
	if (fread(to, size, 1, file) != 1)
		complain("%s ends in the middle of a buffer", script.replay);
}

/* Reads a record from the file to the end of the buffer. The names are never freed. */
static void read_record(FILE *file, struct buffer *buffer)
{
	struct dumpfile_record header;
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
	if (dumpfile_has_name(kernel->kind))
		kernel->name = name;
}

/* Once, whatever kinds are enabled. */
void replay_file(void)
{
	static bool done;
	struct dumpfile_buffer header;
	FILE *file = done ? NULL : fopen(script.replay, "re");

	done = true;
	if (!file)
		return;
	while (fread(&header, sizeof(header), 1, file) == 1) {
		struct buffer *buffer = buffer_request();

		if (memcmp(header.magic, DUMPFILE_MAGIC, sizeof(header.magic)) != 0)
			complain("%s has no buffer where one should be", script.replay);
		if (header.bytes > buffer->size)
			complain("the client's buffer is too small for a recorded one");
		for (uint64_t i = 0; i < header.records; i++)
			read_record(file, buffer);
		buffer_hand_over(buffer);
	}
	fclose(file);
}
