/* SPDX-License-Identifier: MIT */
#include "session/logtrace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "output/trace.h"
#include "session/logname.h"
#include "session/manifest.h"
#include "session/tell.h"
#include "session/untraced.h"

_Static_assert(sizeof(struct lost_frame) == offsetof(struct lost_frame, count) +
						    sizeof(struct trace_losses),
	       "they have the same numbers");

/* The trace of a process: all its records, of all logs. */

static void note_trace(struct logs *logs)
{
	struct strbuf bytes = STRBUF_INIT;
	struct trace_frame *frame = NULL;

	frames_put_trace(&bytes, logs->trace.path);
	if (!bytes.failed) {
		frame = (struct trace_frame *)(void *)bytes.data;
		frame->file_device = logs->trace.file.device;
		frame->file_inode = logs->trace.file.inode;
		frame = ringfile_frames(logs->ringfile, &bytes);
	}
	logs->trace.unnoted = bytes.failed || !frame;
	strbuf_free(&bytes);
}

/* Notifies the tool of the reason why the trace stays empty. */
static void note_unwritten(int error)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", error);
	manifest_add("unwritten", text);
}

static void fail(struct logs *logs, int error)
{
	struct trace_file *trace = &logs->trace;

	if (!trace->size)
		note_unwritten(error);
	trace->failed = true;
	if (trace->buffered)
		untraced_note_buffer(logs, !trace->append.size);
	if (trace->ends) {
		tell("cannot write the end of the trace %s: %s", trace->path, file_reason(error));
		return;
	}
	tell("cannot continue the trace %s: %s%s", trace->path, file_reason(error),
	     logs_consequence(logs->keep_existing));
}

int logs_try_trace(struct logs *logs, const struct settings *settings)
{
	struct trace_file *trace = &logs->trace;

	if (!logs_has_trace(logs, settings) || trace->path || trace->failed)
		return 0;
	if (logs_open_name(logs, NULL, settings->trace, &trace->file, &trace->path))
		return -1;
	manifest_add("trace", trace->path);
	if (logs->ringfile)
		note_trace(logs);
	trace_put_header(&trace->buffer);
	frames_put_process(&trace->buffer, &logs->catalog->process);
	trace->lost_at = trace->buffer.length;
	frames_put_lost(&trace->buffer, 0, 0, 0); /* allocated now, since a full disk has no room
						   * later */
	if (trace->buffer.failed) {
		trace->buffer.length = 0;
		fail(logs, ENOMEM);
	}
	return 0;
}

/* In recovery up to a million ids may have no text. */
static void tell_names(struct trace_file *trace, const struct names *texts, uint32_t names)
{
	while (trace->names < names) {
		size_t length;

		names_text(texts, ++trace->names, &length);
		if (length)
			frames_put_name(&trace->buffer, texts, trace->names);
	}
}

/* The numbers of entries of a catalog. */
struct entries {
	uint32_t counters, contexts, devices, stacks, modules, names;
};

/* Other threads add a name before its device, and a device before its contexts. The counts are read
 * in the opposite order, so that all references resolve. */
static inline struct entries entries_of(const struct catalog *catalog)
{
	struct entries now;

	now.counters = __atomic_load_n(&catalog->counters_count, __ATOMIC_ACQUIRE);
	now.contexts = __atomic_load_n(&catalog->context_count, __ATOMIC_ACQUIRE);
	now.devices = __atomic_load_n(&catalog->device_count, __ATOMIC_ACQUIRE);
	now.stacks = __atomic_load_n(&catalog->stacks.node_count, __ATOMIC_ACQUIRE);
	now.modules = __atomic_load_n(&catalog->stacks.module_count, __ATOMIC_ACQUIRE);
	now.names = names_count(catalog->names);
	return now;
}

/* Returns the sum of the numbers, which only grow: an equal sum means that nothing was added. */
static inline uint64_t sum_of(const struct entries *now)
{
	return (uint64_t)now->counters + now->contexts + now->devices + now->stacks +
	       now->modules + now->names;
}

