/* SPDX-License-Identifier: MIT */
#include "session/thread.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"
#include "session/locks.h"
#include "session/state.h"

/* Alone in a page that the kernel empties in every child, however it is forked. */
struct wiped {
	struct session *_Atomic live;
};

static struct wiped nothing;
static struct wiped *wiped = &nothing;
static pthread_key_t on_exit;

/* The thread is over: the writer may hand its ring on once it is empty. */
static void leave(void *argument)
{
	struct thread *self = argument;
	struct session *session = self->session;

	if (!self->ring || session != thread_live_session())
		return;
	atomic_store_explicit(&self->ring->ring.open, 0, memory_order_release);
	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++)
		if (atomic_load(&session->rings[i]) == self->ring)
			atomic_store(&session->owner[i], RING_LEFT);
	self->ring = NULL;
	self->session = NULL;
}

int thread_prepare(void)
{
	if (wiped != &nothing)
		return 0;
	if (pthread_key_create(&on_exit, leave))
		return -1;
	wiped = memory_map(SPOOL_PAGE);
	if (!wiped) {
		wiped = &nothing;
		return -1;
	}
#ifdef MADV_WIPEONFORK
	/* Without it (kernels before 4.14) pthread_atfork still covers fork itself. */
	madvise(wiped, SPOOL_PAGE, MADV_WIPEONFORK);
#endif
	return 0;
}

struct session *thread_live_session(void)
{
	return atomic_load_explicit(&wiped->live, memory_order_acquire);
}

void thread_set_live(struct session *session)
{
	atomic_store_explicit(&wiped->live, session, memory_order_release);
}

static struct thread_ring *new_ring(struct session *session, uint32_t index)
{
	struct thread_ring *ring =
		(struct thread_ring *)(void *)spool_segment(&session->spool, SEGMENT_RING,
							    SPOOL_SEGMENT);

	if (!ring)
		return NULL;
	ring_init(&ring->ring, SPOOL_SEGMENT - offsetof(struct thread_ring, ring));
	atomic_store(&session->owner[index], RING_TAKEN);
	atomic_store(&session->rings[index], ring);
	atomic_store(&session->ring_count, index + 1);
	return ring;
}

/* A ring that another thread left empty, or a new one; its index in *index. */
static struct thread_ring *take_ring(struct session *session, uint32_t *index)
{
	uint32_t count = atomic_load(&session->ring_count);

	for (*index = 0; *index < count; ++*index) {
		if (atomic_load(&session->owner[*index]) != RING_FREE)
			continue;
		atomic_store(&session->owner[*index], RING_TAKEN);
		return atomic_load(&session->rings[*index]);
	}
	return count < MAX_RINGS ? new_ring(session, count) : NULL;
}

void thread_enter(struct thread *self)
{
	struct session *session = session_start();
	uint32_t index;

	self->session = session;
	self->ring = NULL;
	self->filling = false;
	if (!session)
		return;
	meta_lock();
	self->ring = take_ring(session, &index);
	meta_unlock();
	if (!self->ring)
		return;
	self->ring->thread = (uint32_t)syscall(SYS_gettid);
	self->correlation = (uint64_t)(index + 1) << 40;
	pthread_setspecific(on_exit, self);
}
