/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_EVENT_GROUPS_H
#define BACKEND_CUDA_COUNTERS_EVENT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/counters/engine.h"
#include "backend/cuda/counters/events.h"

/*
 * The events of one context as CUPTI counts them. There are few registers to count in: events are
 * dealt out to groups, one for each domain of the hardware, and groups to sets; each set is a pass
 * over the kernel. Results are CUPTI's.
 */
struct event { /* of an input */
	cupti_event_group group;
	uint32_t instances; /* of its domain that are counted */
	double share;	    /* all its instances / those that are counted */
	bool first;	    /* only the first one is wanted */
};

struct event_groups {
	const struct engine_device *device;
	cuda_context context;
	size_t count; /* of events */
	struct cupti_event_sets *sets;
	uint32_t enabled;     /* how many sets are, or may be */
	bool replay;	      /* CUPTI runs each kernel once for each set */
	bool all;	      /* instances are counted, not only the first */
	struct event *events; /* one for each input; so are those below */
	double *results;
	uint32_t *ids;
	uint64_t *readings; /* of one event, most_instances */
	uint32_t most_instances;
	size_t size; /* of the mapping that this is in */
};

/* Ready to be enabled, which has been tried; where that fails, nothing is left. */
int event_groups_make(const struct engine_context *context, struct event_groups **groups);
void event_groups_free(struct event_groups *groups);

/* Begins to count. Where that fails, disable what may be enabled all the same. */
int event_groups_enable(struct event_groups *groups);
int event_groups_disable(struct event_groups *groups);

/* What the kernel that ran since then has counted, into `results`. */
int event_groups_read(struct event_groups *groups);

#endif
