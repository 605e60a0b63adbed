/* SPDX-License-Identifier: MIT */
/* Makes one file from one or several traces. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/distinct.h"
#include "cli/file_kind.h"
#include "cli/lines.h"
#include "cli/print/export.h"
#include "cli/print/print.h"
#include "cli/run/memory_file.h"
#include "cli/run/untraced.h"
#include "settings/filename.h"
#include "view/newfile.h"

void export_files(struct strbuf *to,
		  void (*add)(struct strbuf *to, const char *extension, const char *help))
{
	struct file_kind kind;

	for (unsigned int i = 0; file_kind_at(i, &kind); i++)
		if (kind.extension)
			add(to, kind.extension, kind.help);
}

bool export_may_write(const struct flags *flags, const struct view *view, const char *path)
{
	return flags->value[FLAG_FORCE] || view_is_free(view, path);
}

bool export_is_empty(const char *trace)
{
	struct stat status;

	return !lstat(trace, &status) && S_ISREG(status.st_mode) && !status.st_size;
}

void export_say_none(const struct exports *run, const char *why, const char *advice)
{
	say("no %s was made: %s%s", run->view ? run->flags->value[FLAG_OUTPUT] : "table", why,
	    advice);
}

bool export_is_growing(const char *trace)
{
	int fd = open(trace, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool written = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return written;
}

static void say_remarks(const struct stream *stream, const char *path)
{
	struct strbuf remarks = STRBUF_INIT;
	const char *at, *line;
	size_t length;

	stream_remarks(stream, &remarks);
	at = strbuf_text(&remarks);
	while ((line = lines_next(&at, &length)))
		say("%s: %.*s", path, (int)length, line);
	strbuf_free(&remarks);
}

static void say_lines(const char *at)
{
	const char *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		say("%.*s", (int)length, line);
}

static void say_losses(const struct stream *stream, const char *path)
{
	const struct process *process = &stream_catalog(stream)->process;
	const struct process_name name = process_name(process->pid, process->rank);
	uint64_t lost = stream_lost(stream) - stream_remarked_lost(stream);
	const char *reason = trace_cut_text(stream_cut(stream));
	const char *what = lost == 1 ? "record, call or other event is"
				     : "records, calls or other events are";

	say_remarks(stream, path);
	if (stream_is_incomplete(stream) && !untraced_is(path) && !memory_file_is(path))
		say("%s: records of process %s may be missing: its ring file could not be made or "
		    "recovered, or could not grow",
		    path, name.text);
	else if (stream_is_cut_off(stream) && !stream_is_damaged(stream) && reason)
		say("%s: %s", path, reason); /* of those in memory it is said already */
	/* The losses of a damaged log are its damaged lines, which are reported with the damage. */
	if (untraced_is(path) && lost)
		say("process %s has no trace or totals that can be read: %llu %s missing",
		    name.text, (unsigned long long)lost, what);
	else if (lost && memory_file_is(path))
		say("process %s: %llu %s lost", name.text, (unsigned long long)lost, what);
	else if (lost && !(stream_skips_damage(stream) && stream_is_damaged(stream)))
		say("%s: %llu %s missing", path, (unsigned long long)lost, what);
}

/* The process is in the catalog only after the first record or the end was read. */
int export_look(struct export_trace *trace, bool of_totals)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(trace->path, &error);
	struct process *process = &trace->process;
	const struct record *record;
	int result = stream ? 0 : -1;

	if (stream && of_totals)
		stream_want_totals(stream);
	if (!stream)
		say("%s", strbuf_text(&error));
	else if (stream_next(stream, &record, &error) >= 0)
		*process = stream_catalog(stream)->process;
	if (stream && stream_lacks_records(stream)) {
		say("%s", strbuf_text(&error));
		result = -1;
	}
	process->command = NULL;
	process->command_length = 0;
	stream_close(stream);
	strbuf_free(&error);
	return result;
}

static uint64_t started(const struct process *process)
{
	return process->started + (uint64_t)process->monotonic_to_epoch;
}

int export_write(const struct view *view, const struct export_trace *traces, size_t count,
		 const struct view_target *to)
{
	return export_write_ranks(view, traces, count, NULL, to);
}

