/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_EVENTS_H
#define BACKEND_CUDA_COUNTERS_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The part of CUPTI (before 13) that counts events on devices up to compute capability 7.2.
 * Declared here for the same reason as in cupti.h, and compared with NVIDIA's headers by the same
 * tests.
 */
typedef struct cupti_event_group *cupti_event_group;

struct cupti_event_set { /* groups that can be counted at the same time */
	uint32_t count;
	cupti_event_group *groups;
};

struct cupti_event_sets { /* one per pass */
	uint32_t count;
	struct cupti_event_set *sets;
};

enum cupti_domain_attribute { CUPTI_DOMAIN_INSTANCES = 1, CUPTI_DOMAIN_TOTAL_INSTANCES = 3 };

enum cupti_group_attribute {
	CUPTI_GROUP_DOMAIN = 0,	       /* uint32_t */
	CUPTI_GROUP_ALL_INSTANCES = 1, /* int; may be set */
	CUPTI_GROUP_EVENT_COUNT = 3,   /* uint32_t */
	CUPTI_GROUP_EVENTS = 4,	       /* uint32_t of each */
	CUPTI_GROUP_INSTANCES = 5,     /* uint32_t: number of counted instances */
};

enum { CUPTI_EVENTS_OF_KERNELS = 1 }; /* collection mode */

enum { CUPTI_INVALID_EVENT = 5 }; /* of enum cupti_result */

/* Special values. */
#define CUPTI_EVENT_OVERFLOW UINT64_C(0xffffffffffffffff)
#define CUPTI_EVENT_INVALID  UINT64_C(0xfffffffffffffffe)

struct event_functions { /* the functions by their names without "cupti" */
#define FUNCTION(name, parameters) int(*name) parameters;
#include "backend/cuda/counters/events.def"
#undef FUNCTION
};

extern struct event_functions events;

/* Fills `events` from the library of `cupti`; false if a function is missing. */
bool events_find(void);

#endif
