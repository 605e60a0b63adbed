/* SPDX-License-Identifier: MIT */
#include "view/stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view/streamops.h"

enum { PACE = 1 << 12 /* records between two calls of `heard` */ };

struct stream {
	const struct stream_ops *ops;
	void *reader;
	uint64_t records;
	void (*heard)(void *context, uint64_t records);
	void *context;
};

/* What cannot be read is a trace: its reader says why. */
static const struct stream_ops *kind_of(const char *path)
{
	static const char database[] = "SQLite format 3"; /* and its NUL */
	char start[sizeof(database)];
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t size;

	if (file < 0)
		return &stream_trace;
	size = pread(file, start, sizeof(start), 0);
	close(file);
	if (size == sizeof(start) && !memcmp(start, database, sizeof(start)))
		return &stream_database;
	return &stream_trace;
}

struct stream *stream_open(const char *path, struct strbuf *error)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream) {
		strbuf_string(error, "no memory");
		return NULL;
	}
	stream->ops = kind_of(path);
	stream->reader = stream->ops->open(path, error);
	if (stream->reader)
		return stream;
	free(stream);
	return NULL;
}

void stream_close(struct stream *stream)
{
	if (!stream)
		return;
	stream->ops->close(stream->reader);
	free(stream);
}

static void tell(struct stream *stream)
{
	if (stream->heard && ++stream->records % PACE == 0)
		stream->heard(stream->context, stream->records);
}

int stream_next(struct stream *stream, const struct record **record, struct strbuf *error)
{
	tell(stream);
	return stream->ops->next(stream->reader, record, error);
}

int stream_next_frame(struct stream *stream, const struct frame **frame, struct strbuf *error)
{
	const struct record *record;
	int result;

	tell(stream);
	if (stream->ops->next_frame)
		return stream->ops->next_frame(stream->reader, frame, error);
	result = stream->ops->next(stream->reader, &record, error);
	if (result > 0)
		*frame = &record->frame;
	return result;
}

const struct catalog *stream_catalog(const struct stream *stream)
{
	return stream->ops->catalog(stream->reader);
}

void stream_watch(struct stream *stream, void (*heard)(void *context, uint64_t records),
		  void *context)
{
	stream->heard = heard;
	stream->context = context;
}

uint64_t stream_lost(const struct stream *stream)
{
	return stream->ops->lost(stream->reader);
}

bool stream_is_cut_off(const struct stream *stream)
{
	return stream->ops->is_cut_off(stream->reader);
}

bool stream_is_numbered(const struct stream *stream)
{
	return stream->ops->numbered;
}

bool stream_numbers_calls(const struct stream *stream)
{
	return stream->ops->numbers_calls && stream->ops->numbers_calls(stream->reader);
}