int export_write_ranks(const struct view *view, const struct export_trace *traces, size_t count,
		       const struct stream_rank *in_order, const struct view_target *to)
{
	struct strbuf error = STRBUF_INIT;
	const char **paths = calloc(2 * count, sizeof(*paths)), **ranges = paths + count;
	bool *incomplete = calloc(count, sizeof(*incomplete));
	struct stream *stream;
	int result = -1;

	for (size_t i = 0; paths && incomplete && i < count; i++) {
		paths[i] = traces[i].path;
		ranges[i] = traces[i].ranges;
		incomplete[i] = traces[i].incomplete;
	}
	if (!paths || !incomplete)
		strbuf_string(&error, "out of memory");
	stream = paths && incomplete ? stream_open_all(paths, count, &error) : NULL;
	if (stream) {
		stream_set_incomplete(stream, incomplete);
		stream_set_ranges(stream, ranges);
		stream_set_ranks(stream, in_order);
		stream_on_part_end(stream, say_losses);
		result = view_write_to(view, to, stream, &error);
	}
	if (result >= 0) /* reads the last part if the view did not */
		stream_advance(stream, &error);
	say_lines(strbuf_text(&error));
	if (result >= 0 && stream_messages(stream))
		say_lines(stream_messages(stream));
	/* Of several inputs it is not known which ones have it. */
	if (result >= 0 && stream_left_out(stream))
		say("%s%snot in %s: %s", count > 1 ? "" : traces[0].path, count > 1 ? "" : ": ",
		    strbuf_text(to->path), stream_left_out(stream));
	stream_close(stream);
	free(incomplete);
	free(paths);
	strbuf_free(&error);
	return result;
}

static bool is_for_logs(const struct view *view, const struct flags *flags)
{
	static const enum flag_id of_logs[] = {FLAG_CSV,    FLAG_KEYVAL, FLAG_CONFIG, FLAG_DIALECT,
#define API(id, ...) FLAG_##id,
#include "model/api.def"
#undef API
					       FLAG_DEVICE, FLAG_CONTEXT};

	for (size_t i = 0; i < sizeof(of_logs) / sizeof(of_logs[0]); i++) {
		if (!flags->value[of_logs[i]])
			continue;
		say("--%s is for logs, not for a file that ends in %s", flag_rows[of_logs[i]].name,
		    view->extension);
		return true;
	}
	return false;
}

/* Makes one file from all arguments, ordered by start of the process. */
static int print_all(const struct view *view, const struct flags *flags,
		     struct export_trace *traces, size_t count)
{
	struct strbuf target = STRBUF_INIT;
	struct view_target to = {.path = &target, .replace = flags->value[FLAG_FORCE]};
	int result = EXIT_PROBLEM;

	export_sort(traces, count);
	filename_expand(&target, flags->value[FLAG_OUTPUT], 0, traces[0].process.pid);
	for (size_t i = 0; i < count; i++)
		if (print_same_file(traces[i].path, strbuf_text(&target)))
			goto out;
	if (!view_why_not_replaced(view, strbuf_text(&target)) &&
	    !export_may_write(flags, view, strbuf_text(&target))) {
		say("%s exists; use -f to overwrite it", strbuf_text(&target));
		goto out;
	}
	if (export_write(view, traces, count, &to))
		goto out;
	view_say_output(view, strbuf_text(&target));
	result = EXIT_DONE;
out:
	strbuf_free(&target);
	return result;
}

/* Lists the arguments that can be opened and have what the view needs; prints an error message for
 * the others. */
static size_t list_arguments(const struct view *view, const struct flags *flags, size_t given,
			     struct export_trace *traces)
{
	size_t count = 0;

	for (size_t i = 0; i < given; i++) {
		traces[count] = (struct export_trace){.path = flags->arguments[i]};
		count += !export_look(&traces[count], view->of_totals);
	}
	return count;
}

/* Duplicate files are removed first. */
static int print_arguments(const struct view *view, const struct flags *flags)
{
	int left = distinct_files(flags->arguments, flags->argument_count);
	size_t count = left > 0 ? (size_t)left : 0, used;
	struct export_trace *traces;
	int result = EXIT_PROBLEM;

	if (left < 0)
		return EXIT_PROBLEM;
	if (count > 1 && !view->holds_several) {
		say("a %s file holds one process: name one trace only",
		    view->extension);
		return EXIT_TOOL_FAILED;
	}
	traces = calloc(count, sizeof(*traces));
	if (!traces) {
		say("out of memory");
		return EXIT_PROBLEM;
	}
	used = list_arguments(view, flags, count, traces);
	if (used)
		result = print_all(view, flags, traces, used);
	free(traces);
	return used < count ? EXIT_PROBLEM : result;
}

int export_print(const struct view *view, const struct flags *flags)
{
	if (is_for_logs(view, flags) || flag_check_pattern(flags, FLAG_OUTPUT))
		return EXIT_TOOL_FAILED;
	return print_arguments(view, flags);
}

/* Unknown starts are 0, which wraps around to the largest value and sorts last. */
static int compare(const void *left, const void *right)
{
	const struct export_trace *one = left, *other = right;
	uint64_t first = started(&one->process) - 1, second = started(&other->process) - 1;

	if (first != second)
		return first < second ? -1 : 1;
	return one->process.pid < other->process.pid ? -1 : one->process.pid > other->process.pid;
}

void export_sort(struct export_trace *traces, size_t count)
{
	if (count)
		qsort(traces, count, sizeof(*traces), compare);
}
