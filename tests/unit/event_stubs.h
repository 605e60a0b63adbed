/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_EVENT_STUBS_H
#define TESTS_UNIT_EVENT_STUBS_H

/* Include after cmocka.h, once per program: runs api_event.c and activity_event.c of the CUDA back
 * end with stubs for the modules that they use. */
#include <string.h>

#include "backend/cuda/activity_event.h"
#include "backend/cuda/api_event.h"
#include "backend/cuda/calls.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/launch_stacks.h"
#include "base/clock.h"
#include "model/event.h"
#include "session/session.h"

/* Stub of the session: stores what it gets, with its number. In the stubs a call's callback is its
 * kind, and its name is that number; CUPTI's clock is the host's. */
enum { MOST = 32, SLOTS = 1 << 16 };
static union {
	struct frame frame;
	struct call call;
	struct wait wait;
	struct queue queue;
	struct recorded recorded;
	struct managed managed;
	struct allocation allocation;
	struct overhead overhead;
} taken[MOST];
static int count;
static uint64_t number;
static uint32_t newest; /* correlation */
static bool asked;
static bool known = true; /* the context */

/* The stack of a call has its id and one more. */
bool launch_stacks_on = true;

uint32_t launch_stacks_of(uint32_t correlation)
{
	return correlation + 1;
}

void session_take_event(struct frame *event)
{
	assert_true(count < MOST);
	memset(&taken[count], 0, sizeof(taken[count]));
	memcpy(&taken[count++], event,
	       event->kind == FRAME_ALLOCATION || event->kind == FRAME_MANAGED
		       ? sizeof(struct allocation)
		       : sizeof(struct call));
	number++;
}

uint64_t session_last_correlation(void)
{
	return number;
}

uint64_t cupti_clock_monotonic(uint64_t stamp)
{
	return stamp;
}

enum call_kind calls_kind(uint32_t domain, uint32_t callback)
{
	(void)domain;
	return callback;
}

uint32_t calls_name(uint32_t domain, uint32_t callback)
{
	return domain * 100 + callback;
}

bool contexts_is_own_query(uint32_t thread, uint64_t start, uint64_t end)
{
	(void)thread;
	(void)start;
	(void)end;
	return asked;
}

static const struct cuda_context_entry entry = {.id = 7, .device = 3};

const struct cuda_context_entry *contexts_find(uint32_t context)
{
	return known && context != UINT32_MAX ? &entry : NULL;
}

const struct cuda_context_entry *contexts_get(uint32_t context, uint32_t device)
{
	(void)context;
	(void)device;
	known = true;
	return &entry;
}

uint32_t contexts_stream(uint32_t context, uint32_t stream)
{
	(void)context;
	return stream + 100;
}

static inline int begin(void **state)
{
	(void)state;
	api_event_deliver(true);
	activity_event_deliver(true);
	newest += 1000;
	count = 0;
	known = true;
	asked = false;
	return 0;
}

enum { DRIVER = CUPTI_KIND_DRIVER, RUNTIME = CUPTI_KIND_RUNTIME };

static inline void call(int api, enum call_kind kind, uint32_t correlation, uint64_t enter,
			uint64_t leave, uint32_t result)
{
	api_event_add(&(struct cupti_api){
		.kind = (uint32_t)api,
		.callback = kind,
		.start = enter,
		.end = leave,
		.thread = newest + 7,
		.correlation = newest + correlation,
		.result = result,
	});
}

#endif
