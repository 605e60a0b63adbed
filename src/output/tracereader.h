/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_TRACEREADER_H
#define OUTPUT_TRACEREADER_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"

/*
 * Reads a binary trace, of version 1 or 2. The catalog fills as frames are read; it is complete for
 * every record by the time trace_next returns it. Nothing that the file claims is believed without
 * a check.
 */
struct trace_reader;

/* NULL on error, with one sentence in `error`. */
struct trace_reader *trace_open(const char *path, struct strbuf *error);
void trace_close(struct trace_reader *reader);

/* 1 and the next record (valid until the next call), 0 at the end, -1 where the file is damaged
 * (one sentence in `error`; what came before is good). A frame cut off by the end of the file is
 * the end, told by trace_cut_off. */
int trace_next(struct trace_reader *reader, const struct record **record, struct strbuf *error);

/* The same with the events (model/event.h) that the trace has between the records: frame->kind says
 * which of the structs it is. */
int trace_next_frame(struct trace_reader *reader, const struct frame **frame, struct strbuf *error);
const struct catalog *trace_catalog(const struct trace_reader *reader);
/* Whether the file that is read has this st_dev and st_ino. */
bool trace_is_file(const struct trace_reader *reader, uint64_t device, uint64_t inode);
/* Whether frames of this version may be appended to the file. */
bool trace_is_current(const struct trace_reader *reader);
/* Frames that were passed over, since this version does not know their kinds, and what is said of
 * them. */
uint64_t trace_unknown(const struct trace_reader *reader);
#define TRACE_UNKNOWN                                                                              \
	"%llu frames of kinds that this version of computeprof does not know are left out"
uint64_t trace_cut_off(const struct trace_reader *reader); /* bytes of an unfinished last frame */
/* Records and events that were dropped or could not be written; those of them that are known to be
 * events. Complete at the end. */
uint64_t trace_lost(const struct trace_reader *reader);
uint64_t trace_lost_events(const struct trace_reader *reader);
uint64_t trace_dropped(const struct trace_reader *reader); /* of all, those that were dropped */

#endif
