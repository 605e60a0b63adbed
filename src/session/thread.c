/* SPDX-License-Identifier: MIT */
#include "session/thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sigmask.h"
#include "session/locks.h"
#include "session/start.h"
#include "session/state.h"

/* Numbers of rings from which on new rings are smaller: see size_of_ring. */
enum { MANY_RINGS = 16, CROWD_OF_RINGS = 128 };

__thread struct thread thread_own __attribute__((tls_model("initial-exec")));

static struct thread_fork_mark nothing;
struct thread_fork_mark *thread_fork_mark = &nothing; /* later in a page of its own */
static pthread_key_t on_exit;

static void leave_ring(struct session *session, const struct thread_ring *ring)
{
	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++)
		if (atomic_load(&session->rings[i]) == ring)
			atomic_store(&session->owner[i], RING_LEFT);
}

/* Notes the thread's signal mask: exit handlers run with the mask of the last thread. */
static void note_signals(struct session *session)
{
	uint64_t bits = 0; /* in the kernel's format */

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &bits, sizeof(bits));
	atomic_store(&session->signals, bits);
}

/* Called when the thread ends: frees its rings for other threads, which may take them at once. A
 * signal handler that interrupts this uses a ring that is not free yet, or takes another one. */
static void leave(void *argument)
{
	struct thread *self = argument;
	struct session *session = self->session;

	if (!self->rings[0] || session != thread_live_session())
		return;
	note_signals(session);
	atomic_store_explicit(&self->rings[0]->ring.open, 0, memory_order_release);
	for (int level = THREAD_RINGS - 1; level >= 0; level--) {
		const struct thread_ring *ring = self->rings[level];

		self->rings[level] = NULL;
		atomic_signal_fence(memory_order_seq_cst);
		if (ring)
			leave_ring(session, ring);
	}
}

int thread_prepare(void)
{
	void *page;

	if (thread_fork_mark != &nothing)
		return 0;
	if (pthread_key_create(&on_exit, leave))
		return -1;
	page = memory_map(RINGFILE_PAGE);
	if (!page)
		return -1;
	thread_fork_mark = page;
#ifdef MADV_WIPEONFORK
	/* Before Linux 4.14, only pthread_atfork covers forks. */
	madvise(thread_fork_mark, RINGFILE_PAGE, MADV_WIPEONFORK);
#endif
	return 0;
}

void thread_set_live(struct session *session)
{
	atomic_store_explicit(&thread_fork_mark->live, session, memory_order_release);
}

/* Returns the size of the process's ring number `index`. With many threads most make few records,
 * so later rings are smaller. */
static uint64_t size_of_ring(uint32_t index)
{
	if (index < MANY_RINGS)
		return RINGFILE_SEGMENT;
	return index < CROWD_OF_RINGS ? RINGFILE_SEGMENT / 4 : RINGFILE_SEGMENT / 8;
}

static struct thread_ring *new_ring(struct session *session, uint32_t index)
{
	uint64_t size = size_of_ring(index);
	struct thread_ring *ring = (struct thread_ring *)(void *)ringfile_segment(
		&session->ringfile, SEGMENT_RING, size);

	if (!ring)
		return NULL;
	ring_init(&ring->ring, size - offsetof(struct thread_ring, ring));
	atomic_store(&session->owner[index], RING_TAKEN);
	atomic_store(&session->rings[index], ring);
	atomic_store(&session->ring_count, index + 1);
	return ring;
}

/* Returns a ring of an ended thread, or a new one, and its index in *index. The ring may still have
 * records. If each of many short threads had a new ring, the rings would soon be used up, and the
 * writer, which reads all rings in each turn, would become slower and slower. */
static struct thread_ring *take_ring(struct session *session, uint32_t *index)
{
	uint32_t count = atomic_load(&session->ring_count);

	for (*index = 0; *index < count; ++*index) {
		if (atomic_load(&session->owner[*index]) != RING_LEFT)
			continue;
		atomic_store(&session->owner[*index], RING_TAKEN);
		return atomic_load(&session->rings[*index]);
	}
	return count < MAX_RINGS ? new_ring(session, count) : NULL;
}

/* self->session is set. */
static void get_ring(struct thread *self, int level)
{
	struct thread_ring *ring;
	uint32_t index;

	meta_lock();
	ring = take_ring(self->session, &index);
	meta_unlock();
	if (!ring)
		return;
	ring->thread = (uint32_t)syscall(SYS_gettid);
	self->correlations[level] = (uint64_t)(index + 1) << 40;
	self->rings[level] = ring;
}

static void enter(struct thread *self)
{
	for (int level = 0; level < THREAD_RINGS; level++)
		self->rings[level] = NULL;
	self->filling = 0;
	self->announced = self->recorded_enter = 0;
	self->device = UINT32_MAX;
	self->stacks = stacks_wanted();
	self->session = session_start();
	if (!self->session)
		return;
	get_ring(self, 0);
	if (self->rings[0])
		pthread_setspecific(on_exit, self);
}

void thread_enter(struct thread *self)
{
	sigset_t before;
	int error = errno;

	/* A signal handler in between would find a thread without a ring. */
	sigmask_all(&before);
	enter(self);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
}

struct thread_ring *thread_ring_at(struct thread *self, int level)
{
	int error = errno;

	if (level >= THREAD_RINGS)
		return NULL;
	if (!self->rings[level])
		get_ring(self, level);
	errno = error;
	return self->rings[level];
}

void thread_disable_cancel(struct thread_cancel_state *cancel)
{
	/* glibc's handler of the cancellation signal checks the type only. */
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &cancel->cancel_type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel->cancel_state);
}

void thread_restore_cancel(const struct thread_cancel_state *cancel)
{
	pthread_setcancelstate(cancel->cancel_state, NULL);
	pthread_setcanceltype(cancel->cancel_type, NULL);
}
