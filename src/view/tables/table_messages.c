/* SPDX-License-Identifier: MIT */
/* Messages around the tables: missing records, and reasons for an empty table. */
#include "view/tables/table_messages.h"

#include <errno.h>
#include <string.h>

#include "model/command.h"
#include "output/escape.h"
#include "view/format/demangle.h"
#include "view/tables/notes.h"

#define WANTED_GPU (1u << TABLE_SUMMARY | 1u << TABLE_GPU_TRACE)

static const char *const reasons[MISSING_COUNT] = {
	[MISSING_UNFINISHED] = "unfinished, or with times not read yet, when the program ended",
	[MISSING_FAILED] = "failed",
	[MISSING_BAD] = "with invalid times",
	[MISSING_UNKNOWN] = "without times from the driver",
};

/* Appends for example "3 without times from the driver, 1 failed". A log does not have the
 * reasons. */
static void put_reasons(struct tables_job *job, const struct stream *stream)
{
	const char *between = "";

	if (stream_lacks_events(stream)) {
		strbuf_string(&job->text, "a log does not have the reason");
		return;
	}

	for (int i = 0; i < MISSING_COUNT; i++) {
		if (!job->totals.missing[i])
			continue;
		strbuf_printf(&job->text, "%s%llu %s", between,
			      (unsigned long long)job->totals.missing[i], reasons[i]);
		between = ", ";
	}
}

/* nvprof prints no rank. The rank has a line of its own, so nvprof's lines stay as scripts expect
 * them. */
void table_messages_put_rank(struct tables_job *job)
{
	uint32_t rank = job->catalog->process.rank;

	if (rank)
		strbuf_printf(&job->text, "%sRank: %u\n", tables_prefix(job), rank - 1);
}

/*
 * The line is nvprof's, including its name: scripts search for it to detect that a program was
 * profiled (ReFrame checks), and read the process id and the command from it.
 */
void table_messages_put_command(struct tables_job *job)
{
	const struct tables_options *options = job->options;
	struct strbuf command = STRBUF_INIT;

	if (!options->ended || !options->pid)
		return;
	command_put(&command, &job->catalog->process, SIZE_MAX);
	if (!command.length)
		strbuf_string(&command, "(unknown)");
	strbuf_printf(&job->text, "%sNVPROF is profiling process %u, command: %s\n",
		      tables_prefix(job), options->pid, strbuf_text(&command));
	strbuf_printf(&job->text, "%sProfiling application: %s\n", tables_prefix(job),
		      strbuf_text(&command));
	strbuf_free(&command);
}

static void put_warning(struct tables_job *job, const char *text)
{
	strbuf_printf(&job->text, "%sWarning: %s.\n", tables_prefix(job), text);
}

static void put_lost(struct tables_job *job, const struct stream *stream)
{
	uint64_t events = stream_lost_events(stream);
	/* stream_remarked_lost() of them are in messages already. */
	uint64_t records = stream_lost(stream) - stream_remarked_lost(stream) - events;

	if (records)
		strbuf_printf(&job->text, "%sWarning: %llu record%s %s.\n", tables_prefix(job),
			      (unsigned long long)records, records == 1 ? " is" : "s are",
			      job->options->only_log
				      ? "missing: no trace or totals of the process can be read; "
					"its log may have them"
				      : "lost");
	if (events)
		strbuf_printf(&job->text, "%sWarning: %llu %s lost.\n", tables_prefix(job),
			      (unsigned long long)events,
			      events == 1 ? "call or other event is"
					  : "calls and other events are");
}

static void put_untimed(struct tables_job *job, const struct stream *stream)
{
	uint64_t count = totals_untimed(&job->totals);

	if (!count)
		return;
	strbuf_printf(&job->text, "%sWarning: %llu %s left out: ", tables_prefix(job),
		      (unsigned long long)count,
		      count == 1 ? "record has no times and is" : "records have no times and are");
	put_reasons(job, stream);
	strbuf_string(&job->text, ".\n");
}

static bool still_runs(const struct tables_job *job, const struct stream *stream)
{
	return job->options->running || stream_is_growing(stream);
}

