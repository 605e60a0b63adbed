/* SPDX-License-Identifier: MIT */
#include "session/probe.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "model/event.h"
#include "session/collect.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/writer.h"

static __thread struct thread thread __attribute__((tls_model("initial-exec")));

struct thread *thread_self(void)
{
	return &thread;
}

/*
 * `open` has the time at which the oldest unfinished call of this thread was entered, so the writer
 * writes no later launch before it. It is set to 1 before the clock is read, so the writer also
 * waits if the thread is preempted in between.
 */
static void open_window(struct thread *self, struct probe *probe)
{
	struct ring *ring = &self->rings[0]->ring;

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

/* Returns true if the thread's innermost probe was left by longjmp or a C++ exception: its address
 * is then at or below this one, unless a signal handler has its own stack. */
static bool was_jumped_over(const struct probe *innermost, const struct probe *probe)
{
	stack_t stack;

	if ((const char *)innermost > (const char *)probe)
		return false;
	return sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_ONSTACK);
}

void probe_begin(struct probe *probe)
{
	struct thread *self = &thread;

	if (self->innermost && was_jumped_over(self->innermost, probe)) {
		self->innermost = NULL;
		self->filling = self->inherited = 0;
	}
	*probe = (struct probe){.outer = self->innermost, .nested = self->innermost != NULL};
	if (self->session != thread_live_session() || !self->rings[0])
		thread_enter(self);
	if (self->rings[0])
		open_window(self, probe);
	else
		probe->enter = clock_monotonic();
	self->innermost = probe;
}

static void *reserve(struct thread *self, struct thread_ring *ring, uint32_t size)
{
	int error = errno;
	void *slot;

	while (!(slot = ring_reserve(&ring->ring, size)))
		if (!writer_make_room(self->session, &ring->ring))
			break;
	errno = error;
	return slot;
}

static void *drop(void)
{
	probe_lost(1);
	return NULL;
}

/* Reserves `size` bytes in *slot, which may have any contents. Returns the ring, or NULL: then the
 * record is counted as lost. */
static inline struct thread_ring *take_slot(struct probe *probe, uint32_t size, void **slot)
{
	struct thread *self = &thread;
	int level = self->filling;
	struct thread_ring *ring;

	probe->leave = clock_monotonic();
	/* The session changes during a probe if the program forks inside the driver's call. */
	if (!self->rings[0] || self->session != thread_live_session())
		return drop();
	/* Set before the space is reserved: a later signal handler must use another ring. */
	self->filling = level + 1;
	atomic_signal_fence(memory_order_seq_cst);
	ring = thread_ring_at(self, level);
	*slot = ring ? reserve(self, ring, size) : NULL;
	if (!*slot) {
		self->filling = level;
		return drop();
	}
	return ring;
}

/* Sets the common members of records and events; the rest of the slot is zero. */
static inline void fill_in(const struct probe *probe, const struct thread_ring *ring,
			   struct timed *slot, uint32_t size, enum frame_kind kind, uint64_t number)
{
	slot->frame.size = size;
	slot->frame.kind = (uint16_t)kind;
	slot->frame.correlation = thread.correlations[thread.filling - 1] + number;
	slot->frame.thread = ring->thread;
	if (probe->nested)
		slot->frame.flags = RECORD_NESTED;
	slot->enter = probe->enter;
	slot->leave = probe->leave;
}

struct record *probe_record(struct probe *probe, enum frame_kind kind)
{
	void *slot;
	struct thread_ring *ring = take_slot(probe, sizeof(struct record), &slot);

	if (!ring)
		return NULL;
	record_clear(slot);
	fill_in(probe, ring, slot, sizeof(struct record), kind, ++ring->ring.counter);
	return slot;
}

struct timed *probe_event(struct probe *probe, enum frame_kind kind)
{
	uint32_t size = frames_fixed_size(kind);
	void *slot;
	struct thread_ring *ring = take_slot(probe, size, &slot);

	if (!ring)
		return NULL;
	memset(slot, 0, size);
	fill_in(probe, ring, slot, size, kind, EVENT_NUMBERS + ++ring->ring.events);
	return slot;
}

/* The record belongs to the parent if its signal handler forked; or a handler left it by longjmp
 * and returned. */
static void commit_none(struct thread *self)
{
	if (self->inherited)
		self->inherited--;
	else
		probe_lost(1);
}

/* Returns true if the slot is a record of another device than this thread's last one, or needs a
 * stack. With stacks the thread has no last device, so that a launch without them needs no check of
 * its own. */
static inline bool needs_more(struct thread *self, const struct frame *slot)
{
	uint32_t device;

	if (!frames_is_record(slot))
		return __builtin_expect(self->stacks, false);
	device = ((const struct record *)(const void *)slot)->device;
	if (device == self->device)
		return false;
	self->device = device;
	return true;
}

static inline void commit(struct thread *self, struct ring *ring, const struct frame *slot)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	ring_commit(ring, slot->size);
	atomic_signal_fence(memory_order_seq_cst);
	self->filling--;
	if (!head) /* the writer may have started to sleep before this record */
		writer_wake(self->session);
	if (head - ring->seen_tail > ring->capacity / 2) {
		ring->seen_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
		if (head - ring->seen_tail > ring->capacity / 2)
			writer_wake(self->session);
	}
}

/* Returns true if the event belongs to a record, which has the stack. */
static bool has_record(const struct frame *slot)
{
	const struct use *use = (const void *)slot;

	return slot->kind == FRAME_USE && use->record;
}

__attribute__((noinline)) static void commit_first(struct thread *self, struct ring *ring,
						   struct frame *slot)
{
	if (stacks_wanted()) {
		if (!has_record(slot))
			slot->stack = stacks_here();
		if (frames_is_event(slot)) {
			commit(self, ring, slot);
			return;
		}
	}
	commit(self, ring, slot);
	writer_await_files(self->session, self->device);
	if (stacks_wanted())
		self->device = UINT32_MAX; /* so that the next record comes here, too */
}

void probe_commit(void)
{
	struct thread *self = &thread;
	struct frame *slot;
	struct ring *ring;

	if (!self->filling) {
		commit_none(self);
		return;
	}
	ring = &self->rings[self->filling - 1]->ring;
	slot = ring_reserved(ring);
	if (needs_more(self, slot))
		commit_first(self, ring, slot);
	else
		commit(self, ring, slot);
}

void probe_end(struct probe *probe)
{
	struct thread *self = &thread;

	self->innermost = probe->outer;
	if (self->rings[0] && !probe->previous && self->session == thread_live_session())
		atomic_store_explicit(&self->rings[0]->ring.open, 0, memory_order_release);
}

uint64_t probe_last_correlation(void)
{
	struct thread *self = &thread;

	if (self->session != thread_live_session() || !self->rings[0])
		thread_enter(self);
	return self->rings[0] ? self->correlations[0] + self->rings[0]->ring.counter : 0;
}
