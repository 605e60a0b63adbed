/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/memory.h"
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
	if (trace->failed || !trace->path || file_is_sending(&trace->append)) {
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
static size_t whole_frames(const struct file_append *append, size_t done)
{
	const struct trace_file *trace =
		(const void *)((const char *)append - offsetof(struct trace_file, append));
	uint64_t head = trace->lost_at + sizeof(struct lost_frame);

	return !trace->size && trace->lost_at && done >= head ? head : 0;
}

/* Writes the buffer, or goes on with that. */
static void send(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;

	if (!file_is_sending(&trace->append))
		trace->append = (struct file_append){
			.file = &trace->file,
			.path = trace->path,
			.size = trace->size,
			.bytes = trace->buffer.data,
			.length = trace->buffer.length,
			.whole = whole_frames,
		};
	if (!file_send(&trace->append)) {
		logs->stalled = true;
		return;
	}
	if (trace->append.done < trace->append.length && !trace->failed)
		fail(trace, trace->append.error);
	if (trace->append.torn)
		say("the end of the trace %s is torn", trace->path);
	trace->size += trace->append.done;
	trace->buffered = trace->buffered_events = 0;
	trace->buffer.length = 0;
}

struct overwriting {
	struct file_job job;
	struct file file;
	const char *path;
	uint64_t at;
	uint64_t counts[3];
	int result;
};

static void do_overwrite(struct file_job *job)
{
	struct overwriting *over = (struct overwriting *)(void *)job;

	over->result = overwrite_bytes(&over->file, over->path, over->at, over->counts,
				       sizeof(over->counts));
}

static void dispose(struct file_job *job)
{
	memory_unmap(job, sizeof(struct overwriting));
}

/* Says in the file's first LOST frame what it lacks. -1 where that cannot be done. */
static int overwrite(struct logs *logs, const uint64_t counts[3])
{
	struct trace_file *trace = &logs->trace;
	struct overwriting *over = memory_map(sizeof(*over));
	int result;

	if (!over)
		return -1;
	*over = (struct overwriting){
		.job = {.work = do_overwrite, .dispose = dispose},
		.file = trace->file,
		.path = trace->path,
		.at = trace->lost_at + offsetof(struct lost_frame, count),
		.counts = {counts[0], counts[1], counts[2]},
	};
	if (!filethread_try(&over->job)) {
		logs->stalled = true;
		return 0;
	}
	result = over->result;
	dispose(&over->job);
	return result;
}

/* Says in the file what it lacks: in its first LOST frame, or else in one more. */
static void tell(struct logs *logs, uint64_t lost)
{
	struct trace_file *trace = &logs->trace;
	uint64_t now[] = {lost, trace->missing, trace->missing_events};
	uint64_t told[] = {trace->told, trace->told_missing, trace->told_events};

	if (!trace->path || !trace->size || logs->stalled || !memcmp(now, told, sizeof(now)))
		return;
	trace->told = lost;
	trace->told_missing = trace->missing;
	trace->told_events = trace->missing_events;
	if (trace->lost_at && trace->size > trace->lost_at && !overwrite(logs, now))
		return;
	trace->lost_at = 0;
	frames_put_lost(&trace->buffer, now[0] - told[0], now[1] - told[1], now[2] - told[2]);
	send(logs);
}

void logs_flush_trace(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;

	if (file_is_sending(&trace->append)) {
		send(logs);
		return;
	}
	if (trace->buffer.length && !trace->failed && !logs->stalled)
		send(logs);
	/* Before the records' places are free: a kill would make a secret of it. */
	if (trace->failed)
		tell(logs, trace->told);
}

void logs_tell_trace(struct logs *logs, uint64_t lost)
{
	logs_flush_trace(logs);
	tell(logs, lost);
}
