/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_EVENT_H
#define TESTS_FAKES_CUPTI_EVENT_H

#include "backend/cuda/counters/events.h"
#include "cupti_fake.h"

/*
 * Events, as libcupti counts them before release 13 on devices up to compute capability 7.2. From
 * release 13 on, and with a driver of CUDA 13, every function returns that it no longer does.
 *
 * Also misuse: a group or sets that are released, or whose context is; an attribute that does
 * not fit where it is to go, or is written while the group is enabled; events that are
 * read while a kernel runs in their context, or though one ran when they were enabled, or while
 * they are disabled, or into too little room; another collection mode while a group is enabled or
 * kernels are replayed; sets that are released, or a context, while they are enabled.
 */
enum {
	RESULT_INVALID_DOMAIN = 4,
	RESULT_INVALID_EVENT_NAME = 6,
};

enum quantity {
	OTHER,
	NOTHING, /* no kernel of the fakes counts it */
	BLOCKS,
	WARPS,
	THREADS,
	INSTRUCTIONS,
	BRANCHES,
	DIVERGENT,
	LOADS,
	STORES,
	SHARED_LOADS,
	SHARED_STORES,
};

enum { MULTIPROCESSORS = 8, MOST_INSTANCES = 8, MOST_IN_GROUP = 64, EVENT_CONTEXTS = 4097 };

/* A unit of the hardware with its own counters, of which there are several instances. */
struct event_domain {
	uint32_t id;
	uint32_t instances; /* all of them */
	uint32_t counted;   /* the first ones */
	uint32_t registers; /* events that are counted at the same time */
};

struct event_row {
	uint32_t number;
	const char *name;
	const struct event_domain *domain;
	int64_t first; /* compute capabilities */
	int64_t last;
	enum quantity quantity;
};

struct cupti_event_group {
	const struct event_domain *domain;
	cuda_context context;
	uint32_t context_id;
	uint32_t device;
	bool enabled;
	bool disturbed; /* a kernel was running when it was enabled */
	bool stuck;	/* disabling it has failed */
	bool released;
	int all;
	uint32_t count;
	const struct event_row *events[MOST_IN_GROUP];
	uint64_t values[MOST_IN_GROUP][MOST_INSTANCES];
	cupti_event_group older;
};

/* cupti_event.c. Returns NULL if the devices have no such event. */
const struct event_row *event_of(uint32_t id);
uint32_t event_id(const struct event_row *event);
/* As cupti_gate, for a library that may no longer count events. */
int event_gate(const char *function);
/* Returns how many events of a domain are counted at the same time. */
uint32_t event_registers(const struct event_domain *domain);

/* cupti_event_count.c. Computes the count of a kernel on each instance of its domain. */
void event_count(const struct event_row *event, const struct command *kernel, uint64_t *values);

/* cupti_event_group.c; the list of groups needs the lock, which event_gate does not take. */
void events_lock(void);
void events_unlock(const int *unused);
#define EVENTS_LOCKED()                                                                            \
	__attribute__((cleanup(events_unlock), unused)) int locked = (events_lock(), 0)
extern cupti_event_group event_groups;
cupti_event_group event_group_make(cuda_context context, const struct event_domain *domain);
uint32_t event_instances(cupti_event_group group); /* that it counts */
bool event_find_context(cuda_context context, uint32_t *id, uint32_t *device);
int event_gate_of_context(const char *function, cuda_context context, uint32_t *id);
int event_gate_of_group(const char *function, cupti_event_group group);

/* cupti_event_run.c: the driver's reports and queries. */
void event_hear(const struct command *command);
void event_hear_end(struct context *context);
bool event_is_serial(void);
unsigned event_passes(struct context *context);

#endif
