/* SPDX-License-Identifier: MIT */
#include "session/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "settings/filename.h"

char *rules_pattern(const char *pattern)
{
	struct strbuf name = STRBUF_INIT;
	char *path;

	filename_fix(&name, pattern);
	path = file_absolute_copy(strbuf_text(&name));
	strbuf_free(&name);
	return path;
}

/* As rules_pattern. If the working directory was removed, no file can have the returned name: the
 * file is refused when it is opened, and everything else is recorded. */
static char *pattern_of(const char *name)
{
	char *path = rules_pattern(name);

	if (path || *name == '/' || errno == ENOMEM || errno == ENAMETOOLONG)
		return path;
	return file_in_removed(name);
}

int rules_from_settings(struct settings *rules, const struct settings *settings)
{
	const char *rank;

	*rules = (struct settings){
		.enabled = settings->enabled,
		.layout = settings->layout,
		.api_calls = settings->api_calls,
		.values = settings->values,
		.stacks = settings->stacks,
		.totals = settings->totals,
		.totals_percentiles = settings->totals_percentiles,
		.trace_from_ranges = settings->trace_from_ranges,
		.ranges_asked = settings->ranges_asked,
		.record_limit = settings->record_limit,
		.byte_limit = settings->byte_limit,
		.ring = settings->ring,
		.metrics = settings->metrics,
		.no_log = settings->no_log,
	};
	rules->metrics.directory = NULL;
	rules->log = pattern_of(settings->log);
	if (rules->log && settings->trace)
		rules->trace = pattern_of(settings->trace);
	if (rules->log && settings->api_log)
		rules->api_log = pattern_of(settings->api_log);
	if (rules->log && settings->events)
		rules->events = pattern_of(settings->events);
	if (rules->log && settings->metrics.directory)
		rules->metrics.directory = rules_pattern(settings->metrics.directory);
	rules->more_outputs = rules->totals || rules->metrics.directory || rules->api_log ||
			      rules->events;
	rules->metrics.prometheus = rules->metrics.directory && settings->metrics.prometheus;
	rank = rules->metrics.prometheus ? filename_rank() : NULL;
	if (rank)
		rules->metrics.rank = strdup(rank);
	if (settings->bad_config)
		rules->bad_config = strdup(settings->bad_config);
	strbuf_append(&rules->warnings, settings->warnings.data, settings->warnings.length);
	strbuf_text(&rules->warnings);
	if (rules->log && (rules->trace || !settings->trace) &&
	    (rules->api_log || !settings->api_log) && (rules->events || !settings->events))
		return 0;
	rules_free(rules);
	return -1;
}

void rules_free(struct settings *rules)
{
	int error = errno;

	settings_free(rules);
	errno = error;
}

void rules_put_frame(struct strbuf *to, const struct settings *rules, bool forked)
{
	struct strbuf warnings = rules->warnings;
	struct rules_frame frame = {
		.frame.flags = (uint16_t)((rules->totals ? RULES_TOTALS : 0) |
					  (rules->trace_from_ranges ? RULES_TRACE_FROM_RANGES : 0)),
		.api = rules->layout.api,
		.dialect = rules->layout.dialect,
		.format = rules->layout.format,
		.columns = rules->layout.columns,
		.record_limit = rules->record_limit,
		.byte_limit = rules->byte_limit,
		.forked = forked,
	};

	frames_put_rules(to, &frame, rules->log, rules->trace ? rules->trace : "",
			 strbuf_text(&warnings));
	if (!rules->api_log)
		return;
	frame.frame.flags |= RULES_API_LOG;
	frames_put_rules(to, &frame, rules->api_log, "", "");
}

/* Returns true if the text has only whole warning lines. */
static bool are_warnings(const char *text, size_t size)
{
	static const char start[] = "NV_Warning: ";
	const char *end;

	for (; size; size -= (size_t)(end + 1 - text), text = end + 1) {
		end = memchr(text, '\n', size);
		if (!end || (size_t)(end - text) < strlen(start) ||
		    memcmp(text, start, strlen(start)) ||
		    !text_is_visible(text, (size_t)(end - text)))
			return false;
	}
	return true;
}

int rules_add_api_log(struct settings *rules, const struct rules_frame *frame)
{
	if (!frame->log_length || frame->log_length > frame->frame.size - sizeof(*frame))
		return -1;
	free(rules->api_log);
	rules->api_log = strndup(frame->text, frame->log_length);
	return rules->api_log ? 0 : -1;
}

int rules_from_frame(struct settings *rules, bool *forked, const struct rules_frame *frame)
{
	uint64_t texts = (uint64_t)frame->log_length + frame->trace_length + frame->warnings_length;
	const char *text = frame->text;

	if (texts > frame->frame.size - sizeof(*frame) || frame->api >= API_COUNT ||
	    frame->dialect >= DIALECT_COUNT || frame->format >= FORMAT_COUNT ||
	    !frame->log_length ||
	    frame->columns != column_set(frame->columns, (enum api)frame->api,
					 (enum dialect)frame->dialect))
		return -1;
	*rules = (struct settings){
		.enabled = true,
		.layout = {
			.api = (enum api)frame->api,
			.dialect = (enum dialect)frame->dialect,
			.format = (enum format)frame->format,
			.columns = frame->columns,
		},
		.record_limit = frame->record_limit,
		.byte_limit = frame->byte_limit,
		.totals = frame->frame.flags & RULES_TOTALS,
		.trace_from_ranges = frame->frame.flags & RULES_TRACE_FROM_RANGES,
		.log = strndup(text, frame->log_length),
	};
	text += frame->log_length;
	if (frame->trace_length)
		rules->trace = strndup(text, frame->trace_length);
	text += frame->trace_length;
	if (are_warnings(text, frame->warnings_length))
		strbuf_append(&rules->warnings, text, frame->warnings_length);
	strbuf_text(&rules->warnings);
	*forked = frame->forked != 0;
	return rules->log ? 0 : -1;
}
