/* SPDX-License-Identifier: MIT */
#ifndef MPI_EXCHANGE_H
#define MPI_EXCHANGE_H

#include "base/strbuf.h"

/*
 * Bytes between the ranks of the MPI job. All ranks call each of these functions, in the same
 * order. Errors of MPI, and missing memory for bytes that another rank waits for, end the job after
 * a message (MPI_Abort).
 */
struct exchange {
	int rank, size;
};

/* MPI may remove arguments of its own. */
struct exchange exchange_begin(int *argc, char ***argv);
void exchange_end(void);

/* Ends the job after a message. */
void exchange_no_memory(const struct exchange *exchange);

/* Returns true if all ranks have the same text, of less than 80 bytes. */
bool exchange_is_same(const char *text);

/* Gives the bytes of rank 0 to all others, which have empty ones. */
void exchange_share(const struct exchange *exchange, struct strbuf *bytes);

/* What the ranks reduce. */
struct exchange_value {
	/* Appends the value of this rank. */
	void (*put)(void *context, struct strbuf *to);
	/* Adds the value of other ranks, which are those directly after the ranks that this value
	 * is of. */
	void (*add)(void *context, const struct strbuf *from);
	void *context;
};

/* Rank 0 has the value of all ranks at the end: a binomial tree, in the order of the ranks. */
void exchange_reduce(const struct exchange *exchange, const struct exchange_value *value);

#endif
