/* SPDX-License-Identifier: MIT */
/* The inputs of the tables and files of a run: traces, or running totals with traces of ranges. */
#include "cli/print/export_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/pathlist.h"
#include "base/say.h"
#include "cli/lines.h"
#include "cli/run/untraced.h"

bool export_is_own(const struct exports *run, const char *trace)
{
	size_t length = run->folder ? strlen(run->folder) : 0;

	return length && !strncmp(trace, run->folder, length) && trace[length] == '/' &&
	       !strchr(trace + length + 1, '/');
}

void exports_others(const struct exports *run, struct strbuf *traces, struct strbuf *others)
{
	const char *at = strbuf_text(traces), *line;
	size_t length;
	char *path;

	for (; (line = lines_next(&at, &length)); free(path)) {
		path = pathlist_get(line, length);
		if (path && !export_is_own(run, path))
			strbuf_printf(others, "%.*s\n", (int)length, line);
	}
}

/* Returns true if the list of process ids, which may be NULL, has the process. */
static bool has_process(struct strbuf *list, const struct process *process)
{
	char pid[16];

	if (!list || !list->length)
		return false;
	snprintf(pid, sizeof(pid), "%u", process->pid);
	return lines_have(strbuf_text(list), pid, strlen(pid), false);
}

/* Returns true if records of the process may be in a ring file that could not be recovered. A ring
 * file of an unknown process counts for every process. */
static bool is_unrecovered(const struct exports *run, const struct process *process)
{
	return has_process(run->unrecovered, process) ||
	       (run->unrecovered && lines_have(strbuf_text(run->unrecovered), "0", 1, false));
}

/* Appends an entry for the file. Returns -1 without memory; 1 if it was not added, after a
 * message. */
static int add_trace(struct export_inputs *inputs, char *path)
{
	struct export_trace *more =
		memory_array(inputs->list, inputs->count + 1, sizeof(*inputs->list));
	struct export_trace *last = more + inputs->count;

	if (!more)
		return -1;
	inputs->list = more;
	*last = (struct export_trace){.path = path, .growing = export_is_growing(path)};
	if (export_look(last, true))
		return 1;
	inputs->count++;
	return 0;
}

/* Adds the traces of the list. Empty ones of the run's folder are removed and counted. */
static void add_traces(const struct exports *run, struct strbuf *traces,
		       struct export_inputs *inputs, size_t *empty)
{
	const char *at = strbuf_text(traces), *line;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);
		bool none = path && export_is_own(run, path) && export_is_empty(path);

		if (none)
			unlink(path);
		*empty += none;
		if (!path || none || add_trace(inputs, path))
			free(path); /* a trace that cannot be opened stays */
	}
}

struct export_unwritten export_unwritten(const struct exports *run, size_t traces)
{
	static const char advice[] = "; set TMPDIR to another directory";
	const char *errors = strbuf_text(run->unwritten), *end;
	int error = (int)number_read(errors, &end);
	const char *more = traces > 1 ? "s" : "";
	struct export_unwritten result = {.advice = advice};

	if (!errors[0] || strcmp(end, "\n") != 0) /* none is known, or there are several */
		result.advice = "";
	if (!*result.advice)
		snprintf(result.why, sizeof(result.why), "the trace%s could not be written", more);
	else if (error == ENOSPC)
		snprintf(result.why, sizeof(result.why),
			 "the file system had no space for the trace%s", more);
	else if (error == EFBIG)
		result = (struct export_unwritten){"a limit on file sizes, as of 'ulimit -f', "
						   "forbids to write a trace", ""};
	else
		snprintf(result.why, sizeof(result.why), "the trace%s could not be written: %s",
			 more, strerror(error));
	return result;
}

static void say_none(const struct exports *run)
{
	struct export_unwritten unwritten = export_unwritten(run, 1);

	export_say_none(run, unwritten.why, unwritten.advice);
}

static void say_some(const struct exports *run, size_t traces)
{
	struct export_unwritten unwritten = export_unwritten(run, traces);

	say("%zu process%s missing: %s%s", traces, traces > 1 ? "es are" : " is", unwritten.why,
	    unwritten.advice);
}

static void list_traces(const struct exports *run, struct strbuf *traces,
			struct export_inputs *inputs)
{
	size_t empty = 0;

	add_traces(run, traces, inputs, &empty);
	for (size_t i = 0; i < inputs->count; i++)
		inputs->list[i].incomplete = is_unrecovered(run, &inputs->list[i].process);
	if (empty && !inputs->count)
		say_none(run);
	else if (empty)
		say_some(run, empty);
	if (inputs->count)
		inputs->count = untraced_add(&inputs->list, inputs->count, run->missing);
}

