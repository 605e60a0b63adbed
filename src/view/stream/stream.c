/* SPDX-License-Identifier: MIT */
#include "view/stream/stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/trace.h"
#include "view/stream/streamops.h"

enum { PACE = 1 << 12 /* records between two calls of `heard` */ };

struct stream {
	const struct stream_ops *ops;
	void *reader;
	char *path;
	const char *const *paths; /* of the parts; NULL: only `path` */
	size_t parts, part;
	void (*ended)(const struct stream *stream, const char *path);
	uint64_t records;
	bool has_uses;
	void (*heard)(void *context, uint64_t records);
	void *context;
	const char *target;		 /* of stream_end_at_damage */
	const bool *incomplete;		 /* by part; NULL: none is */
	const struct stream_rank *ranks; /* by part; NULL: there are none */
	const char *const *ranges;	 /* by part; NULL: there are none */
	bool needs_starts;
	bool wants_totals;
	bool damaged;	      /* the present part */
	struct strbuf damage; /* one line per damaged part */
	struct strbuf left_out;
	struct strbuf messages;
};

/* Reads the first `size` bytes of a regular file. Returns their number; -1 if it cannot be read. */
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

/* An unreadable file counts as a trace: the trace reader reports the error. */
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

/* Returns -1 with one sentence if starts are needed and the part has none. */
static int check_starts(const struct stream *stream, struct strbuf *error)
{
	const char *no_starts = stream_no_starts(stream);

	if (!stream->needs_starts || !no_starts)
		return 0;
	if (stream->parts > 1)
		strbuf_printf(error, "%s: ", stream->path);
	strbuf_string(error, no_starts);
	return -1;
}

static int open_part(struct stream *stream, const char *path, struct strbuf *error)
{
	stream->path = strdup(path);
	if (!stream->path) {
		strbuf_string(error, "out of memory");
		return -1;
	}
	stream->damaged = false;
	stream->ops = ops_of(path);
	stream->reader = stream->ops->open(path, error);
	return stream->reader ? check_starts(stream, error) : -1;
}

static void close_part(struct stream *stream)
{
	if (stream->reader)
		stream->ops->close(stream->reader);
	stream->reader = NULL;
	free(stream->path);
	stream->path = NULL;
}

struct stream *stream_open(const char *path, struct strbuf *error)
{
	return stream_open_all(&path, 1, error);
}

struct stream *stream_open_all(const char *const *paths, size_t count, struct strbuf *error)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream) {
		strbuf_string(error, "out of memory");
		return NULL;
	}
	stream->parts = count;
	stream->paths = count > 1 ? paths : NULL;
	if (!open_part(stream, paths[0], error))
		return stream;
	stream_close(stream);
	return NULL;
}

size_t stream_parts(const struct stream *stream)
{
	return stream->parts;
}

int stream_advance(struct stream *stream, struct strbuf *error)
{
	if (stream->part == stream->parts)
		return 0;
	if (stream->ended)
		stream->ended(stream, stream->path);
	stream->part++;
	if (stream->part == stream->parts)
		return 0;
	close_part(stream);
	return open_part(stream, stream->paths[stream->part], error) ? -1 : 1;
}

void stream_on_part_end(struct stream *stream,
			void (*ended)(const struct stream *stream, const char *path))
{
	stream->ended = ended;
}

void stream_close(struct stream *stream)
{
	if (!stream)
		return;
	close_part(stream);
	strbuf_free(&stream->damage);
	strbuf_free(&stream->left_out);
	strbuf_free(&stream->messages);
	free(stream);
}

void stream_count_row(struct stream *stream)
{
	if (stream->heard && ++stream->records % PACE == 0)
		stream->heard(stream->context, stream->records);
}

static bool begins_with_path(const struct stream *stream, const char *sentence)
{
	size_t length = strlen(stream->path);

	return !strncmp(sentence, stream->path, length) && sentence[length] == ':';
}

static void add_damage(struct stream *stream, const char *sentence)
{
	if (stream->damaged)
		return;
	stream->damaged = true;
	strbuf_string(&stream->damage, stream->damage.length ? "\n" : "");
	if (stream->parts > 1 && !begins_with_path(stream, sentence))
		strbuf_printf(&stream->damage, "%s: ", stream->path);
	strbuf_string(&stream->damage, sentence);
	if (stream->target)
		strbuf_printf(&stream->damage, "; %s has %s", stream->target,
			      stream->ops->skips_damage ? "all other lines"
							: "everything before the "
							  "damage");
}

/* Returns the reader's result, or the end of the stream at damage. */
static int result_of(struct stream *stream, int result, struct strbuf *error)
{
	if (result >= 0)
		return result;
	if (!stream->target) {
		stream->damaged = true;
		return result;
	}
	add_damage(stream, strbuf_text(error));
	error->length = 0;
	return 0;
}

bool stream_lacks_records(const struct stream *stream)
{
	return !stream->wants_totals && stream->ops->has_totals &&
	       stream->ops->has_totals(stream->reader);
}

/* As result_of. Totals in place of records are an error that is no damage. */
static int checked(struct stream *stream, int result, struct strbuf *error)
{
	if (!stream_lacks_records(stream))
		return result_of(stream, result, error);
	error->length = 0;
	strbuf_printf(error, TRACE_OF_TOTALS, stream->path);
	return -1;
}

