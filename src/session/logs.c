/* SPDX-License-Identifier: MIT */
#include "session/logs.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/say.h"
#include "output/rowcache.h"
#include "session/logfile.h"
#include "session/logname.h"
#include "session/logreport.h"
#include "session/logtrace.h"
#include "session/manifest.h"

int logs_init(struct logs *logs, const struct catalog *catalog,
	      const struct settings *const *settings, struct ringfile *ringfile)
{
	*logs = (struct logs){
		.catalog = catalog,
		.settings = settings,
		.ringfile = ringfile,
		.pid = catalog->process.pid,
		.files = memory_map(MAX_LOGS * sizeof(struct log_file)),
		.rows = memory_map(sizeof(struct rowcache)),
		.trace.file = FILE_CLOSED,
	};
	return logs->files ? 0 : -1;
}

/* Returns the key of a log, never 0. */
static uint64_t key_of(enum dialect dialect, uint32_t device, uint32_t context)
{
	uint64_t key = (uint64_t)device + 1;

	return dialect == DIALECT_CUDA4 ? key | ((uint64_t)context + 1) << 32 : key;
}

struct log_file *logs_add(struct logs *logs, const struct settings *settings,
			  const struct device *device, const struct context *context)
{
	struct log_file *log = &logs->files[logs->count++];

	*log = (struct log_file){
		.target = {
			.layout = settings->layout,
			.catalog = logs->catalog,
			.device = device,
			.context = context,
			.cache = logs->rows,
		},
		.settings = settings,
		.recovering = logs->keep_existing,
		.file = FILE_CLOSED,
	};
	return log;
}

static struct log_file *find_log(struct logs *logs, uint32_t device, uint32_t context)
{
	const struct device *owner = catalog_device(logs->catalog, device);
	const struct settings *settings = owner ? logs->settings[owner->api] : NULL;
	const struct context *of = catalog_context(logs->catalog, context);
	struct log_file *log;
	uint64_t key;

	if (!settings || !of)
		return NULL;
	key = key_of(settings->layout.dialect, device, context);
	log = map_get(&logs->by_key, key);
	if (log || logs->count == MAX_LOGS)
		return log;
	log = logs_add(logs, settings, owner, of);
	if (!map_set(&logs->by_key, key, log))
		return log;
	logs->count--;
	return NULL;
}

struct log_file *logs_of(struct logs *logs, uint32_t device, uint32_t context)
{
	struct log_recent *recent = &logs->recent;

	/* The key is usually the same as the last time. */
	if (!recent->log || recent->device != device || recent->context != context)
		*recent = (struct log_recent){device, context, find_log(logs, device, context)};
	return recent->log;
}

void logs_close_for_good(struct logs *logs, struct log_file *log)
{
	map_set(&logs->by_key, key_of(log->target.layout.dialect, log->target.device->id,
				      log->target.context->id),
		NULL);
	logs->recent.log = NULL;
	if (logs->stalled) /* its rows are written later */
		return;
	file_send_close(&log->file);
	strbuf_free(&log->buffer);
	log->failed = true;
}

void logs_begin(struct logs *logs, struct log_file *log)
{
	struct strbuf warnings = log->settings->warnings;

	log->target.warnings = log->of_calls ? "" : strbuf_text(&warnings);
	log->recovered = logs->keep_existing;
	log->turn = ++logs->turn;
	logfile_begin(log, logs->ringfile);
	logs->stalled |= file_is_sending(&log->append);
}

/* Closes the least recently written log if the limit of open files is reached: OPEN_LOGS, or the
 * room in the file thread's table. A closed log is not locked. */
static void make_room(struct logs *logs)
{
	struct log_file *oldest = NULL;
	uint32_t room = filethread_room(), open = 0;

	if (room < OPEN_LOGS)
		room = OPEN_LOGS;
	for (uint32_t i = 0; i < logs->count; i++) {
		struct log_file *log = &logs->files[i];

		/* A file that is not regular cannot be reopened in the same state. */
		if (log->file.fd < 0 || !log->file.regular || file_is_sending(&log->append))
			continue;
		open++;
		if (!oldest || log->turn < oldest->turn)
			oldest = log;
	}
	if (open >= room)
		file_send_close(&oldest->file);
}

