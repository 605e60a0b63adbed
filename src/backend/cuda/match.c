/* SPDX-License-Identifier: MIT */
#include "backend/cuda/match.h"

#include <stdatomic.h>

#include "backend/cuda/api_event.h"
#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/match_record.h"
#include "backend/cuda/match_slot.h"
#include "backend/cuda/match_waiting.h"
#include "backend/cuda/pending_uses.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/say.h"

enum {
	WORDS = MATCH_SLOTS / CORRELATION_WORD,
	WORKS = 1 << 16, /* pieces of work that wait for their calls */
};

/* The time that work waits for its call, in ns. CUPTI's records are requested every PERIOD
 * (source.c); two requests deliver all of them. */
#define WORK_WAITS UINT64_C(500000000)

struct work {
	struct record record;
	uint32_t next; /* of the same slot, with an earlier start */
};

static struct work *works; /* number 0 is none */
static uint32_t works_made, works_free, works_used;
static uint32_t newest;	 /* delivered correlation id */
static _Atomic uint64_t graphs_since; /* match_distrust_graphs */
static uint64_t revived; /* given up launches whose work has come */
static struct correlation_latest latest[CORRELATION_THREADS];

int match_init(void)
{
	works = memory_map((WORKS + 1) * sizeof(*works));
	return works && !match_slot_init() ? match_waiting_init(2 * MATCH_SLOTS) : -1;
}

/* Returns the number of waiting kernels of the slot that have values. */
static uint64_t count_counted(const struct match_slot *slot)
{
	uint64_t count = 0;

	if (!slot->work || counter_values_state(slot->correlation) == MEASURED_NOT)
		return 0;
	for (uint32_t at = slot->work; at; at = works[at].next)
		count += match_record_is_kernel(&works[at].record);
	return count;
}

void match_distrust_graphs(uint64_t since)
{
	atomic_store(&graphs_since, since);
}

/* Out of line: the common way of a record then needs fewer registers. */
static void __attribute__((cold, noinline)) tell_stale(void)
{
	static int said;

	say_once(&said, "CUPTI before CUDA 13.1 Update 1 gives wrong ids to graphs when recording "
			"is started again: their commands have no cputime");
}

/* Returns true if the call cannot have made this command of a graph. Its own call is not known
 * then: NVIDIA does not say which ids are wrong. */
static bool is_stale(const struct record *record, const struct match_call *call)
{
	uint64_t since = atomic_load(&graphs_since);

	if (!since || record->started < since || call->enter >= since)
		return false;
	tell_stale();
	return true;
}

/* `counted`: the slot's kernels have values. */
static void deliver(struct record *record, struct match_slot *slot, bool counted)
{
	const struct match_call *call = slot && match_slot_has_call(slot) ? &slot->call : NULL;

	if (record->handle && call && is_stale(record, call))
		call = NULL;

	counted &= match_record_is_kernel(record);
	if (counted && match_record_is_replay_pass(record, call, &slot->counted))
		return;
	match_record_set(record, call, slot && slot->met);
	if (slot) {
		slot->answered = true;
		slot->met |= record->frame.kind != FRAME_NONE;
		revived += slot->given_up;
		slot->given_up = false;
	}
	match_record_take(record, counted ? slot->correlation : 0);
	if (pending_uses_on && slot)
		pending_uses_deliver(slot->correlation, record);
}

/* Collects the waiting work of a slot, the earliest first; returns its number. */
static uint64_t deliver_all_of(struct match_slot *slot)
{
	uint32_t earliest = 0, next;
	uint64_t count = 0, kernels = count_counted(slot);

	for (uint32_t at = slot->work; at; at = next) {
		next = works[at].next;
		works[at].next = earliest;
		earliest = at;
	}
	slot->work = 0;
	slot->since = 0;
	match_record_begin(kernels, slot->correlation, &slot->call, &slot->counted);
	for (uint32_t at = earliest; at; at = next, count++) {
		next = works[at].next;
		deliver(&works[at].record, slot, kernels != 0);
		works[at].next = works_free;
		works_free = at;
	}
	works_used -= (uint32_t)count;
	return count;
}

static void give_up(void *former)
{
	struct match_slot *slot = former;

	if (slot->work)
		deliver_all_of(slot);
}

/* Returns the slot, assigned to this correlation; NULL if it is too old. Its former contents belong
 * to a much earlier call. */
static struct match_slot *claim(uint32_t correlation)
{
	struct match_slot *slot =
		correlation_claim(&match_table, MATCH_SHAPE, correlation, give_up);

