/* SPDX-License-Identifier: MIT */
#include "output/tracereader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/frames.h"
#include "model/totals.h"
#include "output/trace.h"
#include "output/tracelayout.h"

enum {
	CHUNK = 1 << 20,       /* bytes read at once */
	FRAME_LIMIT = 1 << 24, /* maximum bytes of a frame; larger ones are not written */
};

/* The file is read, not mapped, since its owner may truncate it at any moment. */
struct trace_reader {
	struct catalog catalog;
	struct counted_record counted;
	union event event;
	struct totals_buckets_row totals;
	struct trace_layout layout;
	struct strbuf converted; /* a converted frame of another layout */
	uint64_t unknown; /* frames of kinds that this version does not know */
	int fd;
	uint64_t size; /* of the file when it was opened */
	uint64_t at;
	uint64_t lost;
	uint64_t dropped;
	uint64_t lost_events;
	uint64_t gaps;
	uint64_t lost_at; /* offset of the last LOST frame */
	uint64_t lost_frames;
	uint64_t cut_off;
	uint64_t frames; /* whole frames before `at` */
	uint64_t end_frames; /* the number in the last END frame */
	uint64_t end_at; /* offset of the END frame if it is the last one before `at`, else 0 */
	bool has_totals; /* a row of totals was read */
	bool miscounted; /* an END frame has another number than there are frames before it */
	bool over;	 /* read to its end */
	bool growing;	 /* its process still writes it */
	int error; /* errno of a read error, otherwise 0 */
	char *buffer; /* the file's bytes from `begin` on, a multiple of 8 */
	uint64_t begin;
	size_t have, room;
};

