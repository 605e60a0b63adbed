/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/overwrite.h"
#include "base/say.h"
#include "output/trace.h"
#include "session/logs.h"
#include "session/manifest.h"

/* The trace of a process: all its records, whichever log they belong to. */

static void note_trace(struct logs *logs)
{
	struct strbuf bytes = STRBUF_INIT;
	struct trace_frame *frame;

	frames_put_trace(&bytes, logs->trace.path);
	if (!bytes.failed) {
		frame = (struct trace_frame *)(void *)bytes.data;
		frame->file_device = logs->trace.file.device;
		frame->file_inode = logs->trace.file.inode;
		spool_frames(logs->spool, &bytes);
	}
	strbuf_free(&bytes);
}

static void fail(struct trace_file *trace, int error)
{
	trace->failed = true;
	trace->missing += trace->buffered;
	trace->missing_events += trace->buffered_events;
	say("cannot go on writing the trace %s: %s; the program runs on without it", trace->path,
	    file_reason(error));
}

int logs_try_trace(struct logs *logs, const struct settings *settings)
{
	struct trace_file *trace = &logs->trace;

	if (!settings->trace || trace->path || trace->failed)
		return 0;
	if (logs_open_name(logs, NULL, settings->trace, &trace->file, &trace->path))
		return -1;
	manifest_add("trace", trace->path);
	if (logs->spool)
		note_trace(logs);
	trace_put_header(&trace->buffer);
	frames_put_process(&trace->buffer, &logs->catalog->process);
	trace->lost_at = trace->buffer.length;
	frames_put_lost(&trace->buffer, 0, 0, 0); /* on a full disk there is no room for it */
	if (trace->buffer.failed) {
		trace->buffer.length = 0;
		fail(trace, ENOMEM);
	}
	return 0;
}

/* In recovery there may be ids without a text, up to a million of them. */
static void tell_names(struct trace_file *trace, const struct names *texts, uint32_t names)
{
	while (trace->names < names) {
		size_t length;

		names_text(texts, ++trace->names, &length);
		if (length)
			frames_put_name(&trace->buffer, texts, trace->names);
	}
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

	tell_names(trace, catalog->names, names);
	for (; trace->devices < devices; trace->devices++)
		frames_put_device(&trace->buffer, catalog_device(catalog, trace->devices));
	for (; trace->contexts < contexts; trace->contexts++)
		frames_put_context(&trace->buffer, catalog_context(catalog, trace->contexts));
	for (; trace->counters < counters; trace->counters++)
		frames_put_counters(&trace->buffer, catalog_counters(catalog, trace->counters));
}

static void note_missing(struct trace_file *trace, const struct frame *frame)
{
	trace->missing++;
	trace->missing_events += frames_is_event(frame);
}

/* All of it or, without memory, nothing: half a frame is none. */
static void put(struct trace_file *trace, const struct catalog *catalog, const struct frame *frame)
{
	const void *at = frame;
	struct trace_file before = *trace;

	tell_trace(trace, catalog);
	if (frames_is_event(frame))
		trace_put_event(&trace->buffer, frame);
	else
		trace_put_record(&trace->buffer, at);
	if (!trace->buffer.failed) {
		trace->buffered++;
		trace->buffered_events += frames_is_event(frame);
		return;
	}
	trace->buffer.failed = false;
	trace->buffer.length = before.buffer.length;
	trace->names = before.names;
	trace->devices = before.devices;
	trace->contexts = before.contexts;
	trace->counters = before.counters;
	note_missing(trace, frame);
}

static void write_frame(struct logs *logs, const struct settings *settings,
			const struct frame *frame)
{
	struct trace_file *trace = &logs->trace;

	if (!settings->trace)
		return;
	if (!trace->failed && logs_try_trace(logs, settings)) {
		/* Only records could wait until the program closes some file. */
		trace->failed = frames_is_record(frame) || !logs_may_open_later();
		if (trace->failed)
			logs_say_refused(logs, NULL, settings->trace);
	}
	if (trace->failed || !trace->path) {
		note_missing(trace, frame);
		return;
	}
	put(trace, logs->catalog, frame);
	if (trace->buffer.length >= LOG_BUFFER)
		logs_flush_trace(logs);
}

void logs_write_trace(struct logs *logs, const struct log_file *log, const struct record *record)
{
	write_frame(logs, log->settings, &record->frame);
}

void logs_write_event(struct logs *logs, const struct frame *event)
{
	const struct call *call = (const void *)event;

	write_frame(logs, logs->settings[call->api], event);
}

/* How much of the file is good when `done` bytes more than its size were written: what is said to
 * be missing must not be there in part. */
static uint64_t whole_size(const struct trace_file *trace, size_t done)
{
	uint64_t head = trace->lost_at + sizeof(struct lost_frame);

	return !trace->size && trace->lost_at && done >= head ? head : trace->size;
}

/* Says in the file what it lacks: in its first LOST frame, or else in one more. */
static void tell(struct logs *logs, uint64_t lost)
{
	struct trace_file *trace = &logs->trace;
	uint64_t now[] = {lost, trace->missing, trace->missing_events};
	uint64_t told[] = {trace->told, trace->told_missing, trace->told_events};
	size_t length, done;

	if (!trace->path || !trace->size || !memcmp(now, told, sizeof(now)))
		return;
	trace->told = lost;
	trace->told_missing = trace->missing;
	trace->told_events = trace->missing_events;
	if (trace->lost_at && trace->size > trace->lost_at &&
	    !overwrite_bytes(&trace->file, trace->path,
			     trace->lost_at + offsetof(struct lost_frame, count), now, sizeof(now)))
		return;
	trace->lost_at = 0;
	frames_put_lost(&trace->buffer, now[0] - told[0], now[1] - told[1], now[2] - told[2]);
	length = trace->buffer.length;
	done = file_append(&trace->file, trace->path, trace->size, trace->buffer.data, length);
	if (done == length)
		trace->size += length;
	else if (done && ftruncate(trace->file.fd, (off_t)trace->size))
		say("the end of the trace %s is torn", trace->path);
	trace->buffer.length = 0;
}

void logs_flush_trace(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;
	size_t length = trace->buffer.length, done = 0;
	int error;

	if (trace->failed)
		tell(logs, trace->told);
	if (!length || trace->failed)
		return;
	done = file_append(&trace->file, trace->path, trace->size, trace->buffer.data, length);
	error = errno;
	if (done < length)
		fail(trace, error);
	if (done < length) {
		trace->size = whole_size(trace, done);
		if (done && error != EPIPE && ftruncate(trace->file.fd, (off_t)trace->size))
			say("the end of the trace %s is torn", trace->path);
	} else {
		trace->size += length;
	}
	trace->buffered = trace->buffered_events = 0;
	trace->buffer.length = 0;
}

void logs_tell_trace(struct logs *logs, uint64_t lost)
{
	logs_flush_trace(logs);
	tell(logs, lost);
}
