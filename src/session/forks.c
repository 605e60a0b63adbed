/* SPDX-License-Identifier: MIT */
#include "session/forks.h"

#include <unistd.h>

#include "base/fork.h"
#include "base/say.h"
#include "session/call_totals.h"
#include "session/eventstream.h"
#include "session/launch_delay.h"
#include "session/locks.h"
#include "session/overhead.h"
#include "session/pflog.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/writer.h"

/* The session's fork handlers. */

/* Continues without the drain lock if it is not available (a driver forks while it is called, or
 * does not respond): the child initializes everything anew in any case. */
static void before_fork(void)
{
	thread_self()->fork_locked = drain_lock();
	meta_lock();
	filethread_await();
	if (globals.session)
		writer_await(globals.session);
}

static void after_fork_in_parent(void)
{
	meta_unlock();
	if (thread_self()->fork_locked)
		drain_unlock();
}

static void after_fork_in_child(void)
{
	struct thread *self = thread_self();

	meta_unlock();
	if (self->fork_locked)
		drain_unlock();
	self->draining = false;
	session_forked();
}

void session_forked(void)
{
	struct session *session = globals.session;
	struct thread *self = thread_self();
	bool none = filethread_forked();

	self->inherited += self->filling;
	self->filling = 0;
	call_totals_forked();
	locks_forked();
	launch_delay_forked();
	worker_forked();
	overhead_forked();
	say_forked();
	if (globals.sampler)
		globals.sampler->forked();
	thread_set_live(NULL);
	globals.session = NULL;
	globals.lost = 0;
	globals.filtered = 0;
	globals.gaps = 0;
	globals.names_refused = 0;
	globals.texts_refused = 0;
	globals.stacks_refused = 0;
	stacks_forked();
	globals.forked = true;
	atomic_store(&globals.ended, false);
	globals.first_context = globals.catalog.context_count;
	globals.pid = getpid();
	globals.catalog.process.pid = (uint32_t)getpid();
	if (!session)
		return;
	logs_forked(&session->logs, none);
	eventstream_forked(session, none);
	pflog_forked(session, none);
	ringfile_forget(&session->ringfile);
}

void forks_watch(void)
{
	fork_watch(before_fork, after_fork_in_parent, after_fork_in_child);
}
