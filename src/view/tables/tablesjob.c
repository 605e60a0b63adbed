/* SPDX-License-Identifier: MIT */
#include "view/tables/tablesjob.h"

#include <errno.h>
#include <stdio.h>

enum { PREFIX_SIZE = 24, FLUSH = 1 << 16 /* bytes of text */ };

const char *tables_prefix(const struct tables_job *job)
{
	static char prefix[PREFIX_SIZE];

	if (!job->options->pid)
		return "======== ";
	snprintf(prefix, sizeof(prefix), "==%u== ", job->options->pid);
	return prefix;
}

bool tables_want(const struct tables_job *job, unsigned tables)
{
	return job->options->wanted & tables;
}

void tables_note_start(struct tables_job *job, uint64_t start)
{
	if (start < job->first)
		job->first = start;
}

uint64_t tables_origin(const struct tables_job *job)
{
	const struct process *process = &job->catalog->process;
	uint64_t started = process->started + (uint64_t)process->monotonic_to_epoch;

	return job->options->pid && started < job->first ? started : job->first;
}

void tables_flush(struct tables_job *job, size_t least)
{
	if (job->text.length <= least)
		return;
	if (fwrite(job->text.data, 1, job->text.length, job->to) < job->text.length)
		job->error = errno;
	job->text.length = 0;
}

static void flush_page(void *job)
{
	tables_flush(job, FLUSH);
}

void tables_set_page(struct tables_job *job)
{
	const struct tables_options *options = job->options;

	job->page = (struct printer_page){
		.text = &job->text,
		.csv = options->csv,
		.time_unit = options->unit == TABLES_AUTO ? QUANTITY_AUTO : (int)options->unit - 1,
		.width = options->width,
		.flush = flush_page,
		.context = job,
	};
}

bool tables_has_rows(const struct tables_job *job)
{
	return job->totals.records > totals_untimed(&job->totals);
}
