/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_STREAM_H
#define VIEW_STREAM_STREAM_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"
#include "output/logreader.h"
#include "output/tracereader.h"

/*
 * The records of a file of any kind, one after another: a trace, a database or a log. Views
 * (view/view.h) do not distinguish the kinds. Records of traces are in no order: a record is at the
 * place where it was complete.
 */
struct stream;

/* Returns true if the file starts as an SQLite database; false if it cannot be read. */
bool stream_is_database(const char *path);

/* Returns NULL on error, with one sentence in `error`. */
struct stream *stream_open(const char *path, struct strbuf *error);
void stream_close(struct stream *stream);

/*
 * Opens several files as one stream of several parts, read one after the other. Functions of a
 * stream apply to its present part, at first the first one. The paths must stay valid.
 */
struct stream *stream_open_all(const char *const *paths, size_t count, struct strbuf *error);
size_t stream_parts(const struct stream *stream);

/* Closes the part with its catalog and opens the next one: 1; 0 after the last one, which stays
 * open; -1 with one sentence in `error`. */
int stream_advance(struct stream *stream, struct strbuf *error);

/* Sets a function that stream_advance calls once for each part that was read to its end or to its
 * damage. */
void stream_on_part_end(struct stream *stream,
			void (*ended)(const struct stream *stream, const char *path));

/* Returns 1 and the next record (valid until the next call), 0 at the end, -1 if the file is
 * damaged here (one sentence in `error`; earlier records are valid). The catalog has everything
 * that the record refers to, except a context that the file does not have. */
int stream_next(struct stream *stream, const struct record **record, struct strbuf *error);

/* As stream_next, with the events (model/event.h) between the records: frame->kind is the type of
 * the struct. */
int stream_next_frame(struct stream *stream, const struct frame **frame, struct strbuf *error);

/* Returns true if stream_next_frame has returned a use of memory. */
bool stream_has_uses(const struct stream *stream);

/* From now on stream_next_frame also returns rows of totals, as trace_next_frame. Without this they
 * are an error. */
void stream_want_totals(struct stream *stream);
bool stream_lacks_records(const struct stream *stream); /* that was the error */
const struct catalog *stream_catalog(const struct stream *stream);

/* Calls `heard` at intervals with the number of records read; NULL: no longer. */
void stream_on_progress(struct stream *stream, void (*heard)(void *context, uint64_t records),
			void *context);

/* From now on the stream ends at damage, as if it were cut off. `target`, which must stay valid, is
 * the name of the output for messages. stream_damage returns one sentence per damaged part,
 * separated by newlines: the damage, and the part of the data in the target; NULL without damage so
 * far. */
void stream_end_at_damage(struct stream *stream, const char *target);
const char *stream_damage(struct stream *stream);
bool stream_is_damaged(const struct stream *stream); /* the present part is damaged; also without
							stream_end_at_damage */

/* Returns the path of the database that the stream reads, as passed to stream_open; NULL for other
 * files. */
const char *stream_database_path(const struct stream *stream);

/* For a view that reads the database itself: counts one more row; stores damage as with
 * stream_end_at_damage (only the first sentence of a part); notes data that is not in the output (a
 * few words). stream_left_out returns these notes separated by commas, or NULL. */
void stream_count_row(struct stream *stream);
void stream_put_damage(struct stream *stream, struct strbuf *sentence);
void stream_leave_out(struct stream *stream, const char *words);
const char *stream_left_out(struct stream *stream);

/* A sentence, or several lines, about what a view made of the stream, for the user.
 * stream_messages returns all of them, a line each, or NULL. */
void stream_put_message(struct stream *stream, const char *text);
const char *stream_messages(struct stream *stream);

/* Return the number of records and events that were dropped or not written; the number of events
 * among these, if known. Final at the end of the stream. */
uint64_t stream_lost(const struct stream *stream);
uint64_t stream_lost_events(const struct stream *stream);

