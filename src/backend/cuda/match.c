/* SPDX-License-Identifier: MIT */
#include "backend/cuda/match.h"

#include "backend/cuda/api_event.h"
#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/match_open.h"
#include "backend/cuda/match_row.h"
#include "backend/cuda/match_slot.h"
#include "base/clock.h"
#include "base/memory.h"

enum {
	WORDS = MATCH_SLOTS / CORRELATION_WORD,
	WORKS = 1 << 16, /* pieces of work that wait for their calls */
};

/* How long work waits for its call, in ns. CUPTI is asked for what it has every PERIOD (source.c);
 * two of these bring everything that is there. */
#define WORK_WAITS UINT64_C(500000000)

struct work {
	struct record record;
	uint32_t next; /* of the same slot, with an earlier start */
};

static struct work *works; /* number 0 is none */
static uint32_t works_made, works_free, works_used;
static uint32_t newest;	 /* correlation id that has come */
static uint64_t revived; /* launches given up whose work has come */
static struct correlation_latest latest[CORRELATION_THREADS];

int match_init(void)
{
	works = memory_map((WORKS + 1) * sizeof(*works));
	return works && !match_slot_init() ? match_open_init(2 * MATCH_SLOTS) : -1;
}

/* The kernels that wait here and that values belong to. */
static uint64_t count_counted(const struct match_slot *slot)
{
	uint64_t count = 0;

	if (!slot->work || counter_values_state(slot->correlation) == MEASURED_NOT)
		return 0;
	for (uint32_t at = slot->work; at; at = works[at].next)
		count += match_row_is_kernel(&works[at].record);
	return count;
}

/* `counted`: values belong to the slot's kernels. */
static void hand_on(struct record *record, struct match_slot *slot, bool counted)
{
	const struct match_call *call = slot && match_slot_has_call(slot) ? &slot->call : NULL;

	counted &= match_row_is_kernel(record);
	if (counted && match_row_is_replay_pass(record, call, &slot->counted))
		return;
	match_row_set(record, call, slot && slot->met);
	if (slot) {
		slot->answered = true;
		slot->met |= record->frame.kind != FRAME_NONE;
		revived += slot->given_up;
		slot->given_up = false;
	}
	match_row_take(record, counted ? slot->correlation : 0);
}

/* What waits in a slot, the earliest first; how many. */
static uint64_t hand_on_all_of(struct match_slot *slot)
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
	match_row_begin(kernels, slot->correlation, &slot->call, &slot->counted);
	for (uint32_t at = earliest; at; at = next, count++) {
		next = works[at].next;
		hand_on(&works[at].record, slot, kernels != 0);
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
		hand_on_all_of(slot);
}

/* The slot, made this correlation's; NULL if it is too old. What it held is that of a call long
 * ago. */
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
	/* Some work is made by calls that an old CUPTI has no name for, or that nobody would think
	 * of; only those that are known to make some are waited for. */
	slot = claim(call->correlation);
	if (!slot)
		return;
	if (calls_make_work(call->kind) && !match_slot_has_call(slot) && !slot->answered)
		match_open_add(call->correlation);
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

		hand_on(&copy, slot, slot && counter_values_state(correlation) != MEASURED_NOT);
		return;
	}
	correlation_mark(&match_table, MATCH_SHAPE, correlation, true);
	for (place = &slot->work; *place && works[*place].record.started > record->started;)
		place = &works[*place].next;
	record_copy(&work->record, record);
	work->next = *place;
	*place = number;
}

void match_add_nothing(uint32_t correlation)
{
	struct match_slot *slot = correlation ? claim(correlation) : NULL;

	if (slot)
		slot->answered = true;
}

void match_add_unwanted(const struct record *record, uint32_t correlation)
{
	struct record copy = *record;

	copy.frame.kind = FRAME_NONE;
	if (api_event_wanted)
		api_event_nothing(correlation);
	if (counter_values_state(correlation) == MEASURED_NOT)
		match_add_nothing(correlation);
	else
		match_add_work(&copy, correlation);
}

/* A driver's call may lie inside one of the runtime API, whose record comes right after: when the
 * thread's next call is there, none has come. */
static bool is_certain(const struct match_slot *slot)
{
	return match_slot_has_call(slot) &&
	       (slot->call.runtime ||
		correlation_is_over(latest, slot->call.thread, slot->call.leave));
}

/* What is certain, and what has waited for so long, of the slots in one word of marks. */
static uint64_t hand_on_word(uint32_t word, uint64_t now, uint64_t patience)
{
	uint64_t count = 0;

	for (uint64_t left = match_table.marks[word]; left; left &= left - 1) {
		uint32_t bit = (uint32_t)__builtin_ctzll(left);
		struct match_slot *slot = match_slot_of(word * CORRELATION_WORD + bit);
		uint64_t waited;

		slot->since = slot->since ? slot->since : now;
		waited = now - slot->since;
		/* Nobody waits for counters who waits for nothing. */
		if ((is_certain(slot) || waited >= patience) &&
		    !(patience && match_row_lacks(count_counted(slot), slot->correlation,
						  &slot->call, waited)))
			count += hand_on_all_of(slot);
		if (!slot->work)
			match_table.marks[word] &= ~(UINT64_C(1) << bit);
	}
	return count;
}

/* Ids count the calls, so those that are next to be reused are the oldest: all goes out nearly in
 * the order in which it has to be, whichever way it came. */
static uint64_t hand_on_waiting(uint64_t patience)
{
	uint64_t now = clock_monotonic(), count = 0;
	uint32_t first = newest % MATCH_SLOTS / CORRELATION_WORD + 1;

	for (uint32_t i = 0; i < WORDS; i++)
		count += hand_on_word((first + i) % WORDS, now, patience);
	return count;
}

uint64_t match_hand_on(bool all)
{
	return hand_on_waiting(all ? 0 : WORK_WAITS);
}

bool match_is_crowded(void)
{
	return works_used > WORKS / 2;
}

uint64_t match_make_room(void)
{
	return match_is_crowded() ? hand_on_waiting(UINT64_MAX) : 0;
}

uint64_t match_come_after_all(void)
{
	uint64_t count = revived;

	revived = 0;
	return count;
}