int stream_next(struct stream *stream, const struct record **record, struct strbuf *error)
{
	if (stream->damaged)
		return 0;
	stream_count_row(stream);
	return checked(stream, stream->ops->next(stream->reader, record, error), error);
}

int stream_next_frame(struct stream *stream, const struct frame **frame, struct strbuf *error)
{
	int result;

	if (stream->damaged)
		return 0;
	stream_count_row(stream);
	result = stream->ops->next_frame(stream->reader, frame, error);
	stream->has_uses |= result > 0 && (*frame)->kind == FRAME_USE;
	return checked(stream, result, error);
}

bool stream_has_uses(const struct stream *stream)
{
	return stream->has_uses;
}

void stream_want_totals(struct stream *stream)
{
	stream->wants_totals = true;
}

void stream_end_at_damage(struct stream *stream, const char *target)
{
	stream->target = target;
}

const char *stream_damage(struct stream *stream)
{
	return stream->damage.length ? strbuf_text(&stream->damage) : NULL;
}

bool stream_is_damaged(const struct stream *stream)
{
	return stream->damaged;
}

const char *stream_database_path(const struct stream *stream)
{
	return stream->ops == &stream_database ? stream->path : NULL;
}

void stream_put_damage(struct stream *stream, struct strbuf *sentence)
{
	add_damage(stream, strbuf_text(sentence));
}

void stream_leave_out(struct stream *stream, const char *words)
{
	strbuf_printf(&stream->left_out, "%s%s", stream->left_out.length ? ", " : "", words);
}

const char *stream_left_out(struct stream *stream)
{
	return stream->left_out.length ? strbuf_text(&stream->left_out) : NULL;
}

void stream_put_message(struct stream *stream, const char *text)
{
	strbuf_printf(&stream->messages, "%s\n", text);
}

const char *stream_messages(struct stream *stream)
{
	return stream->messages.length ? strbuf_text(&stream->messages) : NULL;
}

const struct catalog *stream_catalog(const struct stream *stream)
{
	return stream->ops->catalog(stream->reader);
}

void stream_on_progress(struct stream *stream, void (*heard)(void *context, uint64_t records),
			void *context)
{
	stream->heard = heard;
	stream->context = context;
}

uint64_t stream_lost(const struct stream *stream)
{
	return stream->ops->lost(stream->reader) + stream_remarked_lost(stream);
}

uint64_t stream_remarked_lost(const struct stream *stream)
{
	return stream->ops->remarked_lost ? stream->ops->remarked_lost(stream->reader) : 0;
}

uint64_t stream_lost_events(const struct stream *stream)
{
	return stream->ops->lost_events ? stream->ops->lost_events(stream->reader) : 0;
}

bool stream_has_gaps(const struct stream *stream)
{
	return stream->ops->has_gaps && stream->ops->has_gaps(stream->reader);
}

bool stream_tells_gaps(const struct stream *stream)
{
	return stream->ops->tells_gaps;
}

bool stream_lacks_events(const struct stream *stream)
{
	return stream->ops->lacks_events && stream->ops->lacks_events(stream->reader);
}

bool stream_lacks_counters(const struct stream *stream)
{
	return stream->ops->lacks_counters && stream->ops->lacks_counters(stream->reader);
}

bool stream_caller(const struct stream *stream, struct log_text *caller)
{
	if (!stream->ops->caller)
		return false;
	stream->ops->caller(stream->reader, caller);
	return true;
}

bool stream_is_cut_off(const struct stream *stream)
{
	return (stream->damaged && !stream->ops->skips_damage) || stream_is_incomplete(stream) ||
	       stream_cut(stream) != TRACE_WHOLE;
}

enum trace_cut stream_cut(const struct stream *stream)
{
	return stream->ops->cut(stream->reader);
}

void stream_set_incomplete(struct stream *stream, const bool *incomplete)
{
	stream->incomplete = incomplete;
}

/* After the last part, that part is used. */
static size_t present(const struct stream *stream)
{
	return stream->part < stream->parts ? stream->part : stream->parts - 1;
}

bool stream_is_incomplete(const struct stream *stream)
{
	return stream->incomplete && stream->incomplete[present(stream)];
}

void stream_set_ranks(struct stream *stream, const struct stream_rank *ranks)
{
	stream->ranks = ranks;
}

const struct stream_rank *stream_rank(const struct stream *stream)
{
	return stream->ranks ? &stream->ranks[present(stream)] : NULL;
}

void stream_set_ranges(struct stream *stream, const char *const *ranges)
{
	stream->ranges = ranges;
}

const char *stream_ranges(const struct stream *stream)
{
	return stream->ranges ? stream->ranges[present(stream)] : NULL;
}

bool stream_is_growing(const struct stream *stream)
{
	return stream->ops->is_growing && stream->ops->is_growing(stream->reader);
}

int stream_error(const struct stream *stream)
{
	return stream->ops->error ? stream->ops->error(stream->reader) : 0;
}

bool stream_skips_damage(const struct stream *stream)
{
	return stream->ops->skips_damage;
}

bool stream_has_uncounted_losses(const struct stream *stream)
{
	return stream->ops->has_uncounted_losses &&
	       stream->ops->has_uncounted_losses(stream->reader);
}

int stream_need_starts(struct stream *stream, struct strbuf *error)
{
	stream->needs_starts = true;
	return check_starts(stream, error);
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
