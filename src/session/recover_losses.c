/* SPDX-License-Identifier: MIT */
#include "session/recover_losses.h"

#include "session/logtrace.h"
#include "session/untraced.h"

static uint64_t less(uint64_t number, uint64_t by)
{
	return number > by ? number - by : 0;
}

static uint64_t removed(const struct recover_losses *losses)
{
	uint64_t found = losses->found + losses->rewritten;
	uint64_t written = losses->header->traced;

	return losses->is_continued ? less(written, found) : 0;
}

/* There is no trace yet if all records and events are missing. */
static void open_trace(struct logs *logs)
{
	for (int api = 0; api < API_COUNT; api++)
		if (logs->settings[api])
			logs_try_trace(logs, logs->settings[api]);
}

bool recover_losses_report(const struct recover_losses *losses, struct logs *logs)
{
	const struct trace_commit *commit = untraced_commit(losses->header);
	const struct trace_losses now = {
		.lost = losses->header->lost + removed(losses),
		.missing = less(commit->missing, losses->regained),
		.missing_events = less(commit->missing_events, losses->regained_events),
		.gaps = losses->header->gaps,
	};

	if (now.missing)
		open_trace(logs);
	if (!logs->trace.torn)
		logs_report_losses(logs, &now);
	return !logs->trace.path || logs->trace.losses_in_file.missing >= now.missing;
}