/* Writes the catalog before the records that refer to it. */
static void tell_trace(struct trace_file *trace, const struct catalog *catalog,
		       const struct entries *now)
{
	tell_names(trace, catalog->names, now->names);
	while (trace->modules < now->modules)
		frames_put_module(&trace->buffer, &catalog->stacks, ++trace->modules);
	while (trace->stacks < now->stacks)
		frames_put_stack(&trace->buffer, &catalog->stacks, ++trace->stacks);
	for (; trace->devices < now->devices; trace->devices++)
		frames_put_device(&trace->buffer, catalog_device(catalog, trace->devices));
	for (; trace->contexts < now->contexts; trace->contexts++)
		frames_put_context(&trace->buffer, catalog_context(catalog, trace->contexts));
	for (; trace->counters < now->counters; trace->counters++)
		frames_put_counters(&trace->buffer, catalog_counters(catalog, trace->counters));
}

/* Adds the frame to the buffer. Without memory nothing of it is added. */
static inline bool put_frame(struct trace_file *trace, const struct frame *frame, bool event)
{
	const void *at = frame;

	if (event)
		trace_put_event(&trace->buffer, frame);
	else
		trace_put_record(&trace->buffer, at);
	if (trace->buffer.failed)
		return false;
	trace->buffered++;
	trace->buffered_events += event;
	return true;
}

/* The same with new entries of the catalog before it. */
__attribute__((noinline)) static void put_all(struct logs *logs, const struct entries *now,
					      const struct frame *frame)
{
	struct trace_file *trace = &logs->trace;
	struct trace_file before = *trace;

	tell_trace(trace, logs->catalog, now);
	if (put_frame(trace, frame, frames_is_event(frame))) {
		trace->entries = sum_of(now);
		return;
	}
	trace->buffer.failed = false;
	trace->buffer.length = before.buffer.length;
	trace->names = before.names;
	trace->devices = before.devices;
	trace->contexts = before.contexts;
	trace->counters = before.counters;
	trace->modules = before.modules;
	trace->stacks = before.stacks;
	untraced_note(logs, frame);
}

static inline void put(struct logs *logs, const struct frame *frame, bool event)
{
	struct trace_file *trace = &logs->trace;
	struct entries now = entries_of(logs->catalog);

	if (trace->entries == sum_of(&now) && put_frame(trace, frame, event))
		return;
	/* Without memory it is tried again. */
	trace->buffer.failed = false;
	put_all(logs, &now, frame);
}

static inline void write_frame(struct logs *logs, const struct settings *settings,
			       const struct frame *frame, bool event)
{
	struct trace_file *trace = &logs->trace;

	if (!trace->path && !trace->failed && logs_try_trace(logs, settings)) {
		/* Only records can wait until the program closes a file. */
		trace->failed = frames_is_record(frame) || !logs_may_open_later();
		if (trace->failed)
			logs_say_refused(logs, NULL, settings->trace);
	}
	if (trace->failed || !trace->path || file_is_sending(&trace->append) ||
	    (logs->stalled && trace->buffer.length >= LOG_BUFFER)) {
		untraced_note(logs, frame);
		return;
	}
	put(logs, frame, event);
	if (trace->buffer.length < LOG_BUFFER)
		return;
	logs_flush_trace(logs);
	if (trace->failed) /* it was in the buffer; an event has no place yet */
		untraced_mark(logs, frame);
}

void logs_write_trace(struct logs *logs, const struct log_file *log, const struct record *record)
{
	if (logs_has_trace(logs, log->settings))
		write_frame(logs, log->settings, &record->frame, false);
}

