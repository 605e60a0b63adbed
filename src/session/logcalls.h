/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOGCALLS_H
#define SESSION_LOGCALLS_H

#include "session/logs.h"

/*
 * The API logs of a process, one for each API whose settings name one: text logs with a row for
 * each call (output/apilog.h). They are struct log_file like other logs, with the same frames and
 * commits in the ring file. Rows stand in the order in which the calls reach the writer. The places
 * of calls are freed by events_flush, after logcalls_flush. Used under the drain lock only.
 */

/* Returns true if the event gets a row in an API log with these settings. */
static inline bool logcalls_has(const struct settings *settings, const struct frame *event)
{
	return settings->api_log && event->kind == FRAME_CALL;
}

/* Returns the API log of the API, possibly not open yet; NULL without one, or after MAX_LOGS. */
struct log_file *logcalls_of(struct logs *logs, unsigned int api);

/* Writes a row to the buffer of the call's API log, opening the log at the first one, or counts it
 * as lost. Returns the number for the call's frame.flags (log_batch_of), 0 if it gets no row. */
uint8_t logcalls_write(struct logs *logs, const struct call *call);

/* Returns true if the buffer of an API log is to be written. */
bool logcalls_are_full(const struct logs *logs);

/* Writes all buffers, as logs_flush does, and adds the lost rows to the number in the ring file. */
void logcalls_flush(struct logs *logs);

/* The settings of the API have changed, and the buffers are written: closes its API log, unless the
 * new settings have the same name and format. */
void logcalls_change(struct logs *logs, enum api api);

#endif
