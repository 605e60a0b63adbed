/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_RANK_JOB_H
#define CLI_RUN_RANK_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The ranks of one job of a launcher (mpirun, srun) on one machine, each of which is started by a
 * computeprof of its own. They find each other by the launcher's variables, and meet in a folder in
 * TMPDIR that is named after the job. Each has two files there: N.lock, which is locked as long as
 * its computeprof lives, and N.json, its text, once its program has ended. The last one gets the
 * texts of all and removes the folder.
 *
 * A rank that was killed leaves its lock file unlocked. A rank that did not join, as it is not
 * started by computeprof, is waited for at most RANK_JOB_WAIT when all others have ended.
 */
enum { RANK_JOB_WAIT = 2000 /* milliseconds */ };

struct rank_job {
	uint64_t rank;
	uint64_t size; /* of the whole job */
	uint64_t here; /* ranks on this machine, as far as the launcher says */
	bool all_here; /* the launcher says that all ranks are on this machine */
	char *folder;  /* NULL: not joined */
	int lock;      /* the locked file */
	int all;       /* of the last rank: the file that keeps others out; or -1 */
};

/* Joins the job. Returns 0; -1 if there is none with several ranks, or if its folder cannot be
 * used. */
int rank_job_join(struct rank_job *job);

/* Stores the text of this rank, unless it is NULL; one sentence is in `error` if that failed.
 * Returns 1 if it is the last one, with the paths of all texts in `paths`, one per line; 0 if
 * another rank will be. */
int rank_job_end(struct rank_job *job, const struct strbuf *text, struct strbuf *paths,
		 struct strbuf *error);

/* Leaves the job; the last rank, after it has read the texts, removes the folder. A second call
 * does nothing. */
void rank_job_leave(struct rank_job *job, bool is_last);

#endif