/* Explains a following "No kernels were profiled.". */
static void put_no_records(struct tables_job *job, const struct stream *stream)
{
	const struct totals *totals = &job->totals;

	if (totals->records)
		put_warning(job, "no record has times");
	else if (totals->seen)
		strbuf_printf(&job->text,
			      "%sWarning: %s%llu record%s --kernels and --devices.\n",
			      tables_prefix(job), totals->seen == 1 ? "the " : "none of the ",
			      (unsigned long long)totals->seen,
			      totals->seen == 1 ? " does not match" : "s matches");
	else if (stream_lost(stream) && !job->options->only_log)
		put_warning(job, "all records are lost");
	else if (stream_lacks_events(stream)) /* logs have no mark at their end */
		put_warning(job, "the file has no rows, and it is not known whether some are "
				 "missing");
	else if (!job->options->cut && !job->options->unrecovered && !stream_lost(stream) &&
		 !still_runs(job, stream) &&
		 !stream_is_cut_off(stream)) /* else the reason is another one, or unknown */
		put_warning(job, "the program launched no kernel, copy or fill while it was "
				 "profiled, or a [filter] left all out");
}

/* Returns true if a note on idle time may be below the tables. */
static bool wants_idle_time(const struct tables_job *job)
{
	return job->options->notes && !job->options->csv && tables_has_rows(job) &&
	       tables_want(job, 1u << TABLE_SUMMARY);
}

/* Appends the messages of the file, line by line. */
static void put_remarks(struct tables_job *job, const struct stream *stream)
{
	const char *no_starts = stream_no_starts(stream), *at, *end;
	struct strbuf remarks = STRBUF_INIT;

	if (no_starts && (tables_want(job, 1u << TABLE_GPU_TRACE) || wants_idle_time(job)))
		put_warning(job, no_starts);
	stream_remarks(stream, &remarks);
	at = strbuf_text(&remarks);
	for (; (end = strchr(at, '\n')); at = end + 1) {
		strbuf_printf(&job->text, "%sWarning: ", tables_prefix(job));
		escape_put(&job->text, at, (size_t)(end - at), ESCAPE_SHOWN);
		strbuf_string(&job->text, ".\n");
	}
	strbuf_free(&remarks);
}

/* Running totals have less than a trace. */
static void put_left_out(struct tables_job *job)
{
	const struct totals *totals = &job->totals;
	uint64_t unplaced = totals_unplaced(totals);

	if (totals->unnamed)
		strbuf_printf(&job->text,
			      "%sWarning: %llu %s in " LABEL_OTHER_NAME ".\n", tables_prefix(job),
			      (unsigned long long)totals->unnamed,
			      totals->unnamed == 1
				      ? "kernel or function has no row of its own; its totals are"
				      : "kernels and functions have no row of their own; their "
					"totals are");
	if (unplaced)
		strbuf_printf(&job->text,
			      "%sWarning: %llu %s in no row: there was no memory for it.\n",
			      tables_prefix(job), (unsigned long long)unplaced,
			      unplaced == 1 ? "record is" : "records are");
	if (job->range_problem.length)
		put_warning(job, strbuf_text(&job->range_problem));
}

static bool is_mangled(const struct tables_job *job, const struct activity *activity)
{
	size_t length;
	const char *name = names_text(job->catalog->names, activity->like.name, &length);

	return activity->like.frame.kind == FRAME_KERNEL && !strncmp(name, "_Z", 2);
}

/* Names are demangled by default; without libiberty they are printed mangled. */
static void put_mangled(struct tables_job *job)
{
	size_t count;
	struct activity *const *list = activities_sorted(&job->totals.activities, &count);

	if (!job->options->demangle || demangle_built())
		return;
	for (size_t i = 0; i < count; i++) {
		if (!is_mangled(job, list[i]))
			continue;
		put_warning(job, "this computeprof was built without libiberty, so the C++ names "
				 "of kernels are mangled");
		return;
	}
}

static const char unrecovered[] =
	"records of this process may be missing: its ring file could not be "
	"made or recovered, or could not grow";

