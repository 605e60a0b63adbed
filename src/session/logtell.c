/* SPDX-License-Identifier: MIT */
#include "base/say.h"
#include "session/logs.h"
#include "session/manifest.h"

/* What the user is told of the logs. */

void logs_tell_lost(uint64_t count)
{
	say("%llu records were lost", (unsigned long long)count);
	manifest_add("lost", "-");
}

static void tell_missing(const struct trace_file *trace)
{
	unsigned long long events = trace->missing_events, records = trace->missing - events;

	if (records)
		say("%llu records are missing in the trace", records);
	if (events)
		say("%llu calls and other events are missing in the trace", events);
}

static struct log_file *first_open(struct logs *logs)
{
	for (uint32_t i = 0; i < logs->count; i++)
		if (logs->files[i].path && !logs->files[i].failed)
			return &logs->files[i];
	return NULL;
}

/* What stderr did not take goes to the end of a log, as a comment. */
static void write_unsaid(struct logs *logs)
{
	struct log_file *log = first_open(logs);
	const char *line;

	if (!log || logs->stalled)
		return;
	while ((line = say_next_unsaid())) {
		strbuf_string(&log->buffer, "# ");
		strbuf_string(&log->buffer, line);
	}
	logs_flush(logs, log);
}

void logs_tell(struct logs *logs, uint64_t lost)
{
	static const char *const reasons[UNTIMED_KINDS] = {
		[UNTIMED_BAD] = "the device gave time stamps that are zero or out of order",
		[UNTIMED_FAILED] = "their commands failed",
		[UNTIMED_SILENT] = "the driver gave no time stamps",
		[UNTIMED_CROWDED] = "too many commands were waiting for the device",
		[UNTIMED_UNFINISHED] = "the program ended before their commands did",
	};
	unsigned long long dropped = lost + logs->lost;

	logs_tell_trace(logs, dropped);
	if (dropped)
		logs_tell_lost(dropped);
	tell_missing(&logs->trace);
	if (logs->limited)
		say("%llu records were left out by the limits of the configuration file",
		    (unsigned long long)logs->limited);
	for (int kind = 0; kind < UNTIMED_KINDS; kind++)
		if (logs->untimed[kind])
			say("%llu records have no gputime: %s",
			    (unsigned long long)logs->untimed[kind], reasons[kind]);
	write_unsaid(logs);
}
