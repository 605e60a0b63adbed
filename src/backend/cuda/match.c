/* SPDX-License-Identifier: MIT */
#include "backend/cuda/match.h"

#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/match_open.h"
#include "backend/cuda/match_row.h"
#include "base/clock.h"
#include "base/memory.h"

/*
 * A slot is where a call and its work meet, found by the low bits of their correlation id: ids
 * count the calls, so that a slot's former owner is SLOTS calls old when it has to go.
 */
enum {
	SLOTS = 1 << 17,
	WORD = 64, WORDS = SLOTS / WORD,
	WORKS = 1 << 16,  /* pieces of work that wait for their calls */
	THREADS = 1 << 8, /* whose last call is remembered */
};

/* How long work waits for its call, in ns. CUPTI is asked for what it has every PERIOD (source.c);
 * two of these bring everything that is there. */
#define WORK_WAITS UINT64_C(500000000)

struct slot {
	struct match_call call; /* leave is 0 while there is none */
	uint32_t correlation;
	uint32_t work;	/* the newest piece that waits here, 0 if none */
	uint64_t since; /* CLOCK_MONOTONIC when they were first looked at; 0: not yet */
	bool answered;	/* it has had work */
	bool met;	/* a row has the call's time */
	struct match_counted counted;
	bool given_up;	/* its work has been counted as lost */
};

struct work {
	struct record record;
	uint32_t next; /* of the same slot, with an earlier start */
};

static struct slot *slots;
static struct work *works; /* number 0 is none */
static uint32_t works_made, works_free, works_used;
static uint64_t waiting[WORDS];		 /* a bit for each slot: it has work */
static uint32_t newest;			 /* correlation id that has come */
static uint64_t revived;		 /* launches given up whose work has come */

/* When the latest call of a thread began, of those that have come. */
static struct {
	uint32_t thread;
	uint64_t enter;
} latest[THREADS];

int match_init(void)
{
	slots = memory_map(SLOTS * sizeof(*slots));
	works = memory_map((WORKS + 1) * sizeof(*works));
	return slots && works ? match_open_init(2 * SLOTS) : -1;
}

static struct slot *slot_of(uint32_t correlation)
{
	return &slots[correlation % SLOTS];
}

static bool has_call(const struct slot *slot)
{
	return slot->call.leave != 0;
}

/* The kernels that wait here and that values belong to. */
static uint64_t count_counted(const struct slot *slot)
{
	uint64_t count = 0;

	if (!slot->work || counter_values_state(slot->correlation) == MEASURED_NOT)
		return 0;
	for (uint32_t at = slot->work; at; at = works[at].next)
		count += match_row_is_kernel(&works[at].record);
	return count;
}

/* `counted`: values belong to the slot's kernels. */
static void hand_on(struct record *record, struct slot *slot, bool counted)
{
	const struct match_call *call = slot && has_call(slot) ? &slot->call : NULL;

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
static uint64_t hand_on_all_of(struct slot *slot)
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

/* The slot, made this correlation's. What it held is that of a call long ago. */
static struct slot *claim(uint32_t correlation)
{
	struct slot *slot = slot_of(correlation);

	if (slot->correlation == correlation)
		return slot;
	hand_on_all_of(slot);
	*slot = (struct slot){.correlation = correlation};
	if ((int32_t)(correlation - newest) > 0 || !newest)
		newest = correlation;
	return slot;
}

static bool is_older(uint32_t correlation, const struct slot *slot)
{
	return (int32_t)(correlation - slot->correlation) < 0 && slot->correlation;
}

void match_add_call(const struct match_call *call)
{
	struct slot *slot;
	uint32_t thread = call->thread % THREADS;

	if (latest[thread].thread != call->thread || latest[thread].enter < call->enter) {
		latest[thread].thread = call->thread;
		latest[thread].enter = call->enter;
	}
	if (is_older(call->correlation, slot_of(call->correlation)))
		return;
	/* Some work is made by calls that an old CUPTI has no name for, or that nobody would think
	 * of; only those that are known to make some are waited for. */
	slot = claim(call->correlation);
	if (calls_make_work(call->kind) && !has_call(slot) && !slot->answered)
		match_open_add(call->correlation);
	if (!has_call(slot) || call->runtime)
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

static void list(struct slot *slot)
{
	uint32_t index = slot->correlation % SLOTS;

	waiting[index / WORD] |= UINT64_C(1) << index % WORD;
}

void match_add_work(const struct record *record, uint32_t correlation)
{
	struct slot *slot = correlation ? slot_of(correlation) : NULL;
	struct work *work;
	uint32_t number, *place;

	if (slot && !is_older(correlation, slot))
		slot = claim(correlation);
	else
		slot = NULL;
	work = slot ? new_work(&number) : NULL;
	if (!work) {
		struct record copy = *record;

		hand_on(&copy, slot, slot && counter_values_state(correlation) != MEASURED_NOT);
		return;
	}
	list(slot);
	for (place = &slot->work; *place && works[*place].record.started > record->started;)
		place = &works[*place].next;
	record_copy(&work->record, record);
	work->next = *place;
	*place = number;
}

void match_add_nothing(uint32_t correlation)
{
	if (correlation && !is_older(correlation, slot_of(correlation)))
		claim(correlation)->answered = true;
}

/* A driver's call may lie inside one of the runtime API, whose record comes right after: when the
 * thread's next call is there, none has come. */
static bool is_certain(const struct slot *slot)
{
	uint32_t thread = slot->call.thread % THREADS;

	return has_call(slot) &&
	       (slot->call.runtime || (latest[thread].thread == slot->call.thread &&
				       latest[thread].enter >= slot->call.leave));
}

/* What is certain, and what has waited for so long, of the slots in one word of `waiting`. */
static uint64_t hand_on_word(uint32_t word, uint64_t now, uint64_t patience)
{
	uint64_t count = 0;

	for (uint64_t left = waiting[word]; left; left &= left - 1) {
		uint32_t bit = (uint32_t)__builtin_ctzll(left);
		struct slot *slot = &slots[word * WORD + bit];
		uint64_t waited;

		slot->since = slot->since ? slot->since : now;
		waited = now - slot->since;
		/* Nobody waits for counters who waits for nothing. */
		if ((is_certain(slot) || waited >= patience) &&
		    !(patience && match_row_lacks(count_counted(slot), slot->correlation,
						  &slot->call, waited)))
			count += hand_on_all_of(slot);
		if (!slot->work)
			waiting[word] &= ~(UINT64_C(1) << bit);
	}
	return count;
}

/* Ids count the calls, so those that are next to be reused are the oldest: all goes out nearly in
 * the order in which it has to be, whichever way it came. */
static uint64_t hand_on_waiting(uint64_t patience)
{
	uint64_t now = clock_monotonic(), count = 0;
	uint32_t first = newest % SLOTS / WORD + 1;

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

const struct match_call *match_open_call(uint32_t correlation)
{
	const struct slot *slot = slot_of(correlation);

	return slot->correlation == correlation && !slot->answered ? &slot->call : NULL;
}

bool match_has_work(uint32_t correlation)
{
	return slot_of(correlation)->work != 0;
}

void match_give_up(uint32_t correlation)
{
	slot_of(correlation)->given_up = true;
}

uint64_t match_come_after_all(void)
{
	uint64_t count = revived;

	revived = 0;
	return count;
}