/* Returns true if work of the devices between the first and the last record was not recorded: a
 * [filter] excluded it, or the program had switched recording off. Logs and databases do not show
 * these gaps; a log shows that limits left out rows. Final at the end of the stream. */
bool stream_has_gaps(const struct stream *stream);
bool stream_tells_gaps(const struct stream *stream); /* false: a log or database */

/* Returns true if the file cannot have events, so neither their number nor that of the lost ones is
 * known: a log, and a database that was made from one. */
bool stream_lacks_events(const struct stream *stream);

/* Returns true if the file is a log with columns of counters, or unknown columns, whose values the
 * records do not have. Final at the end of the stream. */
bool stream_lacks_counters(const struct stream *stream);
#define STREAM_COUNTERS "counters and other columns of logs that have no place in it"

/* For a log, which has the names of callers (model/caller.h) instead of stacks: returns true, and
 * in *caller that of the last record of stream_next, with escapes, of length 0 if it is not known;
 * no text if the log has no column for them. Returns false for other files. */
bool stream_caller(const struct stream *stream, struct log_text *caller);

/* Returns true if the file ends before its records do (stream_cut), or the rest after damage was
 * not read. */
bool stream_is_cut_off(const struct stream *stream);

/* Returns how the file was cut off; for a log, stream_error has the reason. Final at the end of the
 * stream. */
enum trace_cut stream_cut(const struct stream *stream);

/* Returns true for a trace that its process still writes. Final at the end of the stream. */
bool stream_is_growing(const struct stream *stream);

/* `incomplete`, which must stay valid, has one entry per part: true if the last records of its
 * process were not recovered. Such a part counts as cut off. */
void stream_set_incomplete(struct stream *stream, const bool *incomplete);
bool stream_is_incomplete(const struct stream *stream);

/* `ranks`, which must stay valid, has one entry per part: the parts are ranks of one program.
 * stream_rank returns the entry of the present part; NULL: none. */
struct stream_rank {
	uint64_t rank;
	int64_t epoch; /* added to CLOCK_MONOTONIC ns: ns since 1970 by the clock of all parts */
};
void stream_set_ranks(struct stream *stream, const struct stream_rank *ranks);
const struct stream_rank *stream_rank(const struct stream *stream);

/* `ranges`, which must stay valid, has one entry per part: the path of a trace of the same process
 * that begins at its first NVTX range, or NULL. The totals of ranges are made from it if the part
 * has running totals. stream_ranges returns the entry of the present part; NULL: none. */
void stream_set_ranges(struct stream *stream, const char *const *ranges);
const char *stream_ranges(const struct stream *stream);

/* Returns 0, or an errno if the file could not be read to its end; EFBIG for a line without an
 * end. */
int stream_error(const struct stream *stream);

/* Returns the number of records of stream_lost that the messages of stream_remarks also count. */
uint64_t stream_remarked_lost(const struct stream *stream);

/* Returns true if the file reports lost records without their number; they are not in stream_lost.
 * Final at the end of the stream. */
bool stream_has_uncounted_losses(const struct stream *stream);

/* Returns true if unreadable parts are skipped and reading continues after them: the file is a
 * log. */
bool stream_skips_damage(const struct stream *stream);

/* Returns NULL; or, if the file has durations but no starts, one sentence without a full stop that
 * names the missing column. Such records start at 0. */
const char *stream_no_starts(const struct stream *stream);

/* From now on each part must have starts. Returns -1 with that sentence, after the part's path if
 * there are several, if the present part has none; stream_advance does the same. */
int stream_need_starts(struct stream *stream, struct strbuf *error);

/* Appends further messages of the file, one sentence without a full stop per line. Complete at the
 * end. */
void stream_remarks(const struct stream *stream, struct strbuf *to);

/* Returns true if the records' correlations are those that other tools print for the file. If not,
 * a record is identified by its ordinal, from 1. */
bool stream_is_numbered(const struct stream *stream);

/* Returns true if calls without records have such correlations, too. If not, their ordinals follow
 * those of the records. */
bool stream_numbers_calls(const struct stream *stream);

#endif
