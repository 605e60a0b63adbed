/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_PERFETTO_STACKS_H
#define VIEW_TIMELINE_PERFETTO_STACKS_H

#include "view/stacks/stackframes.h"
#include "view/timeline/timeline.h"

/* The call stacks of a Perfetto trace: interned frames, which events and samples refer to. */
struct perfetto_stacks {
	struct flame flame;	    /* its frames, with their functions */
	struct stackframes *frames; /* NULL: without memory, or no stack so far */
	bool opened;
	struct keyed functions, paths, mappings, places, callstacks; /* that have been written */
	uint64_t cpu_time; /* of the samples so far, ns */
};

void perfetto_stacks_free(struct perfetto_stacks *stacks);

/* Returns the number of the call stack of an event, whose frames are in the file then; 0 if it is
 * not known. Call between packets only. */
uint64_t perfetto_stacks_of(struct timeline *timeline, struct perfetto_stacks *stacks,
			    const struct timeline_event *event);

/* Writes a sample of the CPU. */
void perfetto_stacks_put_sample(struct timeline *timeline, struct perfetto_stacks *stacks,
				const struct sample *sample);

#endif
