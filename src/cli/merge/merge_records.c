/* SPDX-License-Identifier: MIT */
/* computeprof merge --records: one file with the records of all ranks, on one clock. */
#include "cli/merge/merge_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/inputfile.h"
#include "cli/print/export.h"
#include "cli/print/print.h"
#include "cli/wholefile.h"
#include "output/tracereader.h"
#include "view/ranks/rank_clocks.h"
#include "view/ranks/rank_identity.h"
#include "view/ranks/rank_names.h"
#include "view/ranks/rank_records.h"
#include "view/stream/spill_file.h"

/* A trace, with its rank. */
struct input {
	struct rank_name name;
	char *path;
	struct process process; /* without its command; `parts` is to be freed */
	int64_t at_end;
	bool has_end;
};

/* The view that is made from the merged trace. */
static const struct view *wanted;

static const struct view *find_view(const char *output)
{
	return text_ends(output, rank_records_view.extension) ? &rank_records_view
							      : view_find(output);
}

int merge_records_check(const struct flags *flags)
{
	static const enum flag_id of_sums[] = {FLAG_CSV,     FLAG_JSON,	      FLAG_UNIT,
					       FLAG_KERNELS, FLAG_DEMANGLING, FLAG_BY,
					       FLAG_LONGEST};
	const char *output = flags->value[FLAG_OUTPUT];

	for (size_t i = 0; i < sizeof(of_sums) / sizeof(of_sums[0]); i++) {
		if (!flags->value[of_sums[i]])
			continue;
		say("--%s is for sums, and excludes --records", flag_rows[of_sums[i]].name);
		return -1;
	}
	if (!output) {
		say("--records needs -o FILE");
		return -1;
	}
	if (!find_view(output)) {
		say("merge --records cannot write '%s': its extension is neither .cptrace nor one "
		    "that 'computeprof print --help' lists for traces",
		    output);
		return -1;
	}
	for (int i = 0; i < flags->argument_count; i++)
		if (print_same_file(flags->arguments[i], output))
			return -1;
	return wholefile_check(flags, find_view(output), output);
}

/* Returns -1 after a message without memory. */
static int copy_parts(struct process *process)
{
	size_t size = process->part_count * sizeof(*process->parts);
	struct process_part *copy = size ? malloc(size) : NULL;

	if (copy)
		memcpy(copy, process->parts, size);
	else if (size)
		say("out of memory for the list of processes");
	process->parts = copy;
	return size && !copy ? -1 : 0;
}

/* The process is known after the first frame, or at the end. Returns -1 after a message. */
static int look(struct input *input)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open(input->path, &error);
	const struct frame *frame;
	int result = reader ? trace_next_frame(reader, &frame, &error) : -1;

	if (result > 0 && trace_has_totals(reader)) {
		strbuf_printf(&error, TRACE_OF_TOTALS, input->path);
		result = -1;
	}
	if (result < 0) {
		inputfile_name_error(&error, input->path);
		say("%s", strbuf_text(&error));
	} else {
		input->process = trace_catalog(reader)->process;
		input->process.command = NULL;
		input->process.command_length = 0;
		result = copy_parts(&input->process);
		input->has_end = trace_end_clock(reader, &input->at_end);
	}
	trace_close(reader);
	strbuf_free(&error);
	return result < 0 ? -1 : 0;
}

static bool is_part(const struct input *input, const struct process_part *part)
{
	const struct process *process = &input->process;

	for (uint32_t i = 0; i < process->part_count; i++)
		if (process->parts[i].pid == part->pid &&
		    process->parts[i].started == part->started)
			return true;
	return process->pid && process->pid == part->pid && process_start(process) == part->started;
}

/* Returns true after a message if the last input, a merged trace, has a process of an earlier one.
 * Merged traces come last. */
static bool is_twice(const struct input *inputs, size_t last)
{
	const struct process *process = &inputs[last].process;
	struct strbuf text = STRBUF_INIT;
	const char *other = NULL;
	size_t found = 0;

	for (uint32_t i = 0; i < process->part_count; i++) {
		size_t at = 0;

		while (at < last && !is_part(&inputs[at], &process->parts[i]))
			at++;
		found += at < last;
		other = at < last && !other ? inputs[at].path : other;
	}
	if (other) {
		rank_identity_put_twice(&text, inputs[last].path, found, process->part_count,
					other);
		say("%s", strbuf_text(&text));
	}
	strbuf_free(&text);
	return other != NULL;
}

