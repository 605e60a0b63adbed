/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "base/fork.h"
#include "session/state.h"
#include "session/thread.h"

/* The lock of the catalog, and what forks do to it and to the session. */

void meta_lock(void)
{
	struct thread *self = thread_self();
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&globals.meta);
	self->registering = true;
	self->meta_cancel_state = cancel;
}

void meta_unlock(void)
{
	struct thread *self = thread_self();
	int cancel = self->meta_cancel_state;

	self->registering = false;
	pthread_mutex_unlock(&globals.meta);
	pthread_setcancelstate(cancel, NULL);
}

/* Without the drain lock where it cannot be had (a driver forks while it is asked, or does not
 * answer): the child makes everything anew all the same. */
static void before_fork(void)
{
	thread_self()->fork_locked = writer_lock();
	meta_lock();
}

static void after_fork_in_parent(void)
{
	meta_unlock();
	if (thread_self()->fork_locked)
		writer_unlock();
}

static void after_fork_in_child(void)
{
	struct thread *self = thread_self();

	meta_unlock();
	if (self->fork_locked)
		writer_unlock();
	self->draining = false;
	session_forked();
}

void session_forked(void)
{
	struct session *session = globals.session;

	pthread_mutex_init(&globals.drain, NULL);
	pthread_mutex_init(&globals.meta, NULL);
	thread_set_live(NULL);
	globals.session = NULL;
	globals.forked = true;
	globals.ended = false;
	globals.asking = ASKING_NOBODY;
	globals.first_context = globals.catalog.context_count;
	globals.pid = getpid();
	globals.catalog.process.pid = (uint32_t)getpid();
	if (!session)
		return;
	logs_forget(&session->logs);
	spool_forget(&session->spool);
}

void forks_watch(void)
{
	fork_watch(before_fork, after_fork_in_parent, after_fork_in_child);
}