/* Returns true if the trace is open, its file takes bytes, and its buffer has room for the call. */
static inline bool takes_call(const struct logs *logs, const struct trace_file *trace)
{
	const struct strbuf *buffer = &trace->buffer;

	return trace->path && !trace->failed && !logs->stalled &&
	       !file_is_sending(&trace->append) &&
	       buffer->length + sizeof(struct call) < LOG_BUFFER &&
	       buffer->length + sizeof(struct call) <= buffer->capacity;
}

/* The fast path of write_frame for a call. Returns false if write_frame has to be called. */
static inline bool write_call(struct logs *logs, const struct frame *event)
{
	struct trace_file *trace = &logs->trace;
	struct entries now;

	if (event->kind != FRAME_CALL || !takes_call(logs, trace))
		return false;
	now = entries_of(logs->catalog);
	if (trace->entries != sum_of(&now))
		return false;
	trace_put_event(&trace->buffer, event);
	trace->buffered++;
	trace->buffered_events++;
	return true;
}

void logs_write_event(struct logs *logs, const struct settings *settings, const struct frame *event)
{
	if (!write_call(logs, event))
		write_frame(logs, settings, event, true);
}

/* Returns how much of the file is valid if `done` bytes were written: a frame with losses must not
 * be there in part. */
static size_t whole_frames(const struct file_append *append, size_t done)
{
	const struct trace_file *trace =
		(const void *)((const char *)append - offsetof(struct trace_file, append));
	uint64_t head = trace->lost_at + sizeof(struct lost_frame);

	return !trace->size && trace->lost_at && done >= head ? head : 0;
}

/* Starts writing the buffer. Bytes of a file that is not regular cannot be replaced: an END frame
 * stays between the others. */
static void begin_append(struct trace_file *trace)
{
	uint64_t end = trace->ended ? sizeof(struct end_frame) : 0;

	if (!trace->file.regular) {
		trace->size += end;
		trace->frames += trace->ended;
		end = 0;
	}
	trace->ended = false;
	trace->append = (struct file_append){
		.file = &trace->file,
		.path = trace->path,
		.size = trace->size,
		.replaced = end,
		.bytes = trace->buffer.data,
		.length = trace->buffer.length,
		.whole = whole_frames,
	};
}

/* Counts the bytes and frames that the file has got. */
static void count_written(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;
	const struct file_append *append = &trace->append;
	const struct trace_header *header = (const void *)append->bytes;
	bool all = append->done == append->length;
	size_t start = !trace->size && append->done ? header->header_size : 0;

	trace->torn |= append->torn;
	trace->size = append->size;
	trace->frames += append->kept;
	if (trace->ends) {
		trace->ended = all;
		return;
	}
	trace->size += append->done;
	trace->frames += trace_count_frames(append->bytes + start, append->done - start);
	if (trace->writes_losses && all) {
		trace->losses_in_file = trace->losses_after_write;
		trace->lost_at = 0; /* the first LOST frame is incomplete */
	}
	if (all) {
		trace->written += trace->buffered;
		trace->written_events += trace->buffered_events;
		if (logs->ringfile && !logs->keep_existing)
			logs->ringfile->header->traced = trace->written;
	}
}

/* Starts or continues writing the buffer. */
static void send(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;

	if (!file_is_sending(&trace->append))
		begin_append(trace);
	if (!file_send(&trace->append)) {
		logs->stalled = true;
		return;
	}
	count_written(logs);
	if (trace->append.done < trace->append.length && !trace->failed)
		fail(logs, trace->append.error);
	if (trace->append.torn)
		tell("the end of the trace %s is incomplete", trace->path);
	trace->writes_losses = trace->ends = false;
	trace->buffered = trace->buffered_events = 0;
	trace->buffer.length = 0;
}

/* Adds another LOST frame at the end. */
static void append_lost(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;
	const struct trace_losses *now = &trace->losses_after_write,
				  *before = &trace->losses_in_file;
	struct lost_frame *frame;

	frame = frames_put_lost(&trace->buffer, now->lost - before->lost,
				now->missing - before->missing,
				now->missing_events - before->missing_events);
	if (frame)
		frame->gaps = now->gaps - before->gaps;
	if (trace->buffer.failed) {
		trace->buffer.failed = false;
		trace->buffer.length = 0;
		return;
	}
	trace->writes_losses = true;
	send(logs);
}

