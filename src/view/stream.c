/* SPDX-License-Identifier: MIT */
#include "view/stream.h"

#include <stdlib.h>

#include "output/tracereader.h"

struct stream {
	struct trace_reader *trace;
};

struct stream *stream_open(const char *path, struct strbuf *error)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream) {
		strbuf_string(error, "no memory");
		return NULL;
	}
	stream->trace = trace_open(path, error);
	if (stream->trace)
		return stream;
	stream_close(stream);
	return NULL;
}

void stream_close(struct stream *stream)
{
	if (!stream)
		return;
	trace_close(stream->trace);
	free(stream);
}

int stream_next(struct stream *stream, const struct record **record, struct strbuf *error)
{
	return trace_next(stream->trace, record, error);
}

const struct catalog *stream_catalog(const struct stream *stream)
{
	return trace_catalog(stream->trace);
}

uint64_t stream_lost(const struct stream *stream)
{
	return trace_lost(stream->trace);
}

bool stream_is_cut_off(const struct stream *stream)
{
	return trace_cut_off(stream->trace);
}
