/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_STREAM_H
#define VIEW_STREAM_STREAM_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"

/*
 * The records of a file, one after another, whichever kind of file it is: a trace, a database or a
 * log. What the tool shows of them (view/view.h) does not know the difference. Traces have no
 * order: a record stands where it was when it was over.
 */
struct stream;

/* Whether the file begins as SQLite's do; what cannot be read does not. */
bool stream_is_database(const char *path);

/* NULL on error, with one sentence in `error`. */
struct stream *stream_open(const char *path, struct strbuf *error);
void stream_close(struct stream *stream);

/*
 * Several files as one stream of several parts, one for each file, read one after the other. What
 * is said of a stream is said of its present part, the first one at the beginning. The paths must
 * stay.
 */
struct stream *stream_open_all(const char *const *paths, size_t count, struct strbuf *error);
size_t stream_parts(const struct stream *stream);

/* Closes the part, its catalog included, and opens the next one: 1; 0 behind the last, which stays
 * open; -1 with one sentence in `error`. */
int stream_advance(struct stream *stream, struct strbuf *error);

/* Has `ended` called once for each part that was read, to its end or to where it is damaged: by
 * stream_advance. */
void stream_tell_parts(struct stream *stream,
		       void (*ended)(const struct stream *stream, const char *path));

/* The same file from its beginning, as a stream of its own, which inherits stream_end_at_damage;
 * NULL as stream_open. */
struct stream *stream_again(const struct stream *stream, struct strbuf *error);

/* 1 and the next record (valid until the next call), 0 at the end, -1 where the file is damaged
 * (one sentence in `error`; what came before is good). The catalog has whatever a record speaks of
 * when it comes. */
int stream_next(struct stream *stream, const struct record **record, struct strbuf *error);

/* The same with the events (model/event.h) that the file has between them: frame->kind says which
 * of the structs it is. */
int stream_next_frame(struct stream *stream, const struct frame **frame, struct strbuf *error);
const struct catalog *stream_catalog(const struct stream *stream);

/* Has `heard` called now and then with how many records there were so far; NULL: no longer. */
void stream_watch(struct stream *stream, void (*heard)(void *context, uint64_t records),
		  void *context);

/* From now on a stream ends, as if it were cut off, where the file is damaged. `target`, which must
 * stay, is what is made of it. Then a sentence for each damaged part, with a newline between two of
 * them: what is wrong with it, and what of it the target has; NULL if none is so far. */
void stream_end_at_damage(struct stream *stream, const char *target);
const char *stream_damage(struct stream *stream);
bool stream_is_damaged(const struct stream *stream); /* the present part is */

/* The path of the database that the stream reads, as stream_open had it; NULL where it reads a
 * trace. */
const char *stream_database_path(const struct stream *stream);

/* For a view that reads the database itself: one more row was read; the file is damaged, which is
 * kept as with stream_end_at_damage (a part has one sentence, the first); something of the file is
 * not in what the view writes (a few words). Then all that is not, with commas between them, or
 * NULL. */
void stream_count_row(struct stream *stream);
void stream_put_damage(struct stream *stream, struct strbuf *sentence);
void stream_leave_out(struct stream *stream, const char *words);
const char *stream_left_out(struct stream *stream);

/* Records and events that were dropped or could not be written; those of them that are known to be
 * events. Complete at the end. */
uint64_t stream_lost(const struct stream *stream);
uint64_t stream_lost_events(const struct stream *stream);

/* Whether the file ends before its records do: the program ended in its last record, or the file is
 * damaged and what is behind that was not read. */
bool stream_is_cut_off(const struct stream *stream);

/* `incomplete`, which must stay, says of each part whether the last records of its process came
 * nowhere. Such a part is cut off. */
void stream_set_incomplete(struct stream *stream, const bool *incomplete);
bool stream_is_incomplete(const struct stream *stream);

/* 0, or why the file could not be read to its end: an errno; EFBIG for a line without an end. */
int stream_error(const struct stream *stream);

/* How many of stream_lost the file itself says are lost, among what stream_remarks tells. */
uint64_t stream_told_lost(const struct stream *stream);

/* Whether the file says that records are lost, and not how many: stream_lost has none of them.
 * Complete at the end. */
bool stream_tells_losses(const struct stream *stream);

/* Whether what could not be read was left out, and reading went on behind it: the file is a log. */
bool stream_goes_on(const struct stream *stream);

/* NULL; or, where the file says how long each record ran but not when, one sentence without a full
 * stop that names the missing column. Such records start at 0. */
const char *stream_no_starts(const struct stream *stream);

/* From now on no part may lack starts: -1 with that sentence, behind the part's path if there are
 * several, where the present one does, and so stream_advance. */
int stream_need_starts(struct stream *stream, struct strbuf *error);

/* Appends what else there is to say of the file, a sentence without a full stop on each line.
 * Complete at the end. */
void stream_remarks(const struct stream *stream, struct strbuf *to);

/* Whether the records' correlations are those that other tools show of the same file. If not, a
 * record is known by its ordinal, from 1. */
bool stream_is_numbered(const struct stream *stream);

/* Whether calls that made no record have such correlations, too. If not, they have ordinals that go
 * on behind those of the records. */
bool stream_numbers_calls(const struct stream *stream);

#endif
