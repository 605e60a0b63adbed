/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/say.h"
#include "output/trace.h"
#include "session/logs.h"
#include "session/manifest.h"

/* The trace of a process: all its records, whichever log they belong to. */

static void note_trace(struct logs *logs)
{
	struct strbuf bytes = STRBUF_INIT;

	frames_put_trace(&bytes, logs->trace.path);
	if (!bytes.failed)
		spool_frames(logs->spool, &bytes);
	strbuf_free(&bytes);
}

static void open_trace(struct logs *logs, const char *pattern)
{
	struct trace_file *trace = &logs->trace;

	if (logs_open_name(logs, NULL, pattern, &trace->file, &trace->path)) {
		trace->failed = true;
		say("cannot write the trace %s: %s; the program runs on without it", pattern,
		    file_reason(errno));
		return;
	}
	manifest_add("trace", trace->path);
	if (logs->spool)
		note_trace(logs);
	trace_put_header(&trace->buffer);
	frames_put_process(&trace->buffer, &logs->catalog->process);
}

/* Whoever the record may speak of is told before it. Other threads add a name before the device
 * that has it, and a device before its contexts: counted the other way round, all that is told
 * finds what it needs. */
static void tell_trace(struct trace_file *trace, const struct catalog *catalog)
{
	uint32_t counters = __atomic_load_n(&catalog->counters_count, __ATOMIC_ACQUIRE);
	uint32_t contexts = __atomic_load_n(&catalog->context_count, __ATOMIC_ACQUIRE);
	uint32_t devices = __atomic_load_n(&catalog->device_count, __ATOMIC_ACQUIRE);
	uint32_t names = names_count(catalog->names);

	while (trace->names < names)
		frames_put_name(&trace->buffer, catalog->names, ++trace->names);
	for (; trace->devices < devices; trace->devices++)
		frames_put_device(&trace->buffer, catalog_device(catalog, trace->devices));
	for (; trace->contexts < contexts; trace->contexts++)
		frames_put_context(&trace->buffer, catalog_context(catalog, trace->contexts));
	for (; trace->counters < counters; trace->counters++)
		frames_put_counters(&trace->buffer, catalog_counters(catalog, trace->counters));
}

void logs_write_trace(struct logs *logs, const struct log_file *log, const struct record *record)
{
	struct trace_file *trace = &logs->trace;

	if (!log->settings->trace || trace->failed)
		return;
	if (!trace->path)
		open_trace(logs, log->settings->trace);
	if (trace->failed)
		return;
	tell_trace(trace, logs->catalog);
	trace_put_record(&trace->buffer, record);
	if (trace->buffer.length >= LOG_BUFFER)
		logs_flush_trace(logs);
}

void logs_flush_trace(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;
	const struct strbuf *buffer = &trace->buffer;
	size_t done;

	if (!buffer->length || trace->failed)
		return;
	done = file_append(&trace->file, trace->path, buffer->data, buffer->length, trace->size);
	trace->size += done;
	trace->failed = done < buffer->length;
	if (trace->failed)
		say("cannot go on writing the trace %s: %s; the program runs on without it",
		    trace->path, file_reason(errno));
	trace->buffer.length = 0;
}
