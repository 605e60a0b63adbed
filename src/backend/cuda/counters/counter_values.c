/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/counter_values.h"

#include <pthread.h>
#include <string.h>

#include "backend/cuda/correlation.h"
#include "base/clock.h"
#include "base/memory.h"

enum {
	SLOTS = 1 << 17,
	PIECE = 14, /* values per piece */
	PIECES = 1 << 19,
};

/* A part of the values of a kernel, linked to the next part. Number 0 is none. */
struct piece {
	uint32_t more;	/* next piece of the same kernel */
	uint32_t next;	/* first piece of the launch's next kernel; valid in a kernel's first piece,
			 * like `count` */
	uint32_t count; /* number of all values of the kernel */
	uint32_t reserved;
	double values[PIECE];
};

struct slot {
	uint32_t correlation;
	uint32_t first, last; /* kernels */
	uint32_t state;	      /* enum counter_values_state */
	uint32_t age;	      /* generation; a slot of an earlier one is empty */
	uint64_t since;	      /* CLOCK_MONOTONIC of the last change of `state` */
};

#define SHAPE ((struct correlation_shape){SLOTS, sizeof(struct slot)})

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct correlation_table table;
static struct piece *pieces;
static uint32_t pieces_made, pieces_free;
static uint32_t age = 1;

/* A queue of expected launches, oldest first. Obsolete entries are removed when they are
 * reached. */
static uint32_t *expected;
static uint32_t oldest, newest; /* positions, which only grow */

int counter_values_init(void)
{
	struct correlation_table room;

	pieces = memory_map((PIECES + 1) * sizeof(*pieces));
	expected = memory_map(SLOTS * sizeof(*expected));
	if (correlation_init(&room, SHAPE) || !pieces || !expected)
		return -1;
	__atomic_store_n(&table.slots, room.slots, __ATOMIC_RELEASE);
	return 0;
}

static struct slot *slot_of(uint32_t correlation)
{
	return correlation_slot(&table, SHAPE, correlation);
}

/* Returns the slot if it belongs to this launch, or NULL. */
static struct slot *find(uint32_t correlation)
{
	struct slot *slot = slot_of(correlation);

	return slot->correlation == correlation && slot->age == age ? slot : NULL;
}

static void free_kernel(uint32_t number)
{
	while (number) {
		uint32_t more = pieces[number].more;

		pieces[number].more = pieces_free;
		pieces_free = number;
		number = more;
	}
}

static uint32_t new_piece(void)
{
	uint32_t number = pieces_free;

	if (number)
		pieces_free = pieces[number].more;
	else if (pieces_made < PIECES)
		number = ++pieces_made;
	if (number)
		pieces[number].more = pieces[number].next = 0;
	return number;
}

/* Returns the number of its first piece, 0 if there is no room. */
static uint32_t new_kernel(const double *values, size_t count)
{
	uint32_t first = 0, *place = &first;

	for (size_t done = 0; done < count || !first; done += PIECE) {
		size_t part = count - done < PIECE ? count - done : PIECE;

		*place = new_piece();
		if (!*place) {
			free_kernel(first);
			return 0;
		}
		memcpy(pieces[*place].values, values + done, part * sizeof(*values));
		place = &pieces[*place].more;
	}
	pieces[first].count = (uint32_t)count;
	return first;
}

static void drop_first(struct slot *slot)
{
	uint32_t first = slot->first;

	slot->first = pieces[first].next;
	free_kernel(first);
}

/* The oldest entry is dropped when the queue is full, which happens if launches get no values. */
static void note_expected(uint32_t correlation)
{
	if (newest - oldest == SLOTS)
		oldest++;
	expected[newest++ % SLOTS] = correlation;
}

void counter_values_expect(uint32_t correlation)
{
	struct slot *slot = slot_of(correlation);

	pthread_mutex_lock(&lock);
	while (slot->first)
		drop_first(slot);
	*slot = (struct slot){
		.correlation = correlation,
		.state = MEASURED_EXPECTED,
		.age = age,
		.since = clock_monotonic(),
	};
	note_expected(correlation);
	pthread_mutex_unlock(&lock);
}

void counter_values_add(uint32_t correlation, const double *values, size_t count)
{
	struct slot *slot;
	uint32_t kernel;

	pthread_mutex_lock(&lock);
	slot = find(correlation);
	kernel = slot ? new_kernel(values, count) : 0;
	if (kernel) {
		if (slot->first)
			pieces[slot->last].next = kernel;
		else
			slot->first = kernel;
		slot->last = kernel;
	}
	pthread_mutex_unlock(&lock);
}

void counter_values_complete(uint32_t correlation)
{
	struct slot *slot;

	pthread_mutex_lock(&lock);
	slot = find(correlation);
	if (slot && slot->state != MEASURED_COMPLETE) {
		slot->state = MEASURED_COMPLETE;
		slot->since = clock_monotonic();
	}
	pthread_mutex_unlock(&lock);
}

bool counter_values_is_fresh(uint32_t correlation, uint64_t patience)
{
	const struct slot *slot;
	bool fresh;

	pthread_mutex_lock(&lock);
	slot = find(correlation);
	fresh = slot && slot->state == MEASURED_COMPLETE &&
		clock_monotonic() - slot->since < patience;
	pthread_mutex_unlock(&lock);
	return fresh;
}

void counter_values_drop(uint32_t correlation)
{
	struct slot *slot;

	pthread_mutex_lock(&lock);
	slot = find(correlation);
	while (slot && slot->first)
		drop_first(slot);
	pthread_mutex_unlock(&lock);
}

enum counter_values_state counter_values_state(uint32_t correlation)
{
	enum counter_values_state state = MEASURED_NOT;
	const struct slot *slot;

	if (!__atomic_load_n(&table.slots, __ATOMIC_ACQUIRE))
		return state;
	pthread_mutex_lock(&lock);
	slot = find(correlation);
	if (slot)
		state = (enum counter_values_state)slot->state;
	pthread_mutex_unlock(&lock);
	return state;
}

size_t counter_values_left(uint32_t correlation)
{
	const struct slot *slot;
	size_t count = 0;

	pthread_mutex_lock(&lock);
	slot = find(correlation);
	for (uint32_t at = slot ? slot->first : 0; at; at = pieces[at].next)
		count++;
	pthread_mutex_unlock(&lock);
	return count;
}

size_t counter_values_take(uint32_t correlation, double *values)
{
	struct slot *slot;
	size_t count = 0;

	if (!__atomic_load_n(&table.slots, __ATOMIC_ACQUIRE))
		return 0;
	pthread_mutex_lock(&lock);
	slot = find(correlation);
	if (slot && slot->first) {
		uint32_t at = slot->first;

		count = pieces[at].count;
		for (size_t done = 0; done < count; done += PIECE, at = pieces[at].more) {
			size_t part = count - done < PIECE ? count - done : PIECE;

			memcpy(values + done, pieces[at].values, part * sizeof(*values));
		}
		drop_first(slot);
	}
	pthread_mutex_unlock(&lock);
	return count;
}

void counter_values_forget(void)
{
	pthread_mutex_lock(&lock);
	age++;
	pthread_mutex_unlock(&lock);
}

bool counter_values_is_late(uint64_t patience)
{
	const struct slot *slot = NULL;
	bool late;

	pthread_mutex_lock(&lock);
	for (; oldest != newest; oldest++) {
		slot = find(expected[oldest % SLOTS]);
		if (slot && slot->state == MEASURED_EXPECTED)
			break;
	}
	late = oldest != newest && clock_monotonic() - slot->since >= patience;
	pthread_mutex_unlock(&lock);
	return late;
}
