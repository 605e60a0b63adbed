/* SPDX-License-Identifier: MIT */
#include "cli/run/untraced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/say.h"
#include "cli/lines.h"
#include "cli/run/memory_file.h"
#include "model/frames.h"
#include "output/trace.h"

/* A line of artifact_lists.missing. */
struct untraced {
	uint64_t pid, started, records, events;
	size_t line;
};

static bool read_line(struct untraced *untraced, const char *line, size_t length)
{
	uint64_t *const values[] = {&untraced->pid, &untraced->started, &untraced->records,
				    &untraced->events};
	char *copy = strndup(line, length);
	const char *at = copy;
	bool good = copy;

	for (size_t i = 0; good && i < sizeof(values) / sizeof(values[0]); i++) {
		const char *end;

		*values[i] = number_read(at, &end);
		good = end > at && *end == (i < 3 ? ' ' : '\0');
		at = end + 1;
	}
	free(copy);
	return good && untraced->pid <= UINT32_MAX && untraced->records <= INT64_MAX &&
	       untraced->events <= INT64_MAX;
}

/* Orders by process; of one process the last line comes first. */
static int compare(const void *left, const void *right)
{
	const struct untraced *one = left, *other = right;

	if (one->started != other->started)
		return one->started < other->started ? -1 : 1;
	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	return one->line > other->line ? -1 : one->line < other->line;
}

static size_t read_all(struct untraced **all, struct strbuf *missing)
{
	const char *at = strbuf_text(missing), *line;
	struct strbuf list = STRBUF_INIT;
	size_t length, count = 0;

	while ((line = lines_next(&at, &length))) {
		struct untraced one = {.line = count};

		if (!read_line(&one, line, length))
			continue;
		strbuf_append(&list, &one, sizeof(one));
		count += !list.failed;
	}
	*all = calloc(count ? count : 1, sizeof(**all));
	if (*all && count)
		memcpy(*all, list.data, count * sizeof(**all));
	strbuf_free(&list);
	if (*all)
		qsort(*all, count, sizeof(**all), compare);
	return *all ? count : 0;
}

/* The traces that were made, one per line. */
static struct strbuf made;

/* Returns the path of the trace; NULL on failure. */
static char *make_trace(const struct untraced *untraced, const struct process *process)
{
	struct strbuf bytes = STRBUF_INIT;
	char *path;

	trace_put_header(&bytes);
	frames_put_process(&bytes, process);
	frames_put_lost(&bytes, 0, untraced->records + untraced->events, untraced->events);
	trace_finish(&bytes);
	path = memory_file_make(&bytes);
	strbuf_free(&bytes);
	if (path)
		strbuf_printf(&made, "%s\n", path);
	return path;
}

static void say_not_counted(const struct untraced *untraced)
{
	say("process %u could not write a trace: its %llu record%s and its %llu call%s and other "
	    "events are not in the counts of lost records",
	    (unsigned)untraced->pid, (unsigned long long)untraced->records,
	    untraced->records == 1 ? "" : "s", (unsigned long long)untraced->events,
	    untraced->events == 1 ? "" : "s");
}

size_t untraced_add(struct export_trace **traces, size_t count, struct strbuf *missing)
{
	struct untraced *all;
	size_t lines = read_all(&all, missing);

	for (size_t i = 0; i < lines; i++) {
		struct export_trace *more, added = {.path = NULL};

		added.process = (struct process){
			.pid = (uint32_t)all[i].pid,
			.started = all[i].started,
			.monotonic_to_epoch = clock_offset(CLOCK_REALTIME, CLOCK_MONOTONIC),
		};
		if (i && all[i].pid == all[i - 1].pid && all[i].started == all[i - 1].started)
			continue;
		added.path = make_trace(&all[i], &added.process);
		more = added.path ? memory_array(*traces, count + 1, sizeof(*more)) : NULL;
		if (more) {
			*traces = more;
			more[count++] = added;
		} else {
			say_not_counted(&all[i]);
			free(added.path);
		}
	}
	free(all);
	return count;
}

bool untraced_is(const char *path)
{
	return lines_have(strbuf_text(&made), path, strlen(path), false);
}
