/* SPDX-License-Identifier: MIT */
#include "view/tables.h"

#include "config.h"

#include <string.h>

#include "view/notes.h"
#include "view/tablesjob.h"

enum { PREFIX_SIZE = 24, NAME_LEAST = 16, ENOUGH = 1 << 16 };

static const char *const unit_names[] = {
	[TABLES_AUTO] = "auto", [TABLES_NS] = "ns", [TABLES_US] = "us",
	[TABLES_MS] = "ms",	[TABLES_S] = "s",
};

static const char *const reasons[MISSING_COUNT] = {
	[MISSING_UNFINISHED] = "not over when the program ended",
	[MISSING_FAILED] = "failed",
	[MISSING_BAD] = "with times that cannot be",
	[MISSING_UNKNOWN] = "without times from the driver",
};

int tables_unit(const char *name)
{
	for (int i = 0; i <= TABLES_S; i++)
		if (!strcmp(name, unit_names[i]))
			return i;
	return -1;
}

bool tables_demangles(void)
{
	return WITH_DEMANGLER;
}

const char *tables_prefix(const struct tables_job *job)
{
	static char prefix[PREFIX_SIZE];

	if (!job->options->pid)
		return "======== ";
	snprintf(prefix, sizeof(prefix), "==%u== ", job->options->pid);
	return prefix;
}

int tables_time_unit(const struct tables_job *job)
{
	return job->options->unit == TABLES_AUTO ? QUANTITY_AUTO : (int)job->options->unit - 1;
}

void tables_flush(struct tables_job *job, size_t least)
{
	if (job->text.length <= least)
		return;
	fwrite(job->text.data, 1, job->text.length, job->to);
	job->text.length = 0;
}

size_t tables_room(const struct tables_job *job, size_t length)
{
	if (!job->options->width || job->options->csv)
		return 0;
	return length + NAME_LEAST < job->options->width ? job->options->width - length
							 : NAME_LEAST;
}

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

/* Lines before the tables: those who read CSV know them as nvprof's, and skip them. */
static void put_warnings(struct tables_job *job, const struct stream *stream)
{
	const char *prefix = tables_prefix(job);

	if (stream_lost(stream))
		strbuf_printf(&job->text, "%sWarning: %llu records are lost.\n", prefix,
			      (unsigned long long)stream_lost(stream));
	if (stream_is_cut_off(stream))
		strbuf_printf(&job->text,
			      "%sWarning: the program ended in the middle of its last record.\n",
			      prefix);
	if (!survey_untimed(&job->survey))
		return;
	strbuf_printf(&job->text,
		      "%sWarning: %llu records have no times and are left out: ", prefix,
		      (unsigned long long)survey_untimed(&job->survey));
	put_reasons(job);
	strbuf_string(&job->text, ".\n");
}

static void put_why_nothing(struct tables_job *job, const struct stream *stream)
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

static void put_records(struct tables_job *job, const struct stream *stream)
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
}

static void put_tables(struct tables_job *job, const struct stream *stream)
{
	static void (*const put[])(struct tables_job * job) = {gputrace_put, summary_put};
	static const enum table order[] = {TABLE_GPU_TRACE, TABLE_SUMMARY};
	bool empty = job->survey.records == survey_untimed(&job->survey);

	put_warnings(job, stream);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!(job->options->wanted >> order[i] & 1))
			continue;
		strbuf_printf(&job->text, "%sProfiling result:\n", tables_prefix(job));
		if (empty)
			put_why_nothing(job, stream);
		else
			put[i](job);
	}
	if (empty || job->options->csv || !(job->options->wanted >> TABLE_SUMMARY & 1))
		return;
	put_records(job, stream);
	notes_put(&job->text, &job->survey, job->catalog->names, tables_prefix(job));
}

/* As stream_next: what came before damage is good. -2 when memory ran out. */
static int read_all(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	bool traced = job->options->wanted >> TABLE_GPU_TRACE & 1;
	const struct record *record;
	int result;

	while ((result = stream_next(stream, &record, error)) > 0) {
		int wanted = survey_add(&job->survey, job->catalog, record, error);

		if (wanted < 0)
			return -2;
		if (!wanted || !traced || !(record->known & KNOWN_TIMES))
			continue;
		if (gputrace_add(job, record)) {
			strbuf_string(error, "no memory for the trace");
			return -2;
		}
	}
	return result;
}

static int print(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	int result = read_all(job, stream, error);

	if (result == -2)
		return -1;
	put_tables(job, stream);
	tables_flush(job, 0);
	if (result < 0)
		return -1;
	if (!ferror(job->to) && !job->text.failed && !fflush(job->to))
		return 0;
	strbuf_string(error, "cannot write the tables");
	return -1;
}

int tables_print(FILE *to, struct stream *stream, const struct tables_options *options,
		 struct strbuf *error)
{
	struct tables_job job = {
		.options = options,
		.catalog = stream_catalog(stream),
		.survey = {.demangled = options->demangle,
			   .kernels = options->kernels,
			   .devices = options->devices,
			   .device_count = options->device_count,
			   .activities.percentiles = options->extras},
		.shapes = names_new(),
		.to = to,
	};
	int result = -1;

	if (!job.shapes)
		strbuf_string(error, "no memory for the tables");
	else if (!survey_open(&job.survey, error))
		result = print(&job, stream, error);
	survey_close(&job.survey);
	names_free(job.shapes);
	strbuf_free(&job.trace);
	strbuf_free(&job.text);
	return result;
}
