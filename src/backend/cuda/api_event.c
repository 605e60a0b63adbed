/* SPDX-License-Identifier: MIT */
#include "backend/cuda/api_event.h"

#include <string.h>

#include "backend/cuda/calls.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/correlation.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/launch_stacks.h"
#include "base/clock.h"
#include "base/say.h"
#include "model/event.h"
#include "session/session.h"

enum {
	SLOTS = 1 << 16,
	WORDS = SLOTS / CORRELATION_WORD,
};

/* The ns for which a call is held: of the driver, since it may be inside a call of the runtime API;
 * and one that makes work, until the work has come, which may take long. */
#define RUNTIME_WAITS UINT64_C(1500000000)
#define WORK_WAITS    UINT64_C(60000000000)

enum state { NO_CALL, HELD, OUT };

struct slot {
	uint32_t correlation;
	struct called call;
	uint64_t made;
	uint64_t since; /* CLOCK_MONOTONIC when it was first looked at; 0: not yet */
	uint32_t callback;
	int32_t result;
	uint16_t records;
	uint8_t state;
	bool runtime;
	bool answered; /* there was work */
};

bool api_event_wanted;
static struct correlation_table held;
static struct correlation_latest latest[CORRELATION_THREADS];

#define SHAPE ((struct correlation_shape){SLOTS, sizeof(struct slot)})

static uint32_t domain_of(const struct slot *slot)
{
	return slot->runtime ? CUPTI_DOMAIN_RUNTIME : CUPTI_DOMAIN_DRIVER;
}

static void hold(const struct slot *slot, bool yes)
{
	correlation_mark(&held, SHAPE, slot->correlation, yes);
}

static void send(const struct slot *slot)
{
	struct call event = {
		.frame = {.kind = FRAME_CALL,
			  .thread = slot->call.thread,
			  .stack = launch_stacks_of(slot->correlation)},
		.enter = slot->call.enter,
		.leave = slot->call.leave,
		.made = slot->made,
		.result = slot->result,
		.name = calls_name(domain_of(slot), slot->callback),
		.api = API_CUDA,
		.records = slot->records,
		.number = slot->callback,
	};

	session_take_event(&event.frame);
}

static void let_out(struct slot *slot)
{
	send(slot);
	slot->state = OUT;
	hold(slot, false);
}

static void give_up(void *former)
{
	struct slot *slot = former;

	if (slot->state == HELD)
		let_out(slot);
}

/* The slot, made this correlation's; NULL if it has a later one's by now, or without memory. */
static struct slot *claim(uint32_t correlation)
{
	if (!held.slots && correlation_init(&held, SHAPE)) {
		say_no_memory();
		return NULL;
	}
	return correlation_claim(&held, SHAPE, correlation, give_up);
}

/* Returns the present time if there is no time stamp. */
static uint64_t moment_of(uint64_t stamp)
{
	return stamp ? cupti_clock_monotonic(stamp) : clock_monotonic();
}

static bool makes_work(const struct slot *slot)
{
	return !slot->result && calls_make_work(calls_kind(domain_of(slot), slot->callback));
}

/* Returns true if `other`, with the same correlation, replaces the call of the slot: a call of the
 * runtime API replaces the driver's inside it, otherwise a call that makes work one that does
 * not. */
static bool gives_way(const struct slot *slot, const struct slot *other)
{
	if (slot->runtime != other->runtime)
		return other->runtime;
	return !makes_work(slot) && makes_work(other);
}

void api_event_add(const struct cupti_api *call)
{
	struct slot *slot;
	struct slot new = {
		.call = {.thread = call->thread,
			 .enter = moment_of(call->start),
			 .leave = moment_of(call->end)},
		.correlation = call->correlation,
		.callback = call->callback,
		.result = (int32_t)call->result,
		.runtime = call->kind == CUPTI_KIND_RUNTIME,
		.state = HELD,
	};

	if (contexts_is_own_query(call->thread, call->start, call->end))
		return;
	correlation_note_latest(latest, new.call.thread, new.call.enter);
	slot = call->correlation ? claim(call->correlation) : NULL;
	if (!slot || (slot->state == OUT && new.runtime && !slot->runtime)) {
		send(&new); /* its records may be those of the call sent before */
		return;
	}
	if (slot->state == OUT || (slot->state == HELD && !gives_way(slot, &new)))
		return;
	new.made = slot->made;
	new.records = slot->records;
	new.answered = slot->answered;
	*slot = new;
	hold(slot, true);
}

void api_event_made(uint32_t correlation)
{
	struct slot *slot = claim(correlation);
	uint64_t record = session_last_correlation() + 1;

	if (!slot || slot->state == OUT)
		return;
	slot->answered = true;
	if (!slot->made)
		slot->made = record;
	if (record == slot->made + slot->records && slot->records < UINT16_MAX)
		slot->records++;
}

void api_event_no_record(uint32_t correlation)
{
	struct slot *slot = correlation ? claim(correlation) : NULL;

	if (slot)
		slot->answered = true;
}

/* Returns true if the call is certainly the program's: the calls of a thread are delivered in
 * order, so a later one shows that no runtime call is around it. */
static bool is_certain(const struct slot *slot)
{
	return slot->runtime || slot->state == OUT ||
	       correlation_is_over(latest, slot->call.thread, slot->call.leave);
}

static bool is_due(struct slot *slot, uint64_t now)
{
	uint64_t waited;

	slot->since = slot->since ? slot->since : now;
	waited = now - slot->since;
	if (!is_certain(slot) && waited < RUNTIME_WAITS)
		return false;
	return slot->answered || !makes_work(slot) || waited >= WORK_WAITS;
}

uint64_t api_event_deliver(bool all)
{
	uint64_t now = clock_monotonic(), count = 0;

	for (uint32_t word = 0; held.slots && word < WORDS; word++)
		for (uint64_t left = held.marks[word]; left; left &= left - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(left);
			struct slot *slot =
				correlation_slot(&held, SHAPE, word * CORRELATION_WORD + bit);

			if (!all && !is_due(slot, now))
				continue;
			let_out(slot);
			count++;
		}
	return count;
}

uint64_t api_event_oldest(void)
{
	uint64_t oldest = UINT64_MAX;

	for (uint32_t word = 0; held.slots && word < WORDS; word++)
		for (uint64_t left = held.marks[word]; left; left &= left - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(left);
			const struct slot *slot =
				correlation_slot(&held, SHAPE, word * CORRELATION_WORD + bit);

			if (slot->call.enter < oldest &&
			    !calls_launch(calls_kind(domain_of(slot), slot->callback)))
				oldest = slot->call.enter;
		}
	return oldest;
}

bool api_event_find(uint32_t correlation, struct called *called)
{
	const struct slot *slot = NULL;

	if (held.slots && correlation)
		slot = correlation_slot(&held, SHAPE, correlation);
	if (!slot || slot->correlation != correlation || slot->state == NO_CALL ||
	    !is_certain(slot))
		return false;
	*called = slot->call;
	return true;
}
