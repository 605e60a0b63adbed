/* SPDX-License-Identifier: MIT */
#include "output/tracereader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/frames.h"
#include "output/trace.h"

struct trace_reader {
	struct catalog catalog;
	struct counted_record counted;
	const char *bytes; /* the whole file, mapped */
	uint64_t size;
	uint64_t at;
	uint64_t lost;
	uint64_t cut_off;
};

static int map_file(struct trace_reader *reader, const char *path, struct strbuf *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status)) {
		strbuf_printf(error, "cannot open %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (!S_ISREG(status.st_mode) || status.st_size < (off_t)sizeof(struct trace_header)) {
		strbuf_printf(error, "%s is not a trace", path);
		close(fd);
		return -1;
	}
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED) {
		strbuf_printf(error, "cannot read %s: %s", path, strerror(errno));
		return -1;
	}
	reader->bytes = bytes;
	reader->size = (uint64_t)status.st_size;
	return 0;
}

static int check_header(struct trace_reader *reader, const char *path, struct strbuf *error)
{
	struct trace_header header;

	memcpy(&header, reader->bytes, sizeof(header));
	if (memcmp(header.magic, TRACE_MAGIC, sizeof(header.magic))) {
		strbuf_printf(error, "%s is not a trace", path);
		return -1;
	}
	if (header.byte_order != TRACE_BYTE_ORDER || header.version != TRACE_VERSION ||
	    header.frame_size != sizeof(struct frame) ||
	    header.record_size != sizeof(struct record)) {
		strbuf_printf(error, "%s is a trace of another version or machine (version %u)",
			      path, header.version);
		return -1;
	}
	reader->at = sizeof(header);
	return 0;
}

struct trace_reader *trace_open(const char *path, struct strbuf *error)
{
	struct trace_reader *reader = calloc(1, sizeof(*reader));

	if (!reader || catalog_init(&reader->catalog)) {
		strbuf_string(error, "no memory");
		free(reader);
		return NULL;
	}
	if (map_file(reader, path, error) || check_header(reader, path, error)) {
		trace_close(reader);
		return NULL;
	}
	return reader;
}

void trace_close(struct trace_reader *reader)
{
	if (!reader)
		return;
	if (reader->bytes)
		munmap((void *)(uintptr_t)reader->bytes, reader->size);
	catalog_free(&reader->catalog);
	free(reader);
}

static int damaged(const struct trace_reader *reader, struct strbuf *error)
{
	strbuf_printf(error, "the trace is damaged at byte %llu", (unsigned long long)reader->at);
	return -1;
}

/* Takes one whole frame; 1 for a record, 0 for anything else, -1 if it makes no sense. */
static int take(struct trace_reader *reader, const struct frame *frame)
{
	const void *at = frame;

	if (frames_is_record(frame)) {
		counted_record_copy(&reader->counted, at);
		reader->counted.record.handle = 0;
		return 1;
	}
	if (frame->kind == FRAME_LOST)
		reader->lost += ((const struct lost_frame *)at)->count;
	return frames_apply(&reader->catalog, frame);
}

int trace_next(struct trace_reader *reader, const struct record **record, struct strbuf *error)
{
	while (reader->at < reader->size) {
		uint64_t remaining = reader->size - reader->at;
		const struct frame *frame = (const void *)(reader->bytes + reader->at);
		int kind;

		if (remaining < sizeof(*frame) || frame->size > remaining) {
			/* Frames are written whole: a last one that is not was cut off. */
			if (remaining >= sizeof(*frame) && frame->size % 8)
				return damaged(reader, error);
			reader->cut_off = remaining;
			return 0;
		}
		if (!frames_valid(&reader->catalog, frame, remaining))
			return damaged(reader, error);
		kind = take(reader, frame);
		if (kind < 0)
			return damaged(reader, error);
		reader->at += frame->size;
		*record = &reader->counted.record;
		if (kind)
			return 1;
	}
	return 0;
}

const struct catalog *trace_catalog(const struct trace_reader *reader)
{
	return &reader->catalog;
}

uint64_t trace_cut_off(const struct trace_reader *reader)
{
	return reader->cut_off;
}

uint64_t trace_lost(const struct trace_reader *reader)
{
	return reader->lost;
}
