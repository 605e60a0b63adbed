/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_CLOCKS_H
#define VIEW_RANKS_RANK_CLOCKS_H

#include "base/strbuf.h"
#include "model/catalog.h"

/*
 * The clocks of several processes. Times in traces are CLOCK_MONOTONIC, which is one clock for all
 * processes of one boot of a machine: a host. Hosts are aligned by their wall clocks. A process has
 * read both clocks at its start and at its end; between the readings of a host its wall clock may
 * have been corrected. The offset of a host is the middle of the smallest and the largest one that
 * was read, so its error is half of their distance.
 *
 * The error between two hosts is the sum of theirs. It does not include the difference of the wall
 * clocks themselves, which no trace shows.
 */
struct rank_clocks {
	struct strbuf hosts; /* struct rank_host */
	struct strbuf parts; /* uint32_t: index of the host, by part */
};

struct rank_host {
	uint8_t boot[PROCESS_BOOT];
	int64_t least, most; /* offsets from CLOCK_MONOTONIC to the epoch, nanoseconds */
	bool has_end;	     /* a process has read the clocks at its end */
};

enum { RANK_CLOCK_READING = 1000 /* nanoseconds: the error of a reading of both clocks */ };

/* Adds the process of the next part, with its offset at the end, or NULL. A process of an unknown
 * boot is a host of its own. Returns -1 without memory. */
int rank_clocks_add(struct rank_clocks *clocks, const struct process *process,
		    const int64_t *at_end);

/* Starts zeroed. */
void rank_clocks_free(struct rank_clocks *clocks);

/* Returns what is added to the CLOCK_MONOTONIC of the part to get the common time since 1970. */
int64_t rank_clocks_epoch(const struct rank_clocks *clocks, size_t part);

size_t rank_clocks_hosts(const struct rank_clocks *clocks);

/* Gets the largest error between two hosts in nanoseconds: 0 for one host. Returns false if it is
 * not known, since no process of a host has read its clocks at the end. */
bool rank_clocks_error(const struct rank_clocks *clocks, uint64_t *error);

/* Appends one sentence about it without a full stop. */
void rank_clocks_put(const struct rank_clocks *clocks, struct strbuf *to);

#endif
