/* SPDX-License-Identifier: MIT */
#include "session/pflog.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/say.h"
#include "model/amount.h"
#include "model/api.h"
#include "output/pflog.h"
#include "output/prometheus.h"
#include "session/memory_in_use.h"
#include "session/pflog_files.h"
#include "settings/filename.h"

enum {
	ENTRIES = 1 << 18,  /* calls that wait for earlier ones; further ones get no line */
	COPIES = 1 << 16,   /* copies whose calls may still come, of back ends that collect */
	FUNCTIONS = 1 << 10, /* a power of two; of metrics.prom, which leaves further ones out */
	TEXT = 1 << 24,	    /* most bytes of lines that wait for a file */
};

/* A call that has a line in the timeline. */
struct entry {
	uint64_t start; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t bytes;
	uint64_t address; /* of memory */
	uint16_t memory; /* enum memory_kind */
	uint8_t api;
	uint8_t row; /* enum pflog_row, final */
	int8_t kind; /* enum pflog_kind */
	bool allocates;
	bool frees;
};

/* A copy that the next call of its ring has made. */
struct copy {
	uint64_t correlation;
	uint64_t bytes;
	int8_t kind; /* enum pflog_kind */
};

struct pflog {
	struct metrics_settings settings;
	struct pflog_counts counts;
	struct memory_in_use memory;
	uint64_t peak; /* most bytes in use */
	struct map rows; /* by name: enum pflog_row + 1 */
	bool initialized; /* the first call that counts as cuInit has come */
	struct entry *entries, *sorted; /* ENTRIES each, mapped lazily */
	uint32_t entry_count;
	struct copy *copies; /* COPIES, of collected records; then MAX_RINGS, one for each ring */
	struct prometheus_device **devices; /* by id; NULL unless metrics.prom is written */
	uint32_t device_end;
	struct prometheus_function *functions; /* FUNCTIONS, by hash */
	uint32_t function_count;
	uint64_t begun;	  /* CLOCK_MONOTONIC ns: since when there are metrics logs */
	uint64_t written; /* of the last write */
	uint64_t missing; /* lines that are not in the timeline */
	bool changed;	  /* since the last write */
	bool failed;	  /* nothing can be written */
	int said; /* the error that was printed */
	struct pflog_job write;
};

static bool has_memory(const struct pflog *pflog)
{
	return pflog->entries && pflog->sorted && pflog->copies &&
	       (!pflog->settings.prometheus || (pflog->devices && pflog->functions));
}

static void prepare(struct pflog *pflog, const struct settings *settings)
{
	struct strbuf directory = STRBUF_INIT;

	pflog->settings = settings->metrics;
	pflog->settings.directory = NULL; /* it belongs to the settings, which may change */
	pflog->entries = memory_map(ENTRIES * sizeof(*pflog->entries));
	pflog->sorted = memory_map(ENTRIES * sizeof(*pflog->sorted));
	pflog->copies = memory_map((COPIES + MAX_RINGS) * sizeof(*pflog->copies));
	if (pflog->settings.prometheus) {
		pflog->devices = memory_map(CATALOG_DEVICES * sizeof(*pflog->devices));
		pflog->functions = memory_map(FUNCTIONS * sizeof(*pflog->functions));
	}
	pflog->begun = clock_monotonic();
	pflog->counts.pid = pflog->write.pid = globals.catalog.process.pid;
	pflog->write.timeline = FILE_CLOSED;
	pflog->write.tagged = globals.forked && !filename_has(settings->metrics.directory, 'p');
	filename_expand(&directory, settings->metrics.directory, 0, pflog->write.pid);
	if (!has_memory(pflog) || directory.failed) {
		pflog->failed = true;
		say_no_memory();
	} else if (directory.length >= PFLOG_PATH) {
		pflog->failed = true;
		say("the name of the directory for metrics logs is too long: %.200s",
		    strbuf_text(&directory));
	} else {
		strcpy(pflog->write.directory, strbuf_text(&directory));
	}
	strbuf_free(&directory);
}

