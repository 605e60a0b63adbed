/* SPDX-License-Identifier: MIT */
#ifndef MPI_DECISIONS_H
#define MPI_DECISIONS_H

#include "cli/merge/merge_job.h"

/* Adds the processes of all files to `job`, in the order of the list, and prints the messages about
 * these files, as merge does it while it reads them. `outcomes` are those of all shares, one after
 * the other. Appends the decision about each file (share.h). Returns -1 after a message. */
int decisions_make(struct merge_job *job, char *const *list, int count,
		   const struct strbuf *outcomes, struct strbuf *decisions);

#endif
