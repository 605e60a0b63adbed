/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_RECORD_H
#define BACKEND_CUDA_MATCH_RECORD_H

#include <stdbool.h>

#include "backend/cuda/match.h"

/* Makes records of pieces of work. Only for match.c. */

/* State of a launch whose kernels are counted: a kernel may run several times, with one record for
 * each pass. */
struct match_counted {
	bool any;      /* a kernel was delivered */
	bool again;    /* there are more records than kernels */
	uint64_t node; /* graph node of the last kernel */
};

/* Returns true for a kernel, and for one that is not logged (FRAME_NONE): its values are among
 * those of its launch. */
bool match_record_is_kernel(const struct record *record);

/* Returns true if the kernels of a launch must wait for values or, in a graph with more values than
 * kernels, for further kernels. `waited`: ns since the first of them came. */
bool match_record_lacks(uint64_t kernels, uint32_t correlation, const struct match_call *call,
			uint64_t waited);

/* Called before `kernels` kernels are delivered. If there are more kernels than values, some
 * kernels have several records. If a graph has fewer, the values cannot be assigned and are
 * dropped. */
void match_record_begin(uint64_t kernels, uint32_t correlation, const struct match_call *call,
			struct match_counted *counted);

/* Returns true if the record is a further pass of the kernel that was delivered last. */
bool match_record_is_replay_pass(const struct record *record, const struct match_call *call,
				 struct match_counted *counted);

/* Sets the members that come from the call (NULL: unknown), and converts the times to the clocks of
 * records. The record is counted for the call, so it must be delivered next. `met`: an earlier
 * record has the call's time. */
void match_record_set(struct record *record, const struct match_call *call, bool met);

/* Delivers the record if it is logged, with the values of the launch's next kernel unless the
 * launch is 0. */
void match_record_take(struct record *record, uint32_t correlation);

#endif
