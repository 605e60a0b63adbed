/* SPDX-License-Identifier: MIT */
#include "session/logcalls.h"

#include <errno.h>
#include <string.h>

#include "output/apilog.h"
#include "session/logfile.h"
#include "session/logname.h"

static uint64_t hash_of(const char *pattern)
{
	return frames_hash(pattern, strlen(pattern));
}

struct log_file *logcalls_of(struct logs *logs, unsigned int api)
{
	const struct settings *settings = api < API_COUNT ? logs->settings[api] : NULL;
	struct log_file *log;

	if (!settings || !settings->api_log)
		return NULL;
	if (logs->calls[api] || logs->count == MAX_LOGS)
		return logs->calls[api];
	log = logs_add(logs, settings, NULL, NULL);
	log->of_calls = true;
	log->pattern = hash_of(settings->api_log);
	log->target.layout.columns = 0;
	logs->calls[api] = log;
	return log;
}

/* Returns true if the buffer can take a row. While a file system does not respond, it takes few. */
static bool is_ready(struct logs *logs, struct log_file *log)
{
	if (!log->path && !log->failed && logs_try_open(logs, log)) {
		log->failed = !logs_may_open_later();
		logs->stalled |= errno == ETIMEDOUT;
		if (log->failed)
			logs_say_refused(logs, log, log->settings->api_log);
		return false;
	}
	return !log->failed && !file_is_sending(&log->append) &&
	       (!logs->stalled || log->buffer.length < LOG_BUFFER);
}

uint8_t logcalls_write(struct logs *logs, const struct call *call)
{
	struct log_file *log = logcalls_of(logs, call->api);
	const void *key = call;
	size_t before;

	if (!log) {
		logs->lost_calls.count++;
		return 0;
	}
	if (!is_ready(logs, log)) {
		logs_lose(logs, log, 1);
		return log_batch(log->sequence + 1);
	}
	before = log->buffer.length;
	if (!log->full)
		apilog_write(&log->target, call, &log->buffer);
	if (!logs_within_limits(log)) {
		log->buffer.length = before;
		logs->limited_calls.count++;
		return 0;
	}
	if (log->buffer.length == before) { /* no memory */
		log->buffer.failed = false;
		logs_lose(logs, log, 1);
		return log_batch(log->sequence + 1);
	}
	log->rows++;
	log->buffered++;
	if (!launched_before(key, &log->last)) {
		log->last.enter = call->enter;
		log->last.frame.correlation = call->frame.correlation;
	}
	return log_batch(log->sequence + 1);
}

bool logcalls_are_full(const struct logs *logs)
{
	for (int api = 0; api < API_COUNT; api++)
		if (logs->calls[api] && logs->calls[api]->buffer.length >= LOG_BUFFER)
			return true;
	return false;
}

/* Also those that logcalls_change has left open. */
void logcalls_flush(struct logs *logs)
{
	bool any = false;

	for (int api = 0; api < API_COUNT; api++)
		any |= logs->calls[api] != NULL;
	for (uint32_t i = 0; any && i < logs->count; i++) {
		struct log_file *log = &logs->files[i];

		if (!log->of_calls)
			continue;
		logs_flush(logs, log);
		if (logs->ringfile && !logs->stalled)
			logfile_note_lost(log, logs->ringfile->header);
	}
}

void logcalls_change(struct logs *logs, enum api api)
{
	struct log_file *log = logs->calls[api];
	const struct settings *settings = logs->settings[api];

	if (!log || logs->stalled ||
	    (settings && settings->api_log && log->pattern == hash_of(settings->api_log) &&
	     log->target.layout.format == settings->layout.format))
		return;
	file_send_close(&log->file);
	strbuf_free(&log->buffer);
	log->failed = true;
	logs->calls[api] = NULL;
}