static int open_file(struct trace_reader *reader, const char *path, struct strbuf *error)
{
	struct stat status;

	reader->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (reader->fd < 0 || fstat(reader->fd, &status)) {
		strbuf_printf(error, "cannot open %s: %s", path, strerror(errno));
		return -1;
	}
	if (!S_ISREG(status.st_mode)) {
		strbuf_printf(error, "%s is %s", path,
			      S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
		return -1;
	}
	if (status.st_size < (off_t)sizeof(struct trace_header)) {
		strbuf_printf(error, "%s is not a trace", path);
		return -1;
	}
	reader->size = (uint64_t)status.st_size;
	return 0;
}

/* Makes room for `size` bytes from `at` on; the bytes already read are kept. */
static int make_room(struct trace_reader *reader, size_t size)
{
	uint64_t left = reader->size - reader->at;
	size_t room = left < CHUNK ? left : CHUNK;
	char *buffer = reader->buffer;

	reader->have -= (size_t)(reader->at - reader->begin);
	if (reader->have)
		memmove(buffer, buffer + (reader->at - reader->begin), reader->have);
	reader->begin = reader->at;
	room = size > room ? size : room;
	if (room <= reader->room)
		return 0;
	buffer = realloc(buffer, room);
	if (!buffer)
		return -1;
	reader->buffer = buffer;
	reader->room = room;
	return 0;
}

/* Returns the `size` bytes from `at` on, or NULL. */
static void *read_bytes(struct trace_reader *reader, size_t size)
{
	if (reader->at + size <= reader->begin + reader->have)
		return reader->buffer + (reader->at - reader->begin);
	if (make_room(reader, size)) {
		reader->error = ENOMEM;
		return NULL;
	}
	while (reader->have < size) {
		ssize_t got = pread(reader->fd, reader->buffer + reader->have,
				    reader->room - reader->have,
				    (off_t)(reader->begin + reader->have));

		if (got < 0)
			reader->error = errno;
		if (got <= 0)
			return NULL;
		reader->have += (size_t)got;
	}
	return reader->buffer;
}

static int check_header(struct trace_reader *reader, const char *path, struct strbuf *error)
{
	uint64_t left = reader->size < TRACE_HEADER_LIMIT ? reader->size : TRACE_HEADER_LIMIT;
	const void *bytes = read_bytes(reader, left);
	struct trace_layout *layout = &reader->layout;

	if (!bytes) {
		if (reader->error)
			strbuf_printf(error, "cannot read %s: %s", path, strerror(reader->error));
		else /* it was truncated meanwhile */
			strbuf_printf(error, "%s ends in its header", path);
		return -1;
	}
	if (memcmp(bytes, TRACE_MAGIC, sizeof(TRACE_MAGIC))) {
		strbuf_printf(error, "%s is not a trace", path);
		return -1;
	}
	if (trace_layout_read(layout, bytes, left)) {
		strbuf_printf(error, layout->version && layout->version <= TRACE_VERSION
					     ? "%s has a damaged header (version %u)"
					     : "%s is a trace of another version or machine "
					       "(version %u)",
			      path, layout->version);
		return -1;
	}
	if (layout->header_size > left) {
		strbuf_printf(error, "%s ends in its header", path);
		return -1;
	}
	reader->at = layout->header_size;
	return 0;
}

struct trace_reader *trace_open(const char *path, struct strbuf *error)
{
	struct trace_reader *reader = calloc(1, sizeof(*reader));

	if (!reader || catalog_init(&reader->catalog)) {
		strbuf_string(error, "out of memory");
		free(reader);
		return NULL;
	}
	reader->fd = -1;
	if (open_file(reader, path, error) || check_header(reader, path, error)) {
		trace_close(reader);
		return NULL;
	}
	return reader;
}

void trace_close(struct trace_reader *reader)
{
	if (!reader)
		return;
	if (reader->fd >= 0)
		close(reader->fd);
	free(reader->buffer);
	strbuf_free(&reader->converted);
	catalog_free(&reader->catalog);
	free(reader);
}

static int damaged(const struct trace_reader *reader, struct strbuf *error)
{
	if (reader->error)
		strbuf_printf(error, "the trace cannot be read at byte %llu: %s",
			      (unsigned long long)reader->at, strerror(reader->error));
	else
		strbuf_printf(error, "the trace is damaged at byte %llu",
			      (unsigned long long)reader->at);
	return -1;
}

/* Saturates, since the numbers in a file may be arbitrary. */
static void add(uint64_t *sum, uint64_t count)
{
	if (__builtin_add_overflow(*sum, count, sum))
		*sum = UINT64_MAX;
}

static void take_lost(struct trace_reader *reader, const struct lost_frame *frame)
{
	reader->lost_at = reader->at;
	reader->lost_frames++;
	add(&reader->lost, frame->count);
	add(&reader->dropped, frame->count);
	add(&reader->lost, frame->missing);
	add(&reader->lost_events,
	    frame->events < frame->missing ? frame->events : frame->missing);
	add(&reader->gaps, frame->gaps);
}

/* The buckets, if any, are read as a whole. */
static const struct frame *take_totals(struct trace_reader *reader, const struct totals_row *row)
{
	uint32_t size = totals_has_buckets(row) ? sizeof(reader->totals) : sizeof(*row);

	memcpy(&reader->totals, row, size);
	reader->totals.row.frame.size = size;
	return &reader->totals.row.frame;
}

/* Handles one whole frame. Returns 1 with the frame if it is a record, an event or totals, 0 for
 * others, -1 if it is invalid. */
static int take(struct trace_reader *reader, const struct frame *frame, const struct frame **taken)
{
	const void *at = frame;

	if (frames_is_record(frame)) {
		counted_record_copy(&reader->counted, at);
		reader->counted.record.handle = 0;
		reader->counted.record.known &= ~(uint32_t)KNOWN_GRID_ALONE; /* in no trace */
		*taken = &reader->counted.record.frame;
		return 1;
	}
	if (frames_is_event(frame)) {
		memcpy(&reader->event, at, frames_fixed_size(frame->kind));
		*taken = &reader->event.frame;
		return reader->event.call.api < API_COUNT ? 1 : -1;
	}
	if (frame->kind == FRAME_TOTALS) {
		reader->has_totals = true;
		*taken = take_totals(reader, at);
		return 1;
	}
	if (frame->kind == FRAME_LOST)
		take_lost(reader, at);
	if (frame->kind == FRAME_END)
		reader->end_frames = ((const struct end_frame *)at)->frames;
	return frames_apply(&reader->catalog, frame);
}

/* Returns true if the last bytes of the file are an END frame: then its process has ended, and no
 * frame is cut off. */
static bool ends_with_end(const struct trace_reader *reader)
{
	uint32_t size = reader->layout.sizes[FRAME_END];
	struct frame last;

	return size && reader->size - reader->at > size &&
	       pread(reader->fd, &last, sizeof(last), (off_t)(reader->size - size)) ==
		       sizeof(last) &&
	       last.kind == FRAME_END && last.size == size;
}

/* Returns 1 and the next whole frame, 0 if the file ends before the frame does, -1 if it is invalid
 * or cannot be read. */
static int read_frame(struct trace_reader *reader, struct frame **frame)
{
	uint64_t remaining = reader->size - reader->at;
	uint32_t size;

	if (remaining < sizeof(**frame))
		return 0;
	*frame = read_bytes(reader, sizeof(**frame));
	if (!*frame)
		return -1;
	size = (*frame)->size;
	if (size < sizeof(**frame) || size % 8)
		return -1;
	/* Frames are written whole, so an incomplete last frame was cut off. */
	if (size > remaining)
		return ends_with_end(reader) ? -1 : 0;
	*frame = size <= FRAME_LIMIT ? read_bytes(reader, size) : NULL;
	return *frame ? 1 : -1;
}

/* As take, for a frame in the layout of the file. */
static int take_any(struct trace_reader *reader, struct frame *frame, const struct frame **taken)
{
	switch (trace_layout_convert(&reader->layout, &frame, &reader->converted)) {
	case TRACE_FRAME_KNOWN:
		return frames_valid(&reader->catalog, frame, frame->size)
			       ? take(reader, frame, taken)
			       : -1;
	case TRACE_FRAME_UNKNOWN:
		reader->unknown++;
		return 0;
	case TRACE_FRAME_DAMAGED:
		break;
	}
	if (reader->converted.failed)
		reader->error = ENOMEM;
	return -1;
}

/* A trace of a program that goes on after an END frame (as after an exec that failed) may have
 * another one. */
static void count_frame(struct trace_reader *reader, uint16_t kind)
{
	bool is_end = kind == FRAME_END && reader->layout.sizes[FRAME_END];

	reader->end_at = is_end ? reader->at : 0;
	reader->miscounted |= is_end && reader->end_frames != reader->frames;
	reader->frames++;
}

/* Returns true if the file may have got more since it was opened: its writer has it locked, or had
 * until now. */
static bool is_growing(const struct trace_reader *reader)
{
	struct stat status;

	if (flock(reader->fd, LOCK_SH | LOCK_NB))
		return errno == EWOULDBLOCK;
	flock(reader->fd, LOCK_UN);
	return fstat(reader->fd, &status) || (uint64_t)status.st_size != reader->size;
}

/* At the end of the file. Only a trace without an END frame is locked, since that could get into
 * the way of a process that opens it. */
static void end(struct trace_reader *reader)
{
	if (reader->over)
		return;
	reader->over = true;
	reader->cut_off = reader->size - reader->at;
	if (trace_cut(reader) != TRACE_WHOLE)
		reader->growing = is_growing(reader);
}

int trace_next(struct trace_reader *reader, const struct record **record, struct strbuf *error)
{
	const struct frame *frame;
	int found;

	while ((found = trace_next_frame(reader, &frame, error)) > 0 && !frames_is_record(frame))
		;
	*record = &reader->counted.record;
	return found;
}

int trace_next_frame(struct trace_reader *reader, const struct frame **next, struct strbuf *error)
{
	struct frame *frame;
	int found, kind;

	while ((found = read_frame(reader, &frame)) > 0) {
		uint32_t size = frame->size;
		uint16_t stored = frame->kind;

		kind = take_any(reader, frame, next);
		if (kind < 0)
			return damaged(reader, error);
		count_frame(reader, stored);
		reader->at += size;
		if (kind)
			return 1;
	}
	if (found < 0)
		return damaged(reader, error);
	end(reader);
	return 0;
}

const struct catalog *trace_catalog(const struct trace_reader *reader)
{
	return &reader->catalog;
}

bool trace_is_file(const struct trace_reader *reader, uint64_t device, uint64_t inode)
{
	struct stat status;

	return !fstat(reader->fd, &status) && status.st_dev == device && status.st_ino == inode;
}

bool trace_is_current(const struct trace_reader *reader)
{
	return reader->layout.is_current;
}

uint64_t trace_unknown(const struct trace_reader *reader)
{
	return reader->unknown;
}

uint64_t trace_cut_off(const struct trace_reader *reader)
{
	return reader->cut_off;
}

int trace_error(const struct trace_reader *reader)
{
	return reader->error;
}

bool trace_is_growing(const struct trace_reader *reader)
{
	return reader->growing;
}

enum trace_cut trace_cut(const struct trace_reader *reader)
{
	if (!reader->over || reader->growing)
		return TRACE_WHOLE;
	if (reader->miscounted)
		return TRACE_CUT_IN_THE_MIDDLE;
	if (reader->cut_off)
		return TRACE_CUT_IN_FRAME;
	return reader->layout.sizes[FRAME_END] && !reader->end_at ? TRACE_CUT_AT_FRAME
								   : TRACE_WHOLE;
}

const char *trace_cut_text(enum trace_cut cut)
{
	switch (cut) {
	case TRACE_WHOLE:
		break;
	case TRACE_CUT_IN_FRAME:
		return "the program ended in the middle of its last record";
	case TRACE_CUT_AT_FRAME:
		return "the end is missing: the program was killed or still runs, the disk was "
		       "full, or a limit on file sizes was reached";
	case TRACE_CUT_IN_THE_MIDDLE:
		return "a part in the middle is missing";
	}
	return NULL;
}

bool trace_end_clock(const struct trace_reader *reader, int64_t *monotonic_to_epoch)
{
	uint32_t size = reader->layout.sizes[FRAME_END];
	struct end_frame end;

	if (size < sizeof(end) || reader->size < reader->layout.header_size + (uint64_t)size ||
	    pread(reader->fd, &end, sizeof(end), (off_t)(reader->size - size)) != sizeof(end) ||
	    end.frame.kind != FRAME_END || end.frame.size != size || !end.ended)
		return false;
	*monotonic_to_epoch = end.monotonic_to_epoch;
	return true;
}

bool trace_has_totals(const struct trace_reader *reader)
{
	return reader->has_totals;
}

uint64_t trace_frames(const struct trace_reader *reader)
{
	return reader->frames - (reader->end_at ? 1 : 0);
}

uint64_t trace_frames_end(const struct trace_reader *reader)
{
	return reader->end_at ? reader->end_at : reader->at;
}

uint64_t trace_lost(const struct trace_reader *reader)
{
	return reader->lost;
}

uint64_t trace_dropped(const struct trace_reader *reader)
{
	return reader->dropped;
}

uint64_t trace_gaps(const struct trace_reader *reader)
{
	return reader->gaps;
}

uint64_t trace_lost_events(const struct trace_reader *reader)
{
	return reader->lost_events;
}

uint64_t trace_lost_at(const struct trace_reader *reader)
{
	return reader->lost_frames == 1 ? reader->lost_at : 0;
}
