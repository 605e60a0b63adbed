/* SPDX-License-Identifier: MIT */
#include "view/tables/tablesjob.h"

#include <stdio.h>

enum { PREFIX_SIZE = 24, NAME_LEAST = 16 };

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

bool tables_has_rows(const struct tables_job *job)
{
	return job->totals.records > totals_untimed(&job->totals);
}