/* For a process whose list of files nobody reads. Without a log the trace is opened, too, since its
 * name is needed. */
static void say_place(struct logs *logs, const struct log_file *log)
{
	const char *path = log->path;
	static int said;
	static const char ended[] = "the computeprof that started this process has ended, or its "
				    "list of files is hidden, read-only or was removed: ";

	if (!strcmp(path, "/dev/null") && !logs_try_trace(logs, log->settings) && logs->trace.path)
		say_once(&said, "%sthe records of this process are only in its trace, %.300s",
			 ended, logs->trace.path);
	else if (!strcmp(path, "/dev/null"))
		say_once(&said, "%sthis process writes no log, and its records may be in no table",
			 ended);
	else
		say_once(&said,
			 "%sthe rows of this process are in its own log, %.300s, and may be "
			 "in no table",
			 ended, path);
}

bool logs_are_unread(const struct logs *logs)
{
	return manifest_is_unread(logs->ringfile && logs->ringfile->unseen);
}

int logs_try_open(struct logs *logs, struct log_file *log)
{
	const struct settings *settings = log->settings;
	const struct device *device = log->target.device;

	if (log->path || log->failed)
		return 0;
	make_room(logs);
	if (logs_open_name(logs, log, log->of_calls ? settings->api_log : settings->log,
			   &log->file, &log->path))
		return -1;
	if (device)
		log->target.counters = catalog_counters_of(logs->catalog, device->id);
	manifest_add(log->of_calls ? "calls" : "log", log->path);
	if (!logs->keep_existing && !log->of_calls && logs_are_unread(logs))
		say_place(logs, log);
	logs_begin(logs, log);
	return 0;
}

void logs_open(struct logs *logs, struct log_file *log)
{
	if (!logs_try_open(logs, log))
		return;
	log->failed = true;
	logs_say_refused(logs, log, log->settings->log);
}

bool logs_may_open_later(void)
{
	return file_lacks_descriptors(errno) || errno == ETIMEDOUT;
}

bool logs_must_wait(struct logs *logs, struct log_file *log)
{
	/* Other errors are reported when the next row is written. */
	if (!logs_try_open(logs, log) && !logs_try_trace(logs, log->settings))
		return false;
	logs->stalled |= errno == ETIMEDOUT;
	return logs_may_open_later();
}

bool logs_within_limits(struct log_file *log)
{
	const struct settings *settings = log->settings;

	if (settings->record_limit && log->rows >= settings->record_limit)
		log->full = true;
	if (settings->byte_limit && log->size + log->buffer.length > settings->byte_limit)
		log->full = true;
	return !log->full;
}

static enum untimed unfinished(struct logs *logs, const struct record *record)
{
	uint64_t exiting = atomic_load_explicit(&logs->exiting, memory_order_relaxed);

	if (logs->crowded)
		return UNTIMED_CROWDED;
	return exiting && record->enter >= exiting ? UNTIMED_EXITING : UNTIMED_UNFINISHED;
}

static void count(struct logs *logs, const struct record *record)
{
	if (record->known & KNOWN_TIMES)
		return;
	if (record->frame.flags & RECORD_BAD_TIMES)
		logs->untimed[UNTIMED_BAD]++;
	else if (record->frame.flags & RECORD_FAILED)
		logs->untimed[UNTIMED_FAILED]++;
	else if (record->frame.flags & RECORD_UNFINISHED)
		logs->untimed[unfinished(logs, record)]++;
	else
		logs->untimed[UNTIMED_SILENT]++;
}

void logs_write(struct logs *logs, struct log_file *log, const struct record *record)
{
	logs_write_trace(logs, log, record);
	logs_write_row(logs, log, record);
}

void logs_lose(struct logs *logs, struct log_file *log, uint64_t count)
{
	if (log->of_calls)
		logs->lost_calls.count += count;
	else
		logs->lost += count;
	log->lost += count;
}

