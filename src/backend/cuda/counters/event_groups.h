/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_EVENT_GROUPS_H
#define BACKEND_CUDA_COUNTERS_EVENT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/counters/engine.h"
#include "backend/cuda/counters/events.h"

/*
 * The events of one context as CUPTI counts them. Counter registers are few, so events are assigned
 * to groups, one per domain of the hardware, and groups to sets. Each set is one pass of the
 * kernel. Results are CUPTI's.
 */
struct event { /* one input */
	cupti_event_group group;
	uint32_t instances; /* number of counted instances of its domain */
	double share;	    /* number of all its instances / counted instances */
	bool first;	    /* only the first instance is needed */
};

struct event_groups {
	const struct engine_device *device;
	cuda_context context;
	size_t count; /* of events */
	struct cupti_event_sets *sets;
	uint32_t enabled;     /* number of sets that are, or may be, enabled */
	bool replay;	      /* CUPTI runs each kernel once per set */
	bool all;	      /* all instances are counted, not only the first */
	struct event *events; /* one per input, as the arrays below */
	double *results;
	uint32_t *ids;
	uint64_t *readings; /* of one event: most_instances entries */
	uint32_t most_instances;
	size_t size; /* of the mapping that contains this struct */
};

/* Makes the groups and tries to enable them. On failure nothing is left. */
int event_groups_make(const struct engine_context *context, struct event_groups **groups);
void event_groups_free(struct event_groups *groups);

/* Starts counting. event_groups_disable must be called even after an error. */
int event_groups_enable(struct event_groups *groups);
int event_groups_disable(struct event_groups *groups);

/* Reads the values of the kernel that ran meanwhile into `results`. */
int event_groups_read(struct event_groups *groups);

#endif
