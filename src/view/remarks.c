/* SPDX-License-Identifier: MIT */
/* What is said around the tables: what is missing, and why there is none. */
#include "view/tablesjob.h"

#define WANTED_GPU (1u << TABLE_SUMMARY | 1u << TABLE_GPU_TRACE)

static const char *const reasons[MISSING_COUNT] = {
	[MISSING_UNFINISHED] = "not over when the program ended",
	[MISSING_FAILED] = "failed",
	[MISSING_BAD] = "with times that cannot be",
	[MISSING_UNKNOWN] = "without times from the driver",
};

/* "3 without times from the driver, 1 failed" */
static void put_reasons(struct tables_job *job)
{
	const char *between = "";

	for (int i = 0; i < MISSING_COUNT; i++) {
		if (!job->survey.missing[i])
			continue;
		strbuf_printf(&job->text, "%s%llu %s", between,
			      (unsigned long long)job->survey.missing[i], reasons[i]);
		between = ", ";
	}
}

/*
 * As nvprof wrote it, its own name in it: there are scripts that look for this text to know that a
 * program was profiled (ReFrame checks), and that take its number and its command from there.
 */
void remarks_put_command(struct tables_job *job)
{
	const struct tables_options *options = job->options;

	if (!options->command || !options->pid)
		return;
	strbuf_printf(&job->text, "%sNVPROF is profiling process %u, command: %s\n",
		      tables_prefix(job), options->pid, options->command);
	strbuf_printf(&job->text, "%sProfiling application: %s\n", tables_prefix(job),
		      options->command);
}

/* Lines before the tables: those who read CSV know them as nvprof's, and skip them. */
void remarks_put_warnings(struct tables_job *job, const struct stream *stream)
{
	const char *prefix = tables_prefix(job);

	if (stream_lost(stream))
		strbuf_printf(&job->text, "%sWarning: %llu records are lost.\n", prefix,
			      (unsigned long long)stream_lost(stream));
	if (stream_is_cut_off(stream))
		strbuf_printf(&job->text,
			      "%sWarning: the program ended in the middle of its last record.\n",
			      prefix);
	if (!survey_untimed(&job->survey) || !tables_want(job, WANTED_GPU))
		return;
	strbuf_printf(&job->text,
		      "%sWarning: %llu records have no times and are left out: ", prefix,
		      (unsigned long long)survey_untimed(&job->survey));
	put_reasons(job);
	strbuf_string(&job->text, ".\n");
}

void remarks_put_nothing(struct tables_job *job, const struct stream *stream)
{
	const struct survey *survey = &job->survey;

	strbuf_string(&job->text, "No kernels were profiled.\n");
	strbuf_string(&job->text, tables_prefix(job));
	if (survey->records)
		strbuf_string(&job->text, "None of the records has times");
	else if (survey->seen)
		strbuf_printf(&job->text,
			      "None of the %llu records is of the kernels and devices asked for",
			      (unsigned long long)survey->seen);
	else if (stream_lost(stream))
		strbuf_string(&job->text, "All records are lost");
	else
		strbuf_string(&job->text, "The program made no kernel, copy or fill on a "
					  "device, or none while it was profiled");
	strbuf_string(&job->text, ".\n");
}

static void put_overhead(struct tables_job *job)
{
	const struct eventsum *events = &job->survey.events;

	if (!events->overheads)
		return;
	strbuf_printf(&job->text, "%sOverhead of profiling: ", tables_prefix(job));
	quantity_put(&job->text, &quantity_time, QUANTITY_AUTO,
		     (double)eventsum_overhead(events));
	strbuf_printf(&job->text, " in %llu intervals that are known.\n",
		      (unsigned long long)events->overheads);
}

void remarks_put_records(struct tables_job *job, const struct stream *stream)
{
	const struct survey *survey = &job->survey;
	uint64_t untimed = survey_untimed(survey);

	strbuf_printf(&job->text, "%sRecords: %llu in the sums, %llu without times, %llu lost",
		      tables_prefix(job), (unsigned long long)(survey->records - untimed),
		      (unsigned long long)untimed, (unsigned long long)stream_lost(stream));
	if (survey->seen > survey->records)
		strbuf_printf(&job->text, ", %llu not asked for",
			      (unsigned long long)(survey->seen - survey->records));
	strbuf_string(&job->text, ".\n");
	put_overhead(job);
}

void remarks_put_no_calls(struct tables_job *job)
{
	strbuf_printf(&job->text,
		      "No API activities were profiled.\n"
		      "%sOnly a trace that was made with COMPUTE_PROFILE_API=1 has API calls.\n",
		      tables_prefix(job));
}
