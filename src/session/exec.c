/* SPDX-License-Identifier: MIT */
#include "base/filethread.h"
#include "session/eventstream.h"
#include "session/locks.h"
#include "session/logreport.h"
#include "session/logtrace.h"
#include "session/pflog.h"
#include "session/registry.h"
#include "session/round.h"
#include "session/shutdown.h"
#include "session/stacks.h"
#include "session/state.h"

bool session_is_there(void)
{
	return session_current();
}

static void report_losses(struct session *session)
{
	registry_report_refused();
	stacks_report();
	logs_report(&session->logs, atomic_load(&globals.lost));
	logs_end_trace(&session->logs);
}

/*
 * An exec that succeeds ends the program as SIGKILL does; after one that fails the program
 * continues. Both are possible until then, so the ring file is kept until the exec has succeeded:
 * the new program's library removes it (predecessor.c), or recovery does.
 */
void session_exec(void)
{
	struct session *session = session_current();

	if (!session)
		return;
	session_write_out(session);
	if (!drain_lock())
		return;
	filethread_hurry();
	writer_write_all(session);
	eventstream_write_rest(session);
	pflog_write(session, NULL);
	if (session->logs.stalled)
		session_tell_stalled(session);
	else
		report_losses(session);
	logs_before_exec(&session->logs);
	__atomic_store_n(&session->ringfile.header->executing, 1, __ATOMIC_RELEASE);
	session_note_end(session, false);
	drain_unlock();
}

void session_exec_failed(void)
{
	struct session *session = session_current();

	if (!session || !drain_lock())
		return;
	__atomic_store_n(&session->ringfile.header->executing, 0, __ATOMIC_RELEASE);
	logs_exec_failed(&session->logs);
	session->failed_execs++;
	session_note_begin(session);
	drain_unlock();
}
