/* SPDX-License-Identifier: MIT */
#include "session/pflog.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/say.h"
#include "model/amount.h"
#include "output/prometheus.h"
#include "session/manifest.h"
#include "session/pflog_calls.h"
#include "session/pflog_files.h"
#include "session/tell.h"
#include "settings/filename.h"

enum { FUNCTIONS = 1 << 10 /* in metrics.prom, twice as many as it can have */ };

struct pflog {
	struct metrics_settings settings;
	struct pflog_calls calls;
	struct prometheus_device **devices; /* by id; NULL unless metrics.prom is written */
	uint32_t device_end;
	struct prometheus_function *functions; /* FUNCTIONS, by hash */
	uint32_t function_count;
	uint64_t begun;	  /* CLOCK_MONOTONIC ns: since when there are metrics logs */
	uint64_t written; /* of the last write */
	bool changed;	  /* the sums of metrics.prom, since the last write; or a write failed */
	bool failed;	  /* nothing can be written */
	bool listed;	  /* for the tool */
	int printed_error; /* the error that was printed */
	struct pflog_job write;
};

/* Returns 0, or -1 without memory. */
static int prepare_sums(struct pflog *pflog)
{
	pflog->calls.settings = &pflog->settings;
	pflog->calls.catalog = &globals.catalog;
	pflog->calls.counts.pid = globals.catalog.process.pid;
	pflog->calls.lines = &pflog->write.text[PFLOG_TIMELINE];
	if (pflog->settings.prometheus) {
		pflog->devices = memory_map(CATALOG_DEVICES * sizeof(*pflog->devices));
		pflog->functions = memory_map(FUNCTIONS * sizeof(*pflog->functions));
		if (!pflog->devices || !pflog->functions)
			return -1;
	}
	return pflog_calls_prepare(&pflog->calls);
}

static void prepare(struct pflog *pflog, const struct settings *settings)
{
	struct strbuf directory = STRBUF_INIT;

	pflog->settings = settings->metrics;
	pflog->settings.directory = NULL; /* it belongs to the settings, which may change */
	pflog->begun = clock_monotonic();
	pflog->write.pid = globals.catalog.process.pid;
	pflog->write.timeline = LINEFILE_CLOSED;
	pflog->write.tagged = globals.forked && !filename_has(settings->metrics.directory, 'p');
	filename_expand(&directory, settings->metrics.directory, 0, pflog->write.pid);
	if (prepare_sums(pflog) || directory.failed) {
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

void pflog_take_record(struct session *session, const struct settings *settings,
		       const struct record *record)
{
	struct pflog *pflog = NULL;

	if (settings->metrics.directory && record->frame.kind == FRAME_COPY)
		pflog = pflog_of(session, settings);
	if (pflog)
		pflog_calls_note_copy(&pflog->calls, record);
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

void pflog_take_event(struct session *session, const struct settings *settings,
		      const struct frame *event)
{
	struct pflog *pflog = pflog_of(session, settings);
	const void *at = event;

	if (!pflog)
		return;
	if (event->kind == FRAME_CALL) {
		count_function(pflog, at);
		pflog_calls_take(&pflog->calls, at);
	} else if (event->kind == FRAME_ALLOCATION) {
		pflog_calls_take_allocation(&pflog->calls, at);
	}
}

static void put_prometheus(const struct session *session, struct pflog *pflog)
{
	struct strbuf *to = &pflog->write.text[PFLOG_PROMETHEUS];
	struct strbuf host = STRBUF_INIT;
	const char *rank = pflog->settings.rank;

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
				   .memory = pflog->calls.counts.memory,
				   .peak = pflog->calls.peak,
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
	pflog_put_metrics(metrics, &pflog->settings, &pflog->calls.counts);
	put_prometheus(session, pflog);
	for (int file = PFLOG_METRICS; file < PFLOG_FILES; file++) {
		if (pflog->write.text[file].failed) /* a part of the file would mislead */
			pflog->write.text[file].length = 0;
		pflog->write.text[file].failed = false;
	}
}

/* A full disk makes one message, though no file can be written. */
static void say_error(struct pflog *pflog, enum pflog_file file)
{
	int error = pflog->write.errors[file];

	if (!error || pflog->printed_error == error)
		return;
	pflog->printed_error = error;
	if (!pflog_files_path(&pflog->write, file, pflog->write.tag, pflog->write.path))
		say("cannot write %s: %s; it is tried again", pflog->write.path,
		    file_reason(error));
}

/* EBADF: the program closes descriptors that it has not opened. */
static bool may_open_later(int error)
{
	return file_lacks_descriptors(error) || error == EBADF;
}

static void say_refused(const struct pflog *pflog)
{
	tell("cannot write metrics logs to %s: %s; the program runs without them",
	     pflog->write.directory, file_reason(pflog->write.errors[PFLOG_TIMELINE]));
}

static void say_renamed(struct pflog *pflog)
{
	struct pflog_job *write = &pflog->write;

	if (!write->renamed || pflog_files_path(write, write->taken, "", write->other) ||
	    pflog_files_path(write, write->taken, write->tag, write->path))
		return;
	write->renamed = false;
	say("%s is taken, writing %s", write->other, write->path);
}

/* Takes the results of a write. */
static void take_results(struct pflog *pflog)
{
	struct pflog_job *write = &pflog->write;
	struct strbuf *lines = &write->text[PFLOG_TIMELINE];

	if (!write->opened) {
		pflog->changed = true;
		if (may_open_later(write->errors[PFLOG_TIMELINE]))
			return;
		say_refused(pflog);
		pflog->failed = true;
		return;
	}
	say_renamed(pflog);
	if (!pflog->listed)
		manifest_add("metrics", write->directory);
	pflog->listed = true;
	if (write->done)
		memmove(lines->data, lines->data + write->done, lines->length - write->done);
	lines->length -= write->done;
	for (int file = 0; file < PFLOG_FILES; file++) {
		say_error(pflog, (enum pflog_file)file);
		pflog->changed |= write->errors[file] != 0;
	}
}

static bool has_changed(const struct pflog *pflog)
{
	return pflog->changed || pflog->calls.changed || pflog->write.text[PFLOG_TIMELINE].length;
}

/* Starts a write of what has changed, or continues one. Returns false while a file system does not
 * respond. */
static bool send(const struct session *session, struct pflog *pflog, const uint64_t *horizons)
{
	bool sent = filethread_is_sent(&pflog->write.job);

	if (!sent) {
		pflog_calls_count(&pflog->calls, horizons);
		if (!has_changed(pflog))
			return true;
		put_texts(session, pflog);
		pflog->changed = pflog->calls.changed = false;
	}
	if (!pflog_files_write(&pflog->write)) {
		pflog->changed = true;
		return false;
	}
	take_results(pflog);
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
		send(session, pflog, NULL); /* the events that came during the write */
}

bool pflog_is_waiting(const struct session *session)
{
	const struct pflog *pflog = session->pflog;

	return pflog && !pflog->failed && (has_changed(pflog) || pflog->calls.entry_count);
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
	missing = pflog->calls.missing + count_lines(&pflog->write.text[PFLOG_TIMELINE]);
	if (missing && !pflog_files_path(&pflog->write, PFLOG_TIMELINE, pflog->write.tag,
					 pflog->write.path))
		tell("%llu %s missing in %s", (unsigned long long)missing,
		     missing == 1 ? "line is" : "lines are", pflog->write.path);
	file_send_close(&pflog->write.timeline.file);
}

void pflog_forked(struct session *session, bool none)
{
	if (session->pflog && !none)
		file_close(&session->pflog->write.timeline.file);
}
