/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOGTRACE_H
#define SESSION_LOGTRACE_H

#include "session/logs.h"

/* The trace of struct logs. Used under the drain lock only. */

/* Returns true if records and events of the API with these settings are written to the trace. A
 * trace from the first range on has none before it begins. */
static inline bool logs_has_trace(const struct logs *logs, const struct settings *settings)
{
	const struct trace_file *trace = &logs->trace;

	return settings->trace && (!settings->trace_from_ranges || trace->begun || trace->path);
}

/* Begins such a trace at a start of a range. */
static inline void logs_begin_trace(struct logs *logs, const struct frame *event)
{
	if (event->kind == FRAME_MARK && event->flags & MARK_START)
		logs->trace.begun = true;
}

/* Opens the trace if these settings have one and it is not open. Returns 0, or -1 with errno. */
int logs_try_trace(struct logs *logs, const struct settings *settings);

/* As logs_write, for the trace only. */
void logs_write_trace(struct logs *logs, const struct log_file *log, const struct record *record);

/* Writes an event (model/event.h) to the trace of these settings, which must exist. */
void logs_write_event(struct logs *logs, const struct settings *settings,
		      const struct frame *event);

/* Writes the trace's buffer, as logs_flush does a log's. */
void logs_flush_trace(struct logs *logs);

/* The same; then writes the losses, with `lost` records that did not reach the logs. */
void logs_report_trace(struct logs *logs, uint64_t lost);

/* The same with other numbers than those of `logs`. No number in the file becomes smaller. */
void logs_report_losses(struct logs *logs, const struct trace_losses *losses);

/* Writes the END frame, after all records and losses, unless a file system does not respond. If the
 * process goes on, the next frames replace it. Returns true if the file has it or there is no
 * file. */
bool logs_end_trace(struct logs *logs);

#endif
