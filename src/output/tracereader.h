/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_TRACEREADER_H
#define OUTPUT_TRACEREADER_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"

/*
 * Reads a binary trace of version 1 or 2. The catalog is filled while frames are read, and has
 * everything that a returned record refers to. All data of the file is checked.
 */
struct trace_reader;

/* Returns NULL on error, with one sentence in `error`. */
struct trace_reader *trace_open(const char *path, struct strbuf *error);
void trace_close(struct trace_reader *reader);

/* Returns 1 and the next record (valid until the next call), 0 at the end, -1 if the file is
 * damaged here (one sentence in `error`; earlier records are valid). An incomplete last frame
 * counts as the end; trace_cut_off returns its size. */
int trace_next(struct trace_reader *reader, const struct record **record, struct strbuf *error);

/* As trace_next, with the events (model/event.h) between the records and with rows of totals
 * (model/totals.h): frame->kind is the type of the struct. A row's frame.size is that of struct
 * totals_row or struct totals_buckets_row. */
int trace_next_frame(struct trace_reader *reader, const struct frame **frame, struct strbuf *error);
const struct catalog *trace_catalog(const struct trace_reader *reader);
/* Returns true if the file has this st_dev and st_ino. */
bool trace_is_file(const struct trace_reader *reader, uint64_t device, uint64_t inode);
/* Returns true if frames of this version may be appended to the file. */
bool trace_is_current(const struct trace_reader *reader);
/* The number of skipped frames, whose kinds this version does not know, and the message about
 * them. */
uint64_t trace_unknown(const struct trace_reader *reader);
#define TRACE_UNKNOWN                                                                              \
	"%llu frames of kinds that this version of computeprof does not know are left out"
uint64_t trace_cut_off(const struct trace_reader *reader); /* bytes of an unfinished last frame */

/* Values are written to databases: append only. */
enum trace_cut {
	TRACE_WHOLE = 0, /* or not known: before the end, while its process writes it, and if it is
			  * of a version without END frames */
	TRACE_CUT_IN_FRAME = 1,
	TRACE_CUT_AT_FRAME = 2, /* the last frame is not END */
	TRACE_CUT_IN_THE_MIDDLE = 3, /* there are fewer or more frames than END has */
};

/* Returns whether the file was cut off. Complete at the end. */
/* Returns why the file could not be read to its end, or 0. Damage is no such error. */
int trace_error(const struct trace_reader *reader);
/* Returns true if the file ended without an END frame, and its process still writes to it. Complete
 * at the end. */
bool trace_is_growing(const struct trace_reader *reader);
enum trace_cut trace_cut(const struct trace_reader *reader);
/* Returns one sentence without a full stop; NULL for TRACE_WHOLE. */
const char *trace_cut_text(enum trace_cut cut);
/* Gets the offset from CLOCK_MONOTONIC to the epoch when the process ended. Returns false if the
 * file does not end with an END frame that has it. */
bool trace_end_clock(const struct trace_reader *reader, int64_t *monotonic_to_epoch);
/* Returns true if a row of totals was read: such a trace has no records. The sentence, with the
 * path, is for outputs that need records. */
bool trace_has_totals(const struct trace_reader *reader);
#define TRACE_OF_TOTALS                                                                            \
	"%s has running totals and no records: 'computeprof report' prints their summary, and "    \
	"-o FILE.json has them"
/* The number of whole frames, without an END frame after them, and the offset of their end.
 * Complete at the end. */
uint64_t trace_frames(const struct trace_reader *reader);
uint64_t trace_frames_end(const struct trace_reader *reader);
/* The number of records and events that were dropped or not written; the events among them, if
 * known. Complete at the end. */
uint64_t trace_lost(const struct trace_reader *reader);
uint64_t trace_lost_events(const struct trace_reader *reader);

/* Returns the number of gaps of the recording, as in struct lost_frame. Complete at the end. */
uint64_t trace_gaps(const struct trace_reader *reader);
uint64_t trace_dropped(const struct trace_reader *reader); /* the dropped ones of these */
/* Returns the offset of the only LOST frame, 0 if there are none or several. Complete at the end.
 */
uint64_t trace_lost_at(const struct trace_reader *reader);

#endif
