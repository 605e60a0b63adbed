/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_FLOW_JOIN_H
#define VIEW_ADVISE_FLOW_JOIN_H

#include "view/advise/flow.h"

/* A use of memory with its command, and with what it has changed. */
struct flow_step {
	struct use use;
	struct flow_node_key node; /* of the command */
	bool is_sink;		   /* the command copies to the host, */
	bool is_source;		   /* or from it */
	bool is_only;		   /* no other part that the command uses can be written */
	bool is_first;		   /* of its command's uses */
	bool has_change;
	struct change change;
	const union event *values; /* FRAME_PATTERN, each with its FRAME_VALUE behind it; valid
				    * until the next call */
	size_t value_count;
};

/* Joins the records, uses, changes and patterns of a process, which may come in any order. Memory
 * as in view/stream/external_sort.h. */
struct flow_join;

struct flow_join *flow_join_new(void);	     /* NULL without memory */
void flow_join_free(struct flow_join *join); /* NULL: does nothing */

/* Other frames are ignored. Return 0, or -1 with one sentence in `error`. */
int flow_join_add(struct flow_join *join, const struct frame *frame, struct strbuf *error);
int flow_join_begin(struct flow_join *join, struct strbuf *error); /* after the last one */

/* Returns the number of changes so far. */
uint64_t flow_join_changes(const struct flow_join *join);
uint64_t flow_join_patterns(const struct flow_join *join);

/* Returns 1 and the next step, in the order in which the program entered the calls; 0 after the
 * last; -1 with one sentence in `error`. */
int flow_join_next(struct flow_join *join, struct flow_step *step, struct strbuf *error);

#endif
