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

/* Whether so many records are more than the launch has kernels, as far as is known. */
bool match_row_has_more(uint64_t records, uint32_t correlation);

/* Whether the kernel that was handed on last is this one. */
bool match_row_is_again(const struct record *record, const struct match_call *call,
			struct match_counted *counted);

/* What it has from its call, or from none (NULL), and its times on the clocks of records. `met`: an
 * earlier row has the call's time. */
void match_row_set(struct record *record, const struct match_call *call, bool met);

/* Hands it on, with the values of the launch's next kernel if it is not launch 0. */
void match_row_take(struct record *record, uint32_t correlation);

#endif