/* Returns the metrics logs, made at the first use; NULL if there can be none. */
static struct pflog *pflog_of(struct session *session, const struct settings *settings)
{
	if (!session->pflog) {
		session->pflog = memory_map(sizeof(*session->pflog));
		if (!session->pflog)
			return NULL;
		prepare(session->pflog, settings);
	}
	return session->pflog->failed ? NULL : session->pflog;
}

static struct copy *place_of(const struct pflog *pflog, uint64_t correlation)
{
	uint64_t ring = correlation >> 40;

	if (ring && ring <= MAX_RINGS)
		return &pflog->copies[COPIES + ring - 1];
	return &pflog->copies[correlation % COPIES];
}

static enum pflog_kind kind_of(const struct record *record)
{
	bool from_host = record->source == MEMORY_HOST, to_host = record->target == MEMORY_HOST;

	if (from_host)
		return to_host ? PFLOG_HOST_TO_HOST : PFLOG_HOST_TO_DEVICE;
	return to_host ? PFLOG_DEVICE_TO_HOST : PFLOG_DEVICE_TO_DEVICE;
}

void pflog_take_record(struct session *session, const struct settings *settings,
		       const struct record *record)
{
	struct pflog *pflog = pflog_of(session, settings);

	if (!pflog || record->frame.kind != FRAME_COPY)
		return;
	*place_of(pflog, record->frame.correlation) = (struct copy){
		.correlation = record->frame.correlation,
		.bytes = record->known & KNOWN_BYTES ? record->bytes : 0,
		.kind = (int8_t)kind_of(record),
	};
}

static struct prometheus_device *device_of(struct pflog *pflog, uint32_t id)
{
	struct prometheus_device **place = &pflog->devices[id];

	if (!*place)
		*place = memory_map(sizeof(**place));
	if (*place && id >= pflog->device_end)
		pflog->device_end = id + 1;
	return *place;
}

void pflog_take_finished(struct session *session, const struct settings *settings,
			 const struct record *record)
{
	struct pflog *pflog = pflog_of(session, settings);
	struct prometheus_device *device =
		pflog && pflog->devices ? device_of(pflog, record->device) : NULL;
	uint64_t time = amount_duration(record);

	if (!device)
		return;
	pflog->changed = true;
	if (record->frame.kind == FRAME_KERNEL) {
		device->kernels++;
		device->kernel_time += time;
	} else if (record->frame.kind == FRAME_COPY && record->direction < DIRECTION_COUNT) {
		struct prometheus_copies *copies = &device->copies[record->direction];

		copies->count++;
		copies->bytes += record->known & KNOWN_BYTES ? record->bytes : 0;
		copies->time += time;
	}
	if (record->known & KNOWN_TIMES)
		busy_add(&device->busy, record->started, record->started + time);
}

static void count_function(struct pflog *pflog, const struct call *call)
{
	struct prometheus_function *function;
	uint32_t at = call->name;

	if (!pflog->functions || !call->name)
		return;
	for (;; at++) {
		function = &pflog->functions[at % FUNCTIONS];
		if (function->name == call->name)
			break;
		if (function->name)
			continue;
		if (pflog->function_count == FUNCTIONS / 2)
			return;
		pflog->function_count++;
		function->name = call->name;
		break;
	}
	function->calls++;
	function->time += amount_call_duration(call);
	pflog->changed = true;
}

static enum pflog_row row_of_call(struct pflog *pflog, const struct call *call)
{
	uintptr_t known = call->name ? (uintptr_t)map_get(&pflog->rows, call->name) : 0;
	enum pflog_row row;

	if (known)
		return (enum pflog_row)(known - 1);
	row = pflog_row_of_function(names_text(globals.catalog.names, call->name, NULL));
	if (call->name)
		map_set(&pflog->rows, call->name, (void *)((uintptr_t)row + 1));
	return row;
}

/* Returns false if the call has made no copy, or its record has not come. */
static bool find_copy(const struct pflog *pflog, const struct call *call, struct entry *entry)
{
	const struct copy *copy = place_of(pflog, call->made);

	if (call->records != 1 || copy->correlation != call->made)
		return false;
	entry->bytes = copy->bytes;
	entry->kind = copy->kind;
	return true;
}