void logs_write_row(struct logs *logs, struct log_file *log, const struct record *record)
{
	size_t before;

	count(logs, record);
	if (!log->path)
		logs_open(logs, log);
	if (log->failed) {
		logs_lose(logs, log, 1);
		return;
	}
	before = log->buffer.length;
	if (!log->full)
		output_formats[log->target.layout.format]->write(&log->target, record,
								 &log->buffer);
	if (!logs_within_limits(log)) {
		log->buffer.length = before;
		logs->limited += settings_have_log(log->settings);
		return;
	}
	if (log->buffer.length == before) { /* no memory for a name of this length */
		logs_lose(logs, log, 1);
		return;
	}
	log->rows++;
	log->buffered++;
	if (!launched_before(record, &log->last)) {
		log->last.enter = record->enter;
		log->last.frame.correlation = record->frame.correlation;
	}
}

void logs_flush(struct logs *logs, struct log_file *log)
{
	if (log->file.fd < 0 && log->buffer.length && !log->failed &&
	    !file_is_sending(&log->append))
		make_room(logs);
	log->turn = ++logs->turn;
	logs_lose(logs, log, logfile_flush(log));
	logs->stalled |= logfile_is_waiting(log);
}

void logs_close(struct logs *logs, uint64_t lost)
{
	logs_report(logs, lost);
	logs_end_trace(logs);
	if (!logs->stalled)
		logs_forget(logs);
}

static void keep_over_exec(struct logs *logs, bool keep)
{
	for (uint32_t i = 0; i < logs->count; i++)
		file_keep_over_exec(&logs->files[i].file, keep);
	file_keep_over_exec(&logs->trace.file, keep);
}

/* The start time of the process is known to one clock tick, and a first log may have been written
 * within it. */
void logs_before_exec(struct logs *logs)
{
	enum { MARGIN = 1000000 };
	int64_t now = clock_offset(CLOCK_REALTIME, CLOCK_MONOTONIC) + (int64_t)clock_monotonic();
	int64_t time = now > logs->born + MARGIN ? now : logs->born + MARGIN;

	if (!logs->born) {
		keep_over_exec(logs, true);
		return;
	}
	for (uint32_t i = 0; i < logs->count && !logs->stalled; i++)
		if (logs->files[i].path && logs->files[i].file.regular)
			file_send_stamp(&logs->files[i].file, logs->files[i].path, time);
	if (logs->trace.path && logs->trace.file.regular && !logs->stalled)
		file_send_stamp(&logs->trace.file, logs->trace.path, time);
}

void logs_exec_failed(struct logs *logs)
{
	if (!logs->born)
		keep_over_exec(logs, false);
}

static void free_buffers(struct logs *logs)
{
	for (uint32_t i = 0; i < logs->count; i++)
		strbuf_free(&logs->files[i].buffer);
	strbuf_free(&logs->trace.buffer);
	logs->count = 0;
}

void logs_forget(struct logs *logs)
{
	for (uint32_t i = 0; i < logs->count; i++)
		file_send_close(&logs->files[i].file);
	file_send_close(&logs->trace.file);
	free_buffers(logs);
}

void logs_forked(struct logs *logs, bool none)
{
	for (uint32_t i = 0; i < logs->count && !none; i++)
		file_close(&logs->files[i].file);
	if (!none)
		file_close(&logs->trace.file);
	free_buffers(logs);
}

static void free_path(char *path)
{
	if (path)
		memory_unmap(path, strlen(path) + 1);
}

void logs_free(struct logs *logs)
{
	uint32_t count = logs->count;

	if (!logs->files)
		return;
	logs_forget(logs);
	for (uint32_t i = 0; i < count; i++)
		free_path(logs->files[i].path);
	free_path(logs->trace.path);
	memory_unmap(logs->files, MAX_LOGS * sizeof(struct log_file));
	memory_unmap(logs->rows, sizeof(*logs->rows));
	map_free(&logs->by_key);
	*logs = (struct logs){.trace.file = FILE_CLOSED};
}