/* The totals of a ring file that could not grow lack the records that were in memory only. */
static void add_totals(const struct exports *run, struct strbuf *totals,
		       struct export_inputs *inputs, bool alive)
{
	const char *at = strbuf_text(totals), *line;
	struct export_trace *last;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);

		if (!path || add_trace(inputs, path)) {
			free(path);
			continue;
		}
		last = &inputs->list[inputs->count - 1];
		last->totals = true;
		last->growing = alive;
		last->incomplete = has_process(run->ungrown, &last->process);
	}
}

static struct export_trace *totals_of(struct export_inputs *inputs, size_t count,
				      const struct process *process)
{
	for (size_t i = 0; i < count; i++)
		if (inputs->list[i].process.pid == process->pid &&
		    inputs->list[i].process.started == process->started)
			return &inputs->list[i];
	return NULL;
}

/* A process without totals writes all records to its trace, which is used in their place; but one
 * whose totals could not be read does not. */
static void add_ranges(const struct exports *run, struct export_inputs *inputs,
		       struct export_inputs *ranges)
{
	const size_t count = inputs->count;

	for (size_t i = 0; i < ranges->count; i++) {
		struct export_trace *trace = &ranges->list[i];
		struct export_trace *totals = totals_of(inputs, count, &trace->process);
		bool unrecovered = is_unrecovered(run, &trace->process);

		if (totals && !totals->ranges) {
			totals->ranges = trace->path;
			continue;
		}
		if (totals || (unrecovered && !has_process(run->whole, &trace->process)) ||
		    add_trace(inputs, trace->path)) {
			say("the totals of process %s are not known; its trace, with the NVTX "
			    "ranges only, is %s",
			    process_name(trace->process.pid, trace->process.rank).text,
			    trace->path);
			free(trace->path);
			continue;
		}
		inputs->list[inputs->count - 1].incomplete = unrecovered;
	}
}

/* Keeps the lines of processes that are not in the list: they have no totals. */
static void put_missing(struct strbuf *to, struct strbuf *missing,
			const struct export_inputs *inputs)
{
	const char *at = strbuf_text(missing), *line;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		unsigned long pid = strtoul(line, NULL, 10);
		size_t i = 0;

		while (i < inputs->count && inputs->list[i].process.pid != pid)
			i++;
		if (i == inputs->count)
			strbuf_printf(to, "%.*s\n", (int)length, line);
	}
}

static void list_totals(const struct exports *run, struct strbuf *traces,
			struct export_inputs *inputs)
{
	struct export_inputs ranges = {.list = NULL};
	struct strbuf missing = STRBUF_INIT;
	size_t empty = 0;

	add_totals(run, run->totals, inputs, false);
	add_totals(run, run->live, inputs, true);
	add_traces(run, traces, &ranges, &empty);
	add_ranges(run, inputs, &ranges);
	if (empty && !inputs->count)
		say_none(run);
	put_missing(&missing, run->missing, inputs);
	if (inputs->count)
		inputs->count = untraced_add(&inputs->list, inputs->count, &missing);
	strbuf_free(&missing);
	free(ranges.list);
}

/* Adds a trace without records for each process whose ring file is gone and of which there is
 * nothing else. */
static void add_gone(const struct exports *run, struct export_inputs *inputs)
{
	struct strbuf gone = STRBUF_INIT;

	put_missing(&gone, run->gone, inputs);
	inputs->count = untraced_add(&inputs->list, inputs->count, &gone);
	for (size_t i = 0; i < inputs->count; i++)
		inputs->list[i].incomplete |= untraced_is(inputs->list[i].path) &&
					      is_unrecovered(run, &inputs->list[i].process);
	strbuf_free(&gone);
}

void export_list(const struct exports *run, struct strbuf *traces, struct export_inputs *inputs)
{
	*inputs = (struct export_inputs){.list = NULL};
	if (run->from_totals)
		list_totals(run, traces, inputs);
	else
		list_traces(run, traces, inputs);
	add_gone(run, inputs);
	export_sort(inputs->list, inputs->count);
}

/* Adds the traces of the run's folder: a process cannot always list its files. */
void export_list_own(const struct exports *run, struct strbuf *traces)
{
	struct strbuf path = STRBUF_INIT, line = STRBUF_INIT, all = STRBUF_INIT;
	DIR *folder = run->folder ? opendir(run->folder) : NULL;
	const char *at = strbuf_text(traces), *next;
	const struct dirent *entry;
	struct map seen = {NULL};
	size_t length;

	while ((next = lines_next(&at, &length)))
		lines_add_new(&seen, &all, next, length);
	while (folder && (entry = readdir(folder))) {
		const char *extension = strrchr(entry->d_name, '.');

		if (!extension || strcmp(extension, ".cptrace"))
			continue;
		path.length = line.length = 0;
		strbuf_printf(&path, "%s/%s", run->folder, entry->d_name);
		pathlist_put(&line, strbuf_text(&path));
		lines_add_new(&seen, &all, strbuf_text(&line), line.length);
	}
	if (folder)
		closedir(folder);
	strbuf_free(traces);
	*traces = all;
	map_free(&seen);
	strbuf_free(&path);
	strbuf_free(&line);
}
