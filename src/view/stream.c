/* SPDX-License-Identifier: MIT */
#include "view/stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/trace.h"
#include "view/streamops.h"

enum { PACE = 1 << 12 /* records between two calls of `heard` */ };

struct stream {
	const struct stream_ops *ops;
	void *reader;
	char *path;
	uint64_t records;
	void (*heard)(void *context, uint64_t records);
	void *context;
	bool ends_at_damage;
	struct strbuf damage;
	struct strbuf left_out;
};

/* Of a regular file the first `size` bytes: how many there are; -1 if it cannot be read. */
static ssize_t read_start(const char *path, char *start, size_t size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	ssize_t got = -1;

	if (file < 0)
		return -1;
	if (!fstat(file, &status) && S_ISREG(status.st_mode))
		got = pread(file, start, size, 0);
	close(file);
	return got;
}

bool stream_is_database(const char *path)
{
	static const char database[] = "SQLite format 3"; /* and its NUL */
	char start[sizeof(database)];

	return read_start(path, start, sizeof(start)) == sizeof(start) &&
	       !memcmp(start, database, sizeof(start));
}

/* What cannot be read is one: its reader says why. */
static bool may_be_trace(const char *path)
{
	char start[sizeof(TRACE_MAGIC)] = "";

	return read_start(path, start, sizeof(start)) < 0 ||
	       !memcmp(start, TRACE_MAGIC, sizeof(start));
}

static const struct stream_ops *ops_of(const char *path)
{
	if (stream_is_database(path))
		return &stream_database;
	return may_be_trace(path) ? &stream_trace : &stream_log;
}

struct stream *stream_open(const char *path, struct strbuf *error)
{
	struct stream *stream = calloc(1, sizeof(*stream));
	char *kept = strdup(path);

	if (!stream || !kept) {
		strbuf_string(error, "no memory");
		free(stream);
		free(kept);
		return NULL;
	}
	stream->path = kept;
	stream->ops = ops_of(path);
	stream->reader = stream->ops->open(path, error);
	if (stream->reader)
		return stream;
	free(kept);
	free(stream);
	return NULL;
}

struct stream *stream_again(const struct stream *stream, struct strbuf *error)
{
	struct stream *again = stream_open(stream->path, error);

	if (again)
		again->ends_at_damage = stream->ends_at_damage;
	return again;
}

void stream_close(struct stream *stream)
{
	if (!stream)
		return;
	stream->ops->close(stream->reader);
	strbuf_free(&stream->damage);
	strbuf_free(&stream->left_out);
	free(stream->path);
	free(stream);
}

void stream_count_row(struct stream *stream)
{
	if (stream->heard && ++stream->records % PACE == 0)
		stream->heard(stream->context, stream->records);
}

/* What the reader says, or that this is the end. */
static int result_of(struct stream *stream, int result, struct strbuf *error)
{
	if (result >= 0 || !stream->ends_at_damage)
		return result;
	strbuf_append(&stream->damage, error->data, error->length);
	error->length = 0;
	return 0;
}

int stream_next(struct stream *stream, const struct record **record, struct strbuf *error)
{
	if (stream->damage.length)
		return 0;
	stream_count_row(stream);
	return result_of(stream, stream->ops->next(stream->reader, record, error), error);
}

int stream_next_frame(struct stream *stream, const struct frame **frame, struct strbuf *error)
{
	if (stream->damage.length)
		return 0;
	stream_count_row(stream);
	return result_of(stream, stream->ops->next_frame(stream->reader, frame, error), error);
}

void stream_end_at_damage(struct stream *stream)
{
	stream->ends_at_damage = true;
}

const char *stream_damage(struct stream *stream)
{
	return stream->damage.length ? strbuf_text(&stream->damage) : NULL;
}

const char *stream_database_path(const struct stream *stream)
{
	return stream->ops == &stream_database ? stream->path : NULL;
}

void stream_put_damage(struct stream *stream, const struct strbuf *sentence)
{
	if (!stream->damage.length)
		strbuf_append(&stream->damage, sentence->data, sentence->length);
}

void stream_leave_out(struct stream *stream, const char *words)
{
	strbuf_printf(&stream->left_out, "%s%s", stream->left_out.length ? ", " : "", words);
}

const char *stream_left_out(struct stream *stream)
{
	return stream->left_out.length ? strbuf_text(&stream->left_out) : NULL;
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

uint64_t stream_lost_events(const struct stream *stream)
{
	return stream->ops->lost_events ? stream->ops->lost_events(stream->reader) : 0;
}

bool stream_is_cut_off(const struct stream *stream)
{
	return stream->damage.length || stream->ops->is_cut_off(stream->reader);
}

bool stream_goes_on(const struct stream *stream)
{
	return stream->ops->goes_on;
}

const char *stream_no_starts(const struct stream *stream)
{
	return stream->ops->no_starts ? stream->ops->no_starts(stream->reader) : NULL;
}

void stream_remarks(const struct stream *stream, struct strbuf *to)
{
	if (stream->ops->remarks)
		stream->ops->remarks(stream->reader, to);
}

bool stream_is_numbered(const struct stream *stream)
{
	return stream->ops->numbered;
}

bool stream_numbers_calls(const struct stream *stream)
{
	return stream->ops->numbers_calls && stream->ops->numbers_calls(stream->reader);
}