/* Updates the file's first LOST frame; if that fails, adds another one. */
static void overwrite(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;

	if (!file_is_overwriting(&trace->overwrite))
		trace->overwrite = (struct file_overwrite){
			.file = &trace->file,
			.path = trace->path,
			.at = trace->lost_at + offsetof(struct lost_frame, count),
			.bytes = &trace->losses_after_write,
			.size = sizeof(trace->losses_after_write),
		};
	if (!file_send_overwrite(&trace->overwrite)) {
		logs->stalled = true;
		return;
	}
	if (trace->overwrite.done)
		trace->losses_in_file = trace->losses_after_write;
	else
		append_lost(logs);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Writes the losses to the file. A failed write is repeated by the next call. */
static void write_losses(struct logs *logs, const struct trace_losses *losses)
{
	struct trace_file *trace = &logs->trace;
	const struct trace_losses *before = &trace->losses_in_file;
	struct trace_losses now = {
		/* Some may have come after they were reported. */
		.lost = larger(losses->lost, before->lost),
		.missing = larger(losses->missing, before->missing),
		.missing_events = larger(losses->missing_events, before->missing_events),
		.gaps = larger(losses->gaps, before->gaps),
	};

	if (!trace->path || !trace->size || logs->stalled ||
	    !memcmp(&now, &trace->losses_in_file, sizeof(now)))
		return;
	trace->losses_after_write = now;
	if (trace->lost_at && trace->size > trace->lost_at)
		overwrite(logs);
	else
		append_lost(logs);
}

/* Returns true if there are bytes that the file may take. */
static bool has_bytes(const struct logs *logs)
{
	const struct trace_file *trace = &logs->trace;

	return trace->buffer.length && (!trace->failed || trace->writes_losses) && !logs->stalled;
}

void logs_flush_trace(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;

	if (file_is_overwriting(&trace->overwrite))
		overwrite(logs);
	if (file_is_sending(&trace->append) || has_bytes(logs))
		send(logs);
	/* Done before the records' places are free, so that a kill does not lose the numbers. In
	 * recovery the records stay in the ring file, and a later recovery writes them. */
	if (!logs->keep_existing)
		write_losses(logs, &(struct trace_losses){.missing = trace->missing,
							  .missing_events = trace->missing_events});
}

void logs_report_losses(struct logs *logs, const struct trace_losses *losses)
{
	logs_flush_trace(logs);
	write_losses(logs, losses);
}

void logs_report_trace(struct logs *logs, uint64_t lost)
{
	logs_flush_trace(logs);
	write_losses(logs, &(struct trace_losses){
				   .lost = lost,
				   .missing = logs->trace.missing,
				   .missing_events = logs->trace.missing_events,
				   .gaps = logs->ringfile ? logs->ringfile->header->gaps : 0,
			   });
}

/* The second reading of both clocks: the first one is in the PROCESS frame. Recovery may run after
 * another boot. */
static void put_end(const struct logs *logs, struct strbuf *to, uint64_t frames)
{
	struct end_frame *frame = frames_put_end(to, frames);

	if (!frame || logs->keep_existing)
		return;
	frame->ended = clock_monotonic();
	frame->monotonic_to_epoch = clock_offset(CLOCK_REALTIME, CLOCK_MONOTONIC);
}

bool logs_end_trace(struct logs *logs)
{
	struct trace_file *trace = &logs->trace;

	if (!trace->path || !trace->size || trace->ended)
		return true;
	if (logs->stalled || trace->torn)
		return false;
	put_end(logs, &trace->buffer, trace->frames);
	trace->ends = !trace->buffer.failed;
	trace->buffer.failed = false;
	if (trace->ends)
		send(logs);
	return trace->ended;
}
