/* SPDX-License-Identifier: MIT */
#include "session/probe.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "session/state.h"
#include "session/thread.h"

static __thread struct thread thread __attribute__((tls_model("initial-exec")));

struct thread *thread_self(void)
{
	return &thread;
}

/*
 * `open` tells the writer when the oldest call that is still going on in this thread was entered,
 * so that nothing launched later is written before it. It is set to 1, "any moment now", before
 * the clock is read: however long the thread is preempted in between, the writer waits.
 */
static void open_window(struct thread *self, struct probe *probe)
{
	struct ring *ring = &self->ring->ring;

	probe->previous = atomic_load_explicit(&ring->open, memory_order_relaxed);
	if (probe->previous && self->innermost) {
		probe->enter = clock_monotonic();
		return;
	}
	probe->previous = 0;
	atomic_store_explicit(&ring->open, 1, memory_order_release);
	probe->enter = clock_monotonic();
	atomic_store_explicit(&ring->open, probe->enter, memory_order_release);
}

void probe_begin(struct probe *probe)
{
	struct thread *self = &thread;

	/* A probe that was left by longjmp or a C++ exception lies at or below this one. */
	if (self->innermost && (const char *)self->innermost <= (const char *)probe)
		self->innermost = NULL;
	*probe = (struct probe){.outer = self->innermost, .nested = self->innermost != NULL};
	if (self->session != thread_live_session() || !self->ring)
		thread_enter(self);
	if (self->ring)
		open_window(self, probe);
	else
		probe->enter = clock_monotonic();
	self->innermost = probe;
}

static struct record *reserve(struct thread *self)
{
	struct record *record;

	while (!(record = ring_reserve(&self->ring->ring, sizeof(*record))))
		if (!writer_help(self->session))
			return NULL;
	return record;
}

static struct record *drop(void)
{
	session_lost(1);
	return NULL;
}

struct record *probe_record(struct probe *probe, enum frame_kind kind)
{
	struct thread *self = &thread;
	struct record *record;

	probe->leave = clock_monotonic();
	/* `filling`: a signal handler stands in the middle of the record that it interrupted. The
	 * session changes under a probe when the program forks inside the driver's call. */
	if (!self->ring || self->filling || self->session != thread_live_session())
		return drop();
	record = reserve(self);
	if (!record)
		return drop();
	self->filling = true;
	memset(record, 0, sizeof(*record));
	record->frame = (struct frame){
		.size = sizeof(*record),
		.kind = (uint16_t)kind,
		.correlation = self->correlation + ++self->ring->ring.counter,
		.thread = self->ring->thread,
	};
	record->enter = probe->enter;
	record->leave = probe->leave;
	return record;
}

void probe_commit(void)
{
	struct thread *self = &thread;
	struct ring *ring = &self->ring->ring;
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	ring_commit(ring, sizeof(struct record));
	self->filling = false;
	if (ring->counter == 1) /* it may have gone to sleep before there was anything */
		writer_wake(self->session);
	if (head - ring->seen_tail > ring->capacity / 2) {
		ring->seen_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
		if (head - ring->seen_tail > ring->capacity / 2)
			writer_wake(self->session);
	}
}

void probe_end(struct probe *probe)
{
	struct thread *self = &thread;

	self->innermost = probe->outer;
	if (self->ring && !probe->previous && self->session == thread_live_session())
		atomic_store_explicit(&self->ring->ring.open, 0, memory_order_release);
}
