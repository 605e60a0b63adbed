/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_JOB_TABLE_H
#define CLI_RUN_JOB_TABLE_H

#include <stdio.h>

#include "cli/run/rank_job.h"
#include "view/ranks/rank_sums.h"

/* One table for all ranks of a job on this machine, which the last of them prints. */
struct job_table {
	struct rank_job job;
	struct rank_sums sums; /* of this rank */
	bool failed; /* sums could not be read or made; without any, the rank is missing */
	bool demangle;
	int time_unit;
};

/* Returns true if this is a rank of a job of several; job_table_end must then be called. */
bool job_table_begin(struct job_table *table, bool demangle, int time_unit);

/* Adds the trace or totals of a process. `incomplete`: it has lost records. Returns 0, or -1 after
 * a message. */
int job_table_add(struct job_table *table, const char *path, uint32_t pid, bool incomplete);

/* Prints the table if all other ranks have ended; that of this rank if the others cannot get it. */
void job_table_end(struct job_table *table, FILE *to);

#endif