static void put_line(struct pflog *pflog, const struct pflog_line *line)
{
	struct strbuf *text = &pflog->write.text[PFLOG_TIMELINE];
	size_t before = text->length;

	if (before < TEXT)
		pflog_put_line(text, &pflog->settings, line);
	if (text->failed)
		text->length = before;
	text->failed = false;
	pflog->missing += text->length == before;
}

static void add(struct pflog *pflog, struct pflog_line *line)
{
	struct pflog_count *count = &pflog->counts.rows[line->row];

	line->start += (uint64_t)globals.catalog.process.monotonic_to_epoch;
	count->calls++;
	count->time += line->duration;
	pflog->changed = true;
	put_line(pflog, line);
}

/* Memory that is allocated at an address in use replaces the one there, whose release was not
 * seen. */
static void add_unseen_release(struct pflog *pflog, const struct entry *entry, uint64_t bytes)
{
	struct allocation event = {
		.frame.flags = ALLOCATION_FREED, .api = entry->api, .memory = entry->memory};
	enum pflog_row row = pflog_final_row(pflog_row_of_memory(&event), PFLOG_KIND_NONE,
					     pflog->settings.native_names);
	struct pflog_line line = {
		.row = row, .start = entry->start, .bytes = bytes, .kind = PFLOG_KIND_NONE};

	if (bytes && row != PFLOG_NONE)
		add(pflog, &line);
}

/* Returns the bytes by which the memory in use changes. An address is of one context at a time, which
 * CUPTI may not tell in time. */
static uint64_t change_memory(struct pflog *pflog, const struct entry *entry)
{
	uint64_t before = pflog->memory.bytes;
	const struct allocation event = {
		.frame.flags = entry->frees ? ALLOCATION_FREED : 0,
		.enter = entry->start,
		.leave = entry->leave,
		.address = entry->address,
		.bytes = entry->bytes,
		.memory = entry->memory,
	};

	memory_in_use_add(&pflog->memory, &event);
	pflog->counts.memory = pflog->memory.bytes;
	if (pflog->memory.bytes > pflog->peak)
		pflog->peak = pflog->memory.bytes;
	return pflog->memory.bytes - before;
}

/* A release of memory whose allocation was not seen is not counted: then the difference between
 * the bytes of allocations and releases is the memory in use. */
static void settle(struct pflog *pflog, const struct entry *entry)
{
	struct pflog_line line = {
		.row = (enum pflog_row)entry->row,
		.start = entry->start,
		.duration = amount_between(entry->start, entry->leave),
		.bytes = entry->bytes,
		.kind = (enum pflog_kind)entry->kind,
	};
	uint64_t change = entry->allocates || entry->frees ? change_memory(pflog, entry) : 0;

	if (entry->frees) {
		line.bytes = -change;
		if (!change)
			return;
	}
	add(pflog, &line);
	if (entry->allocates)
		add_unseen_release(pflog, entry, entry->bytes - change);
}

static void wait_for_order(struct pflog *pflog, const struct entry *entry)
{
	if (pflog->entry_count < ENTRIES) {
		pflog->entries[pflog->entry_count++] = *entry;
		return;
	}
	settle(pflog, entry);
}

static void take_call(struct pflog *pflog, const struct call *call)
{
	enum pflog_row row, own;
	struct entry entry = {
		.start = call->enter,
		.leave = call->leave,
		.api = (uint8_t)call->api,
		.kind = PFLOG_KIND_NONE,
	};

	count_function(pflog, call);
	own = row_of_call(pflog, call);
	if (own == PFLOG_NONE || api_is_failure(call->api, call->result) ||
	    (pflog_is_copy(own) && !find_copy(pflog, call, &entry)))
		return;
	row = pflog_final_row(own, (enum pflog_kind)entry.kind, pflog->settings.native_names);
	if (row == PFLOG_NONE)
		return;
	/* OpenCL programs ask for the platforms any number of times. */
	if (row == PFLOG_INIT && row != own) {
		if (pflog->initialized)
			return;
		pflog->initialized = true;
	}
	entry.row = (uint8_t)row;
	if (pflog_is_in_timeline(row)) {
		wait_for_order(pflog, &entry);
		return;
	}
	pflog->counts.rows[row].calls++;
	pflog->counts.rows[row].time += amount_call_duration(call);
	pflog->changed = true;
}

