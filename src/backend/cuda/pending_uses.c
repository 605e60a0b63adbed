/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pending_uses.h"

#include <pthread.h>

#include "base/memory.h"
#include "session/session.h"

enum {
	CALLS = 1 << 17, /* newest ids */
	USES = 1 << 18,	 /* newest uses */
	AT_ONCE = 64,
};

struct noted {
	uint64_t address;
	uint64_t offset;
	uint64_t bytes;
	uint32_t argument;
	uint16_t access;
	uint16_t flags;
};

/* Its uses are noted one after the other, unless other threads have noted some in between: these
 * then belong to other calls, so each use has its call's id, too. */
struct call_uses {
	uint32_t correlation;
	uint32_t count; /* left to be delivered */
	uint64_t first; /* number of its first use */
};

bool pending_uses_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct call_uses *calls;
static struct noted *uses;
static uint32_t *owners; /* ids of the calls of `uses` */
static uint64_t next;	 /* number of the next use */

int pending_uses_start(void)
{
	calls = memory_map(CALLS * sizeof(*calls));
	uses = memory_map(USES * sizeof(*uses));
	owners = memory_map(USES * sizeof(*owners));
	if (!calls || !uses || !owners) {
		memory_unmap(calls, CALLS * sizeof(*calls));
		memory_unmap(uses, USES * sizeof(*uses));
		memory_unmap(owners, USES * sizeof(*owners));
		return -1;
	}
	__atomic_store_n(&pending_uses_on, true, __ATOMIC_RELEASE);
	return 0;
}

void pending_uses_add(uint32_t correlation, const struct use *use)
{
	struct call_uses *call = &calls[correlation % CALLS];

	pthread_mutex_lock(&lock);
	if (call->correlation != correlation || !call->count)
		*call = (struct call_uses){.correlation = correlation, .first = next};
	call->count++;
	owners[next % USES] = correlation;
	uses[next % USES] = (struct noted){
		.address = use->address,
		.offset = use->offset,
		.bytes = use->bytes,
		.argument = use->argument,
		.access = use->access,
		.flags = use->frame.flags,
	};
	next++;
	pthread_mutex_unlock(&lock);
}

void pending_uses_drop(uint32_t correlation)
{
	struct call_uses *call = &calls[correlation % CALLS];

	pthread_mutex_lock(&lock);
	if (call->correlation == correlation)
		call->count = 0;
	pthread_mutex_unlock(&lock);
}

/* Moves the next uses of the call to `taken`; returns their number. With the lock held. */
static uint32_t take(struct call_uses *call, struct noted taken[AT_ONCE])
{
	uint64_t oldest = next > USES ? next - USES : 0;
	uint32_t count = 0;

	call->first = call->first > oldest ? call->first : oldest;
	for (; call->first < next && call->count && count < AT_ONCE; call->first++) {
		if (owners[call->first % USES] != call->correlation)
			continue;
		taken[count++] = uses[call->first % USES];
		call->count--;
	}
	return count;
}

static void hand_on(const struct noted *noted, const struct record *record)
{
	struct use use = {
		.frame = {.kind = FRAME_USE,
			  .flags = noted->flags,
			  .thread = record->frame.thread,
			  .stack = record->frame.kind == FRAME_NONE ? record->frame.stack : 0},
		.enter = record->enter,
		.address = noted->address,
		.offset = noted->offset,
		.bytes = noted->bytes,
		.api = API_CUDA,
		.access = noted->access,
		.argument = noted->argument,
		.record = record->frame.kind == FRAME_NONE ? 0 : session_last_correlation(),
	};

	session_take_event(&use.frame);
}

/* Returns true if a later call has taken its place, which the uses may have been in. */
static bool is_replaced(const struct call_uses *call, uint32_t correlation)
{
	return call->correlation != correlation && (int32_t)(call->correlation - correlation) > 0;
}

void pending_uses_deliver(uint32_t correlation, const struct record *record)
{
	struct call_uses *call = &calls[correlation % CALLS];
	struct noted taken[AT_ONCE];
	uint32_t count, left;

	do {
		pthread_mutex_lock(&lock);
		count = call->correlation == correlation ? take(call, taken) : 0;
		left = call->correlation == correlation ? call->count
							: is_replaced(call, correlation);
		if (count < AT_ONCE && call->correlation == correlation)
			call->count = 0; /* the others are overwritten */
		pthread_mutex_unlock(&lock);
		for (uint32_t i = 0; i < count; i++)
			hand_on(&taken[i], record);
	} while (count == AT_ONCE);
	if (left)
		session_lost_events(left);
}