/* Equal ranks keep the order of their names. */
static int by_rank(const void *left, const void *right)
{
	const struct input *one = left, *other = right;

	if (one->name.rank != other->name.rank)
		return one->name.rank < other->name.rank ? -1 : 1;
	return strverscmp(one->path, other->path);
}

static int set_ranks(struct input *inputs, size_t count)
{
	struct rank_name *names = calloc(count, sizeof(*names));

	if (!names)
		return -1;
	for (size_t i = 0; i < count; i++)
		names[i] = (struct rank_name){.path = inputs[i].path, .pid = inputs[i].process.pid};
	rank_names(names, count);
	for (size_t i = 0; i < count; i++)
		inputs[i].name = names[i];
	free(names);
	qsort(inputs, count, sizeof(*inputs), by_rank);
	return 0;
}

static void take_messages(struct stream *from, struct stream *to)
{
	const char *at = stream_messages(from), *left = stream_left_out(from), *end;
	struct strbuf line = STRBUF_INIT;

	for (; at && (end = strchr(at, '\n')); at = end + 1) {
		line.length = 0;
		strbuf_append(&line, at, (size_t)(end - at));
		stream_put_message(to, strbuf_text(&line));
	}
	strbuf_free(&line);
	if (left)
		stream_leave_out(to, left);
}

/* A view's write: by a merged trace, which has no name. */
static int write_by_trace(const char *path, struct stream *stream, struct strbuf *error)
{
	int file = spill_file_open();
	struct stream *merged = NULL;
	char trace[32];
	int result;

	if (file < 0)
		return spill_file_fail("write", error);
	snprintf(trace, sizeof(trace), "/proc/self/fd/%d", file);
	result = rank_records_view.write(trace, stream, error);
	merged = result ? NULL : stream_open(trace, error);
	if (merged) {
		result = wanted->write(path, merged, error);
		take_messages(merged, stream);
	} else {
		result = -1;
	}
	stream_close(merged);
	close(file);
	return result;
}

/* Writes the file, with the clocks in its closing line. Returns as view_write. */
static int write_file(const struct flags *flags, const struct input *inputs, size_t count,
		      struct export_trace *traces, struct stream_rank *ranks,
		      struct rank_clocks *clocks)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct view_target target = {.path = &path, .replace = flags->value[FLAG_FORCE]};
	struct view view;
	int result;

	strbuf_string(&path, flags->value[FLAG_OUTPUT]);
	wanted = find_view(strbuf_text(&path));
	view = *wanted;
	if (!view.shows_ranks)
		view.write = write_by_trace;
	for (size_t i = 0; i < count; i++) {
		traces[i].path = inputs[i].path;
		ranks[i].rank = inputs[i].name.rank;
		ranks[i].epoch = rank_clocks_epoch(clocks, i);
	}
	result = export_write_ranks(&view, traces, count, ranks, &target);
	if (result >= 0) {
		rank_clocks_put(clocks, &text);
		say("%s", strbuf_text(&text));
		view_say_output(wanted, strbuf_text(&path));
	}
	strbuf_free(&path);
	strbuf_free(&text);
	return result;
}

static int merge_inputs(const struct flags *flags, struct input *inputs, size_t count)
{
	struct rank_clocks clocks = {0};
	struct export_trace *traces = calloc(count, sizeof(*traces));
	struct stream_rank *ranks = calloc(count, sizeof(*ranks));
	int result = traces && ranks ? set_ranks(inputs, count) : -1;

	for (size_t i = 0; !result && i < count; i++)
		result = rank_clocks_add(&clocks, &inputs[i].process,
					 inputs[i].has_end ? &inputs[i].at_end : NULL);
	if (result)
		say("out of memory for the list of files");
	else
		result = write_file(flags, inputs, count, traces, ranks, &clocks);
	rank_clocks_free(&clocks);
	free(traces);
	free(ranks);
	return result;
}

int merge_records(const struct flags *flags, char **paths, size_t count)
{
	struct input *inputs = calloc(count + 1, sizeof(*inputs));
	size_t used = 0;
	int result = -1;

	if (!inputs) {
		say("out of memory for the list of files");
		return EXIT_TOOL_FAILED;
	}
	for (size_t i = 0; i < count; i++) {
		inputs[used] = (struct input){.path = paths[i]};
		if (!look(&inputs[used]) && !is_twice(inputs, used))
			used++;
		else
			free(inputs[used].process.parts);
	}
	if (used)
		result = merge_inputs(flags, inputs, used);
	else
		say("no trace could be read, so nothing is merged");
	for (size_t i = 0; i < used; i++)
		free(inputs[i].process.parts);
	free(inputs);
	return result || used < count ? EXIT_PROBLEM : EXIT_DONE;
}