static void take_allocation(struct pflog *pflog, const struct allocation *event)
{
	bool freed = event->frame.flags & ALLOCATION_FREED;
	enum pflog_row row = pflog_final_row(pflog_row_of_memory(event), PFLOG_KIND_NONE,
					     pflog->settings.native_names);

	if (row == PFLOG_NONE)
		return;
	wait_for_order(pflog, &(struct entry){
				      .start = event->enter,
				      .leave = event->leave,
				      .bytes = event->bytes,
				      .address = event->address,
				      .memory = event->memory,
				      .api = (uint8_t)event->api,
				      .row = (uint8_t)row,
				      .kind = PFLOG_KIND_NONE,
				      .allocates = !freed,
				      .frees = freed,
			      });
}

void pflog_take_event(struct session *session, const struct settings *settings,
		      const struct frame *event)
{
	struct pflog *pflog = pflog_of(session, settings);
	const void *at = event;

	if (!pflog)
		return;
	if (event->kind == FRAME_CALL)
		take_call(pflog, at);
	else if (event->kind == FRAME_ALLOCATION)
		take_allocation(pflog, at);
}

/* Merges two sorted runs; of equal ones, those of the first run come first. */
static void merge(struct entry *to, const struct entry *from, uint32_t middle, uint32_t end)
{
	uint32_t left = 0, right = middle;

	for (uint32_t i = 0; i < end; i++)
		to[i] = left < middle && (right >= end || from[left].start <= from[right].start)
				? from[left++]
				: from[right++];
}

static void sort(struct pflog *pflog)
{
	uint32_t count = pflog->entry_count;

	for (uint32_t size = 1; size < count; size *= 2) {
		struct entry *from = pflog->entries;

		for (uint32_t at = 0; at < count; at += 2 * size) {
			uint32_t left = count - at;

			merge(pflog->sorted + at, from + at, size < left ? size : left,
			      2 * size < left ? 2 * size : left);
		}
		pflog->entries = pflog->sorted;
		pflog->sorted = from;
	}
}

/* Writes the lines of the calls before which no other one can come. */
static void settle_ready(struct pflog *pflog, const uint64_t *horizons)
{
	uint32_t left = 0;

	sort(pflog);
	for (uint32_t i = 0; i < pflog->entry_count; i++) {
		const struct entry *entry = &pflog->entries[i];

		if (horizons && entry->start >= horizons[entry->api])
			pflog->entries[left++] = *entry;
		else
			settle(pflog, entry);
	}
	pflog->entry_count = left;
}

static void put_prometheus(const struct session *session, struct pflog *pflog)
{
	struct strbuf *to = &pflog->write.text[PFLOG_PROMETHEUS];
	struct strbuf host = STRBUF_INIT;
	const char *rank = filename_rank();

	to->length = 0;
	if (!pflog->settings.prometheus)
		return;
	filename_expand(&host, "%h", 0, 0);
	prometheus_put(to, &(struct prometheus_values){
				   .catalog = &globals.catalog,
				   .devices = pflog->devices,
				   .device_count = pflog->device_end,
				   .functions = pflog->functions,
				   .function_room = FUNCTIONS,
				   .memory = pflog->counts.memory,
				   .peak = pflog->peak,
				   .lost = atomic_load(&globals.lost) + session->logs.lost,
				   .recorded = clock_monotonic() - pflog->begun,
				   .host = strbuf_text(&host),
				   .rank = rank ? rank : "",
			   });
	strbuf_free(&host);
}

static void put_texts(const struct session *session, struct pflog *pflog)
{
	struct strbuf *metrics = &pflog->write.text[PFLOG_METRICS];

	metrics->length = 0;
	pflog_put_metrics(metrics, &pflog->settings, &pflog->counts);
	put_prometheus(session, pflog);
	for (int file = PFLOG_METRICS; file < PFLOG_FILES; file++) {
		if (pflog->write.text[file].failed) /* nothing is better than a part */
			pflog->write.text[file].length = 0;
		pflog->write.text[file].failed = false;
	}
}

