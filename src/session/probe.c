/* SPDX-License-Identifier: MIT */
#include "session/probe.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "model/event.h"
#include "session/collect.h"
#include "session/last_moment.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/writer.h"

/*
 * `open` has the time at which the oldest unfinished call of this thread was entered, so the writer
 * writes no later launch before it. It is set to 1 before the clock is read, so the writer also
 * waits if the thread is preempted in between.
 */
static inline uint64_t open_at(struct ring *ring)
{
	uint64_t enter;

	atomic_store_explicit(&ring->open, 1, memory_order_release);
	enter = clock_monotonic();
	atomic_store_explicit(&ring->open, enter, memory_order_release);
	return enter;
}

static inline void open_window(struct thread *self, struct probe *probe)
{
	struct ring *ring = &self->rings[0]->ring;

	if (self->announced) {
		probe->previous = 0;
		probe->enter = self->announced;
		self->announced = 0;
		return;
	}
	probe->previous = atomic_load_explicit(&ring->open, memory_order_relaxed);
	if (probe->previous && self->innermost) {
		probe->enter = clock_monotonic();
		return;
	}
	probe->previous = 0;
	probe->enter = open_at(ring);
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

static inline bool has_ring(const struct thread *self)
{
	return self->rings[0] && self->session == thread_live_session();
}

static inline void enter_probe(struct thread *self, struct probe *probe)
{
	if (self->innermost && was_jumped_over(self->innermost, probe)) {
		self->innermost = NULL;
		self->filling = self->inherited = 0;
	}
	probe->outer = self->innermost;
	probe->nested = self->innermost != NULL;
	probe->previous = 0;
	if (!has_ring(self))
		thread_enter(self);
}

void probe_begin(struct probe *probe)
{
	struct thread *self = thread_self();

	enter_probe(self, probe);
	if (self->rings[0])
		open_window(self, probe);
	else
		probe->enter = clock_monotonic();
	self->innermost = probe;
}

/* As ring_reserve, for a full ring. */
__attribute__((noinline)) static void *await_room(struct thread *self, struct thread_ring *ring,
						  uint32_t size)
{
	int error = errno;
	void *slot = NULL;

	while (!slot && writer_make_room(self->session, &ring->ring))
		slot = ring_reserve(&ring->ring, size);
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
static inline struct thread_ring *take_slot(struct thread *self, uint32_t size, void **slot)
{
	int level = self->filling;
	struct thread_ring *ring;

	/* The session changes during a probe if the program forks inside the driver's call. */
	if (!has_ring(self))
		return drop();
	/* Set before the space is reserved: a later signal handler must use another ring. */
	self->filling = level + 1;
	atomic_signal_fence(memory_order_seq_cst);
	ring = level ? thread_ring_at(self, level) : self->rings[0];
	*slot = ring ? ring_reserve(&ring->ring, size) : NULL;
	if (ring && !*slot)
		*slot = await_room(self, ring, size);
	if (!*slot) {
		self->filling = level;
		return drop();
	}
	return ring;
}

/* Sets the frame and the times; the rest of the slot is not changed. */
static inline void fill_in(const struct thread *self, const struct probe *probe,
			   const struct thread_ring *ring, struct timed *slot, uint32_t size,
			   enum frame_kind kind, uint64_t number)
{
	slot->frame = (struct frame){
		.size = size,
		.kind = (uint16_t)kind,
		.flags = probe->nested ? RECORD_NESTED : 0,
		.correlation = self->correlations[self->filling - 1] + number,
		.thread = ring->thread,
	};
	slot->enter = probe->enter;
	slot->leave = probe->leave;
}

struct record *probe_record(struct probe *probe, enum frame_kind kind)
{
	struct thread *self = thread_self();
	struct thread_ring *ring;
	void *slot;

	probe->leave = clock_monotonic();
	ring = take_slot(self, sizeof(struct record), &slot);
	if (!ring)
		return NULL;
	record_clear(slot);
	fill_in(self, probe, ring, slot, sizeof(struct record), kind, ++ring->ring.counter);
	self->recorded_enter = probe->enter;
	self->recorded_leave = probe->leave;
	return slot;
}

/* With the probe's enter and leave. */
static struct timed *make_event(struct thread *self, const struct probe *probe,
				enum frame_kind kind)
{
	uint32_t size = frames_fixed_size(kind);
	void *slot;
	struct thread_ring *ring = take_slot(self, size, &slot);

	if (!ring)
		return NULL;
	memset(slot, 0, size);
	fill_in(self, probe, ring, slot, size, kind, EVENT_NUMBERS + ++ring->ring.events);
	return slot;
}

struct timed *probe_event(struct probe *probe, enum frame_kind kind)
{
	probe->leave = clock_monotonic();
	return make_event(thread_self(), probe, kind);
}

/* As probe_begin, with times in the past. */
static inline void begin_past(struct thread *self, struct probe *probe, uint64_t enter,
			      uint64_t leave)
{
	enter_probe(self, probe);
	probe->previous = 1; /* no window was opened */
	probe->enter = enter;
	probe->leave = leave;
	self->innermost = probe;
}

struct timed *probe_past_event(struct probe *probe, enum frame_kind kind, uint64_t enter,
			       uint64_t leave)
{
	struct thread *self = thread_self();

	begin_past(self, probe, enter, leave);
	return make_event(self, probe, kind);
}

/* There is no record to commit. Either a signal handler forked in the middle of it, so it belongs
 * to the parent; or a handler left it by longjmp. */
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

static inline void commit(struct thread *self, struct ring *ring, uint32_t size)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	ring_commit(ring, size);
	atomic_signal_fence(memory_order_seq_cst);
	self->filling--;
	if (!head) /* the writer may have started to sleep before this record */
		writer_wake(self->session);
	if (head - ring->seen_tail > ring->capacity / 2) {
		ring->seen_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
		if (head - ring->seen_tail > ring->capacity / 2)
			writer_wake_again(self->session);
	}
}

/* Returns true if the event belongs to a record or a use, which has the stack. */
static bool has_record(const struct frame *slot)
{
	const struct use *use = (const void *)slot;

	return (slot->kind == FRAME_USE && use->record) || slot->kind == FRAME_CHANGE ||
	       slot->kind == FRAME_PATTERN || slot->kind == FRAME_VALUE ||
	       slot->kind == FRAME_SOURCE_LINE;
}

__attribute__((noinline)) static void commit_first(struct thread *self, struct ring *ring,
						   struct frame *slot)
{
	int error = errno;

	if (stacks_wanted()) {
		if (!has_record(slot))
			slot->stack = stacks_here();
		errno = error;
		if (frames_is_event(slot)) {
			commit(self, ring, slot->size);
			return;
		}
	}
	commit(self, ring, slot->size);
	writer_await_files(self->session, self->device);
	if (stacks_wanted())
		self->device = UINT32_MAX; /* so that the next record comes here, too */
}

void probe_commit(void)
{
	struct thread *self = thread_self();
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
		commit(self, ring, slot->size);
}

void probe_end(struct probe *probe)
{
	struct thread *self = thread_self();

	self->innermost = probe->outer;
	if (!has_ring(self))
		last_moment_wait(); /* the writer may have passed the ring before the commit */
	else if (!probe->previous)
		atomic_store_explicit(&self->rings[0]->ring.open, 0, memory_order_release);
}

uint64_t probe_last_correlation(void)
{
	struct thread *self = thread_self();

	if (!has_ring(self))
		thread_enter(self);
	return self->rings[0] ? self->correlations[0] + self->rings[0]->ring.counter : 0;
}

static inline void begin_call(struct thread *self, struct probe_call *call)
{
	call->newest = probe_last_correlation();
	self->announced = self->recorded_enter = 0;
}

void probe_call_begin(struct probe_call *call)
{
	begin_call(thread_self(), call);
	call->enter = clock_monotonic();
}

/* In a probe, whose call has opened the window, the next one reads the clock. */
void probe_command_begin(struct probe_call *call)
{
	struct thread *self = thread_self();

	begin_call(self, call);
	if (self->innermost || !self->rings[0]) {
		call->enter = clock_monotonic();
		return;
	}
	call->enter = open_at(&self->rings[0]->ring);
	self->announced = call->enter;
}

/* No probe has begun since. */
static void close_announced(struct thread *self)
{
	self->announced = 0;
	if (has_ring(self))
		atomic_store_explicit(&self->rings[0]->ring.open, 0, memory_order_release);
}

void probe_announce_none(void)
{
	struct thread *self = thread_self();

	if (self->announced)
		close_announced(self);
}

void probe_call_end(struct probe_call *call)
{
	struct thread *self = thread_self();

	if (self->announced)
		close_announced(self);
	call->leave = self->recorded_enter == call->enter ? self->recorded_leave
							  : clock_monotonic();
}

/* Sets all members. */
static inline void fill_call(const struct thread *self, struct call *to,
			     const struct probe_call *made, enum api api, uint32_t name,
			     int32_t result)
{
	uint64_t records = self->correlations[0] + self->rings[0]->ring.counter - made->newest;

	if (records > UINT16_MAX) /* the thread forked in the call */
		records = 0;
	to->made = records ? made->newest + 1 : 0;
	to->result = result;
	to->name = name;
	to->api = (uint16_t)api;
	to->records = (uint16_t)records;
	to->number = 0;
}

/* In a probe or in a signal handler that interrupts one, with a stack, or without a ring or room in
 * it. */
__attribute__((noinline)) static void call_event_slowly(const struct probe_call *made, enum api api,
							uint32_t name, int32_t result)
{
	struct probe probe;
	struct timed *slot = probe_past_event(&probe, FRAME_CALL, made->enter, made->leave);

	if (slot) {
		fill_call(thread_self(), (void *)slot, made, api, name, result);
		probe_commit();
	}
	probe_end(&probe);
}

/* As probe_past_event and so on, for the most frequent case. A signal handler finds the thread in a
 * probe: whether the handler has left it by longjmp is seen by the address of the stack frame. */
void probe_call_event(const struct probe_call *made, enum api api, uint32_t name, int32_t result)
{
	struct thread *self = thread_self();
	struct thread_ring *own = self->rings[0];
	struct call *call;

	if (self->innermost || self->filling || self->stacks || !has_ring(self)) {
		call_event_slowly(made, api, name, result);
		return;
	}
	self->innermost = __builtin_frame_address(0);
	self->filling = 1;
	atomic_signal_fence(memory_order_seq_cst);
	call = ring_reserve(&own->ring, sizeof(*call));
	if (call) {
		call->frame.size = sizeof(*call);
		call->frame.kind = FRAME_CALL;
		call->frame.flags = 0;
		call->frame.correlation =
			self->correlations[0] + EVENT_NUMBERS + ++own->ring.events;
		call->frame.thread = own->thread;
		call->frame.stack = 0;
		call->enter = made->enter;
		call->leave = made->leave;
		fill_call(self, call, made, api, name, result);
		if (self->filling)
			commit(self, &own->ring, sizeof(*call));
		else
			commit_none(self);
		self->innermost = NULL;
		if (__builtin_expect(!thread_live_session(), false))
			last_moment_wait();
		return;
	}
	self->filling = 0;
	self->innermost = NULL;
	call_event_slowly(made, api, name, result);
}
