/* SPDX-License-Identifier: MIT */
#include "session/overhead.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "session/state.h"
#include "session/thread.h"

enum {
	PLACES = 32,	    /* entries between two rounds; further ones are dropped */
	PERIOD = 200000000, /* ns per period; its longest round is recorded */
};

enum place_state { PLACE_FREE, PLACE_TAKEN, PLACE_READY };

/* Lock-free: the caller may hold any lock or be a signal handler. */
static struct place {
	_Atomic int state; /* enum place_state */
	struct overhead event;
} places[PLACES];

static atomic_uint recorded_apis; /* bit N: the calls of enum api N are recorded */

void overhead_attach(enum api api, bool api_calls)
{
	if (api_calls)
		atomic_fetch_or(&recorded_apis, 1u << api);
	else
		atomic_fetch_and(&recorded_apis, ~(1u << api));
}

uint64_t overhead_begin(void)
{
	return atomic_load_explicit(&recorded_apis, memory_order_acquire) ? clock_monotonic() : 0;
}

uint64_t overhead_thread(void)
{
	const struct thread *self = thread_self();
	const struct thread_ring *ring =
		self->session == thread_live_session() ? self->rings[0] : NULL;

	return ring ? ring->thread : 0;
}

static struct overhead overhead_of(enum overhead_kind kind, uint64_t thread, uint64_t begun,
				   uint64_t count)
{
	return (struct overhead){
		.frame = {.kind = FRAME_OVERHEAD, .thread = (uint32_t)thread},
		.enter = begun,
		.leave = clock_monotonic(),
		.count = count,
		.object = thread,
		.kind = (uint16_t)kind,
	};
}

void overhead_note(enum overhead_kind kind, uint64_t thread, uint64_t begun, uint64_t count)
{
	for (int i = 0; begun && i < PLACES; i++) {
		int state = PLACE_FREE;

		if (!atomic_compare_exchange_strong(&places[i].state, &state, PLACE_TAKEN))
			continue;
		places[i].event = overhead_of(kind, thread, begun, count);
		atomic_store(&places[i].state, PLACE_READY);
		return;
	}
}

uint64_t session_overhead_begin(void)
{
	return overhead_begin();
}

void session_overhead(enum overhead_kind kind, uint64_t begun, uint64_t count)
{
	uint64_t thread = overhead_thread();

	if (!begun || !atomic_load_explicit(&recorded_apis, memory_order_acquire))
		return;
	overhead_note(kind, thread ? thread : (uint64_t)syscall(SYS_gettid), begun, count);
}

static void take(struct overhead *event)
{
	unsigned apis = atomic_load(&recorded_apis);

	for (int api = 0; api < API_COUNT; api++) {
		if (!(apis & 1u << api))
			continue;
		event->api = (uint16_t)api;
		session_take_event(&event->frame);
		return;
	}
}

static uint64_t length_of(const struct overhead *event)
{
	return event->leave - event->enter;
}

void overhead_round(struct session *session, uint64_t thread, uint64_t begun, uint64_t moved,
		    bool final)
{
	struct longest_round *longest = &session->longest[thread != 0];
	struct overhead event;

	if (!begun || (!moved && !final))
		return;
	event = overhead_of(OVERHEAD_FLUSH, thread, begun, moved);
	if (final && longest->event.leave)
		take(&longest->event);
	else if (length_of(&event) < length_of(&longest->event))
		event = longest->event;
	longest->event = event;
	if (!final && longest->written && event.leave - longest->written < PERIOD)
		return;
	longest->written = event.leave;
	take(&event);
	longest->event = (struct overhead){0};
}

void overhead_take(void)
{
	for (int i = 0; i < PLACES; i++) {
		struct overhead event;

		if (atomic_load(&places[i].state) != PLACE_READY)
			continue;
		event = places[i].event;
		atomic_store(&places[i].state, PLACE_FREE);
		take(&event);
	}
}

void overhead_forked(void)
{
	for (int i = 0; i < PLACES; i++)
		atomic_store(&places[i].state, PLACE_FREE);
}