	if (slot && ((int32_t)(correlation - newest) > 0 || !newest))
		newest = correlation;
	return slot;
}

void match_add_call(const struct match_call *call)
{
	struct match_slot *slot;

	correlation_note_latest(latest, call->thread, call->enter);
	/* Some work is made by calls that are unnamed in an old CUPTI, or unexpected. Only
	 * calls that are known to make work are waited for. */
	slot = claim(call->correlation);
	if (!slot)
		return;
	if (calls_make_work(call->kind) && !match_slot_has_call(slot) && !slot->answered)
		match_waiting_add(call->correlation);
	if (!match_slot_has_call(slot) || call->runtime)
		slot->call = *call;
}

static struct work *new_work(uint32_t *number)
{
	*number = works_free;
	if (works_free) {
		works_free = works[works_free].next;
	} else {
		if (works_made == WORKS)
			return NULL;
		*number = ++works_made;
	}
	works_used++;
	return &works[*number];
}

void match_add_work(const struct record *record, uint32_t correlation)
{
	struct match_slot *slot = correlation ? claim(correlation) : NULL;
	struct work *work;
	uint32_t number, *place;

	work = slot ? new_work(&number) : NULL;
	if (!work) {
		struct record copy = *record;

		deliver(&copy, slot, slot && counter_values_state(correlation) != MEASURED_NOT);
		return;
	}
	correlation_mark(&match_table, MATCH_SHAPE, correlation, true);
	for (place = &slot->work; *place && works[*place].record.started > record->started;)
		place = &works[*place].next;
	record_copy(&work->record, record);
	work->next = *place;
	*place = number;
}

void match_add_unlogged(uint32_t correlation)
{
	struct match_slot *slot = correlation ? claim(correlation) : NULL;

	if (slot)
		slot->answered = true;
}

void match_add_filtered(const struct record *record, uint32_t correlation)
{
	struct record copy = *record;

	copy.frame.kind = FRAME_NONE;
	if (api_event_wanted)
		api_event_no_record(correlation);
	if (counter_values_state(correlation) == MEASURED_NOT && !pending_uses_on)
		match_add_unlogged(correlation);
	else
		match_add_work(&copy, correlation);
}

/* A call of the driver may be inside one of the runtime API, whose record comes directly after: if
 * the thread's next call is there, there was none. */
static bool is_certain(const struct match_slot *slot)
{
	return match_slot_has_call(slot) &&
	       (slot->call.runtime ||
		correlation_is_over(latest, slot->call.thread, slot->call.leave));
}

/* For the slots of one word of marks: delivers the work whose call is certain, and the work that
 * has waited long enough. */
static uint64_t deliver_word(uint32_t word, uint64_t now, uint64_t patience)
{
	uint64_t count = 0;

	for (uint64_t left = match_table.marks[word]; left; left &= left - 1) {
		uint32_t bit = (uint32_t)__builtin_ctzll(left);
		struct match_slot *slot = match_slot_of(word * CORRELATION_WORD + bit);
		uint64_t waited;

		slot->since = slot->since ? slot->since : now;
		waited = now - slot->since;
		/* Without waiting work, nothing waits for counters. */
		if ((is_certain(slot) || waited >= patience) &&
		    !(patience && match_record_lacks(count_counted(slot), slot->correlation,
						  &slot->call, waited)))
			count += deliver_all_of(slot);
		if (!slot->work)
			match_table.marks[word] &= ~(UINT64_C(1) << bit);
	}
	return count;
}

/* Ids count calls, so the slots that are reused next are the oldest. The work is delivered nearly
 * in launch order, whatever the order of its arrival. */
static uint64_t deliver_waiting(uint64_t patience)
{
	uint64_t now = clock_monotonic(), count = 0;
	uint32_t first = newest % MATCH_SLOTS / CORRELATION_WORD + 1;

	for (uint32_t i = 0; i < WORDS; i++)
		count += deliver_word((first + i) % WORDS, now, patience);
	return count;
}

uint64_t match_deliver(bool all)
{
	return deliver_waiting(all ? 0 : WORK_WAITS);
}

bool match_has_backlog(void)
{
	return works_used > WORKS / 2;
}

uint64_t match_deliver_certain(void)
{
	return match_has_backlog() ? deliver_waiting(UINT64_MAX) : 0;
}

uint64_t match_count_late(void)
{
	uint64_t count = revived;

	revived = 0;
	return count;
}