/* A full disk makes one message, though no file can be written. */
static void say_error(struct pflog *pflog, enum pflog_file file)
{
	int error = pflog->write.errors[file];

	if (!error || pflog->said == error)
		return;
	pflog->said = error;
	if (!pflog_files_path(&pflog->write, file, pflog->write.tag, pflog->write.path))
		say("cannot write %s: %s; it is tried again", pflog->write.path,
		    file_reason(error));
}

static bool may_open_later(int error)
{
	return error == EMFILE || error == ENFILE || error == EBADF;
}

static void say_refused(const struct pflog *pflog)
{
	say("cannot write metrics logs to %s: %s; the program runs without them",
	    pflog->write.directory, file_reason(pflog->write.errors[PFLOG_TIMELINE]));
}

static void say_renamed(struct pflog *pflog)
{
	struct pflog_job *write = &pflog->write;

	if (!write->renamed || pflog_files_path(write, PFLOG_TIMELINE, "", write->other) ||
	    pflog_files_path(write, PFLOG_TIMELINE, write->tag, write->path))
		return;
	write->renamed = false;
	say("%s is taken, writing %s", write->other, write->path);
}

/* Takes the results of a write. */
static void finish(struct pflog *pflog)
{
	struct pflog_job *write = &pflog->write;
	struct strbuf *lines = &write->text[PFLOG_TIMELINE];

	if (!write->opened) {
		if (may_open_later(write->errors[PFLOG_TIMELINE]))
			return;
		say_refused(pflog);
		pflog->failed = true;
		return;
	}
	say_renamed(pflog);
	if (write->done)
		memmove(lines->data, lines->data + write->done, lines->length - write->done);
	lines->length -= write->done;
	for (int file = 0; file < PFLOG_FILES; file++) {
		say_error(pflog, (enum pflog_file)file);
		pflog->changed |= write->errors[file] != 0;
	}
}

/* Starts a write of what has changed, or continues one. Returns false while a file system does not
 * respond. */
static bool send(const struct session *session, struct pflog *pflog, const uint64_t *horizons)
{
	bool sent = filethread_is_sent(&pflog->write.job);

	if (!sent) {
		settle_ready(pflog, horizons);
		if (!pflog->changed && !pflog->write.text[PFLOG_TIMELINE].length)
			return true;
		put_texts(session, pflog);
		pflog->changed = false;
	}
	if (!pflog_files_write(&pflog->write)) {
		pflog->changed = true;
		return false;
	}
	finish(pflog);
	return true;
}

void pflog_write(struct session *session, const uint64_t *horizons)
{
	struct pflog *pflog = session->pflog;
	uint64_t now = clock_monotonic();

	if (!pflog || pflog->failed)
		return;
	if (horizons && pflog->written && now - pflog->written < pflog->settings.period * 1000000)
		return;
	pflog->written = now;
	if (send(session, pflog, horizons) && !horizons && !pflog->failed)
		send(session, pflog, NULL); /* what came during a write that was in progress */
}

bool pflog_is_waiting(const struct session *session)
{
	const struct pflog *pflog = session->pflog;

	return pflog && !pflog->failed &&
	       (pflog->changed || pflog->entry_count || pflog->write.text[PFLOG_TIMELINE].length);
}

static uint64_t count_lines(const struct strbuf *text)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < text->length; i++)
		lines += text->data[i] == '\n';
	return lines;
}

void pflog_close(struct session *session)
{
	struct pflog *pflog = session->pflog;
	uint64_t missing;

	if (!pflog || pflog->failed)
		return;
	pflog_write(session, NULL);
	if (filethread_is_sent(&pflog->write.job)) {
		say("a file system does not answer: the metrics logs in %s are incomplete",
		    pflog->write.directory);
		return;
	}
	missing = pflog->missing + count_lines(&pflog->write.text[PFLOG_TIMELINE]);
	if (missing && !pflog_files_path(&pflog->write, PFLOG_TIMELINE, pflog->write.tag,
					 pflog->write.path))
		say("%llu lines are missing in %s", (unsigned long long)missing,
		    pflog->write.path);
	file_send_close(&pflog->write.timeline);
}

void pflog_forked(struct session *session, bool none)
{
	if (session->pflog && !none)
		file_close(&session->pflog->write.timeline);
}
