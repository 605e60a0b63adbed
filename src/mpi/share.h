/* SPDX-License-Identifier: MIT */
#ifndef MPI_SHARE_H
#define MPI_SHARE_H

#include "cli/merge/merge_job.h"
#include "mpi/exchange.h"
#include "view/ranks/rank_wire.h"

/*
 * The files that a rank reads: files one after the other in the list, of about as many bytes as
 * those of each other rank. Their sums are kept as bytes until rank 0 has decided which files
 * count.
 */
struct share {
	/* Of each file: one of SHARE_*, a sentence, and the processes, if it was read. */
	struct strbuf outcomes;
	/* Of each file: the number of bytes, and the values, if it was read. */
	struct strbuf values;
};

enum { SHARE_READ, SHARE_READ_WITH_SENTENCE, SHARE_NOT_READ, SHARE_NO_MEMORY };

/* Appends the list of files and the options that their sums depend on, for share_read. */
void share_put_plan(struct strbuf *to, const struct merge_job *job, char *const *list, int count);

/* Reads the files of this rank. Starts zeroed. */
void share_read(struct share *share, const struct exchange *exchange, struct rank_wire plan);

/* Appends the decision about the next file: it is left out, or its processes have these indexes. */
void share_put_refusal(struct strbuf *to);
void share_put_places(struct strbuf *to, const uint32_t *places, size_t count);

/* Adds the values of this rank's files by the decisions about all files. `plan` is that of
 * share_read. Returns -1 without memory. */
int share_add(const struct share *share, const struct exchange *exchange, struct rank_wire plan,
	      struct rank_wire decisions, struct rank_sums *sums);

void share_free(struct share *share);

#endif
