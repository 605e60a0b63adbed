/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_ROW_H
#define BACKEND_CUDA_MATCH_ROW_H

#include <stdbool.h>

#include "backend/cuda/match.h"

/* What a piece of work becomes when it is handed on. Only for match.c. */

/* Of a launch whose kernels are counted: each may have run several times for that, with a record
 * for each time. */
struct match_counted {
	bool any;      /* a kernel has been handed on */
	bool again;    /* there are more records than kernels */
	uint64_t node; /* of the graph, of the last one */
};

/* A kernel; or one that nobody wants a row of (FRAME_NONE), but whose values are among those of its
 * launch. */
bool match_row_is_kernel(const struct record *record);

/* Whether so many kernels of a launch have to wait: for its values, or, if it is a graph and these
 * are more, for its other kernels. `waited`: since the first of them came, in ns. */
bool match_row_lacks(uint64_t kernels, uint32_t correlation, const struct match_call *call,
		     uint64_t waited);

/* So many are about to be handed on. Where they are more than there are values, some have several
 * records; where a graph's are fewer, nobody knows whose the values are, and none has any. */
void match_row_begin(uint64_t kernels, uint32_t correlation, const struct match_call *call,
		     struct match_counted *counted);

/* Whether the kernel that was handed on last is this one. */
bool match_row_is_replay_pass(const struct record *record, const struct match_call *call,
			struct match_counted *counted);

/* What it has from its call, or from none (NULL), and its times on the clocks of records; and what
 * the call has made with it, which comes next. `met`: an earlier row has the call's time. */
void match_row_set(struct record *record, const struct match_call *call, bool met);

/* Hands it on if it is wanted, with the values of the launch's next kernel if that is not launch
 * 0. */
void match_row_take(struct record *record, uint32_t correlation);

#endif
