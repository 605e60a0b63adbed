/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_WIRE_H
#define VIEW_RANKS_RANK_WIRE_H

#include "view/ranks/rank_sums.h"

/*
 * Sums as bytes, for another process of computeprof-mpi of the same version. Numbers have seven
 * bits in a byte, the lowest first; the top bit is set if more follow. A text is its length and its
 * bytes. A histogram has only its counts above 0, each with the distance from the one before it.
 */
#define RANK_WIRE_VERSION "2" /* the ranks of a job compare it */

/* The bytes that are not read yet. Reading beyond the end gives zeros and sets `failed`. */
struct rank_wire {
	const char *at, *end;
	bool failed;
};

void rank_wire_put(struct strbuf *to, uint64_t number);
void rank_wire_put_text(struct strbuf *to, const char *text, size_t length);

struct rank_wire rank_wire_of(const struct strbuf *bytes);
uint64_t rank_wire_get(struct rank_wire *from);

/* Returns the bytes of a text, which are not NUL-terminated. */
const char *rank_wire_get_text(struct rank_wire *from, size_t *length);

/* Appends the processes and missing files. */
void rank_wire_put_processes(struct strbuf *to, const struct rank_sums *sums);

/* Adds them to sums without processes. Returns -1 for invalid bytes, or without memory. */
int rank_wire_get_processes(struct rank_sums *sums, struct rank_wire *from);

/* Appends activities, histograms, entries and launches. */
void rank_wire_put_values(struct strbuf *to, const struct rank_sums *sums);

/* Adds them to sums without activities. Processes have an index below `processes`. Returns -1 for
 * invalid bytes, or without memory. */
int rank_wire_get_values(struct rank_sums *sums, struct rank_wire *from, uint64_t processes);

#endif
