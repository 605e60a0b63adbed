/* SPDX-License-Identifier: MIT */
#include "view/stream.h"

#include <stdlib.h>

#include "view/streamops.h"

enum { PACE = 1 << 12 /* records between two calls of `heard` */ };

struct stream {
	const struct stream_ops *ops;
	void *reader;
	uint64_t records;
	void (*heard)(void *context, uint64_t records);
	void *context;
};

struct stream *stream_open(const char *path, struct strbuf *error)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream) {
		strbuf_string(error, "no memory");
		return NULL;
	}
	stream->ops = &stream_trace;
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

int stream_next(struct stream *stream, const struct record **record, struct strbuf *error)
{
	if (stream->heard && ++stream->records % PACE == 0)
		stream->heard(stream->context, stream->records);
	return stream->ops->next(stream->reader, record, error);
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