/* `error`: why the file could not be read to its end, or 0. */
static void put_cut_off(struct tables_job *job, const struct stream *stream, int error)
{
	const char *reason = trace_cut_text(stream_cut(stream));

	if (error)
		strbuf_printf(&job->text,
			      "%sWarning: the rest of the file could not be read: %s.\n",
			      tables_prefix(job),
			      error == EFBIG ? "a line is too long" : strerror(error));
	else if (stream_is_damaged(stream))
		put_warning(job, "the file is damaged: everything after the damage is missing");
	else
		put_warning(job, reason ? reason : unrecovered);
}

/* Lines before the tables. Programs that read CSV skip them, as nvprof's. */
void table_messages_put_warnings(struct tables_job *job, const struct stream *stream)
{
	bool of_gpu = tables_want(job, 1u << TABLE_SUMMARY);

	put_remarks(job, stream);
	put_lost(job, stream);
	put_left_out(job);
	if (job->options->unrecovered)
		put_warning(job, unrecovered);
	if (job->options->cut)
		put_warning(job, "a process of this run could not write to a file (a limit on "
				 "file sizes or open files, as of 'ulimit', a sandbox, or a full "
				 "disk): records may be missing, and no warning has their "
				 "number");
	if (stream_is_cut_off(stream))
		put_cut_off(job, stream, stream_error(stream));
	if (still_runs(job, stream))
		put_warning(job, "the process still runs: what it records from now on is missing");
	if (tables_want(job, WANTED_GPU)) {
		put_mangled(job);
		put_untimed(job, stream);
		if (!tables_has_rows(job))
			put_no_records(job, stream);
	}
	if (!job->totals.call_stats.count &&
	    (tables_want(job, 1u << TABLE_API_TRACE) ||
	     (tables_want(job, 1u << TABLE_API_SUMMARY) && !of_gpu)))
		put_warning(job,
			    "there are no API calls; only traces that are recorded with "
			    "COMPUTE_PROFILE_API=1 have them");
}

static void put_overhead(struct tables_job *job)
{
	const struct event_totals *events = &job->totals.events;

	if (!events->overheads)
		return;
	strbuf_printf(&job->text, "%sOverhead of profiling: ", tables_prefix(job));
	quantity_put(&job->text, &quantity_time, QUANTITY_AUTO,
		     (double)event_totals_overhead(events));
	strbuf_printf(&job->text, " in %llu recorded intervals.\n",
		      (unsigned long long)events->overheads);
}

void table_messages_put_records(struct tables_job *job, const struct stream *stream)
{
	const struct totals *totals = &job->totals;
	uint64_t untimed = totals_untimed(totals);

	strbuf_printf(&job->text, "%sRecords: %llu in the totals, %llu without times, ",
		      tables_prefix(job), (unsigned long long)(totals->records - untimed),
		      (unsigned long long)untimed);
	if (stream_has_uncounted_losses(stream))
		strbuf_string(&job->text, "an unknown number lost");
	else
		strbuf_printf(
			&job->text, "%llu lost",
			(unsigned long long)(stream_lost(stream) - stream_lost_events(stream)));
	if (totals_unplaced(totals))
		strbuf_printf(&job->text, ", %llu in no row",
			      (unsigned long long)totals_unplaced(totals));
	if (totals->unnamed)
		strbuf_printf(&job->text, ", %llu name%s in " LABEL_OTHER_NAME,
			      (unsigned long long)totals->unnamed,
			      totals->unnamed == 1 ? "" : "s");
	if (totals->seen > totals->records)
		strbuf_printf(&job->text, ", %llu excluded by options",
			      (unsigned long long)(totals->seen - totals->records));
	strbuf_string(&job->text, ".\n");
	put_overhead(job);
}

void table_messages_put_notes(struct tables_job *job, const struct stream *stream)
{
	job->totals.has_gaps = stream_has_gaps(stream);
	job->totals.gaps_unknown = !stream_tells_gaps(stream);
	if (stream_lost(stream) || stream_is_cut_off(stream) ||
	    stream_has_uncounted_losses(stream) || job->options->unrecovered ||
	    totals_unplaced(&job->totals))
		notes_put_none(&job->text, tables_prefix(job));
	else
		notes_put(&job->text, &job->totals, &job->shown, tables_prefix(job));
}
