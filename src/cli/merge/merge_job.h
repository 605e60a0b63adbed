/* SPDX-License-Identifier: MIT */
#ifndef CLI_MERGE_MERGE_JOB_H
#define CLI_MERGE_MERGE_JOB_H

#include "cli/flag.h"
#include "cli/merge/merge_files.h"
#include "view/ranks/rank_sums.h"

/*
 * The steps of a merge of sums: open, find, read and add each file, add those that are wrong,
 * finish. `computeprof merge` does them one after the other; computeprof-mpi reads the files in
 * other processes.
 */
struct merge_job {
	const struct flags *flags;
	bool demangle;
	bool by_process;
	int time_unit;
	unsigned width; /* of the table; 0: no limit */
	struct merge_files files;
	struct rank_sums sums;
	bool failed; /* an input is not in the sums */
};

/* Returns false after a message if no files are named. */
bool merge_job_has_files(const struct flags *flags);

/* Checks the options. `flags` must stay valid. Returns -1 after a message. The caller calls
 * merge_job_close in both cases. */
int merge_job_open(struct merge_job *job, const struct flags *flags);
void merge_job_close(struct merge_job *job);

/* Finds the files that are named. Returns -1 after a message without memory. */
int merge_job_find(struct merge_files *files, const struct flags *flags);

/* Reads a file into empty sums. Returns 0; 1 with a sentence, although it was read; or -1 with a
 * sentence. */
int merge_job_read(struct rank_sums *part, const char *path, struct strbuf *error);

/* Adds the sums of a file, with what merge_job_read has returned. What is wrong with a file is no
 * reason to stop: it is left out after a message, and 1 is returned; otherwise 0. Returns -1 after
 * a message without memory. */
int merge_job_add(struct merge_job *job, const char *path, const struct rank_sums *part, int result,
		  struct strbuf *error);

/* Adds the directories that could not be read as left out. Returns -1 after a message. */
int merge_job_add_wrong(struct merge_job *job);

/* Prints the table and writes the file of -o. Returns the exit code. */
int merge_job_finish(struct merge_job *job);

#endif
