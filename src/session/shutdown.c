/* SPDX-License-Identifier: MIT */
#include "session/shutdown.h"

#include <stdio.h>
#include <unistd.h>

#include "base/say.h"
#include "base/shellword.h"
#include "base/strbuf.h"
#include "base/tsan.h"
#include "session/events.h"
#include "session/eventstream.h"
#include "session/flush.h"
#include "session/last_moment.h"
#include "session/locks.h"
#include "session/logreport.h"
#include "session/manifest.h"
#include "session/overhead.h"
#include "session/pflog.h"
#include "session/registry.h"
#include "session/ringfile_keep.h"
#include "session/round.h"
#include "session/stacks.h"
#include "session/start.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/writer.h"

/*
 * The ends of a process. Several may run in sequence (exit handlers, then destructors), and the
 * program may use the device in between. exit_wait.c has the waits of an exit, which come first.
 */

/* A context without records gets a log with a header, which shows that it was profiled. */
static void open_idle_logs(struct session *session)
{
	for (uint32_t i = globals.first_context; i < globals.catalog.context_count; i++) {
		const struct context *context = catalog_context(&globals.catalog, i);
		struct log_file *log;

		if (session->worked[i])
			continue;
		log = logs_of(&session->logs, context->device, context->id);
		if (!log)
			continue;
		if (!session->logs.stalled && !logs_must_wait(&session->logs, log))
			logs_open(&session->logs, log);
		if (!session->logs.stalled)
			logs_flush(&session->logs, log);
	}
}

struct session *session_at_end(void)
{
	if (globals.pid != getpid() || atomic_load(&globals.ended))
		return NULL;
	if (globals.session || globals.first_context == globals.catalog.context_count)
		return globals.session;
	/* A signal handler may have interrupted this thread anywhere and called exit. */
	return thread_self()->registering ? NULL : session_start();
}

/* The writer does it if there is one: a driver that does not respond must not block the exit. */
void session_write_out(struct session *session)
{
	uint64_t begun = overhead_begin();

	if (writer_flush(session))
		overhead_note(OVERHEAD_FLUSH, overhead_thread(), begun, 0);
	else
		session_flush();
}

void session_tell_stalled(const struct session *session)
{
	struct strbuf word = STRBUF_INIT;

	shellword_put(&word, session->ringfile.path);
	if (session->ringfile.path[0])
		say("a file system does not answer: to finish the log, run: computeprof recover %s",
		    strbuf_text(&word));
	else
		say("a file system does not answer: the last records are lost");
	strbuf_free(&word);
}

enum { SESSION_NAME = 64 };

static void name_session(const struct session *session, char name[SESSION_NAME])
{
	const struct process *process = &globals.catalog.process;

	snprintf(name, SESSION_NAME, "%u %llu %u", process->pid,
		 (unsigned long long)process->started, session->failed_execs);
}

void session_note_begin(const struct session *session)
{
	char name[SESSION_NAME];

	name_session(session, name);
	if (session->ringfile.path[0])
		manifest_add_ring(session->ringfile.path, name);
	else if (session->ringfile.anonymous)
		manifest_add("memory", name);
}

bool session_note_end(const struct session *session, bool kept)
{
	char name[SESSION_NAME];

	name_session(session, name);
	if (session->ringfile.path[0])
		return manifest_add_end(kept ? "kept" : "ended", name);
	if (session->ringfile.anonymous)
		manifest_add("ended", name);
	return true;
}

/* Removes the ring file, unless it has records that a file has not taken, or totals that the tool
 * reads. The tool is notified before: it looks for the ring file first, then for the line in its
 * list. If the line cannot be written, the ring file stays and shows it. */
static void leave_ring(struct session *session)
{
	bool kept = ringfile_keep_is_wanted(session), notified = true;

	if (session->logs.stalled)
		session_tell_stalled(session);
	if (!session->logs.stalled || session->ringfile.anonymous)
		notified = session_note_end(session, kept);
	if (session->logs.stalled)
		return;
	if (!kept)
		ringfile_keep_tell_unread(session);
	if (kept || !notified)
		ringfile_keep(session);
	else
		ringfile_unlink(&session->ringfile);
}

/* An empty log may be due to a mistake in the filter. */
static void say_filtered(const struct session *session)
{
	uint64_t count = atomic_load(&globals.filtered);
	bool worked = false;

	for (uint32_t i = 0; i < globals.catalog.context_count; i++)
		worked |= session->worked[i];
	if (count && !worked)
		say("no kernel, copy or fill was logged: [filter] kernel excludes %llu kernel%s",
		    (unsigned long long)count, count == 1 ? "" : "s");
}

/* The user has requested a trace. */
static void say_no_ranges(const struct session *session)
{
	bool asked = false;

	for (int api = 0; api < API_COUNT; api++)
		asked |= globals.settings[api] && globals.settings[api]->trace &&
			 globals.settings[api]->ranges_asked;
	if (asked && !session->logs.trace.begun)
		say("no trace was written: COMPUTE_PROFILE_TRACE_FROM is ranges, and the program "
		    "began no NVTX range");
}

void session_shutdown(struct session *session)
{
	uint64_t begun;

	if (atomic_load(&globals.ended))
		return;
	/* Recording ends before the last round: otherwise other threads could launch without
	 * end. */
	last_moment_begin();
	atomic_store(&globals.ended, true);
	thread_set_live(NULL);
	filethread_last();
	begun = overhead_begin();
	overhead_round(session, 0, begun, writer_round(session, true), true);
	begun = overhead_begin();
	open_idle_logs(session);
	overhead_note(OVERHEAD_RESOURCE, 0, begun, 0);
	if (!session->logs.stalled) {
		overhead_take();
		events_flush(session);
	}
	eventstream_close(session);
	pflog_close(session);
	ringfile_tell_growth(&session->ringfile);
	registry_report_refused();
	stacks_report();
	say_filtered(session);
	say_no_ranges(session);
	logs_close(&session->logs, atomic_load(&globals.lost));
	leave_ring(session);
}

/* Reports losses if no session could be made for lack of memory. */
static void end_without_session(void)
{
	uint64_t lost = atomic_load(&globals.lost);

	if (globals.pid != getpid() || globals.session || atomic_load(&globals.ended) || !lost)
		return;
	atomic_store(&globals.ended, true);
	logs_report_lost(lost);
}

void session_end(void)
{
	struct session *session = session_at_end();

	if (!session) {
		end_without_session();
		return;
	}
	if (thread_self()->draining)
		return;
	if (writer_finish(session)) {
		pthread_join(session->writer.thread, NULL);
		filethread_end();
		return;
	}
	if (!drain_lock()) {
		if (filethread_is_busy())
			session_tell_stalled(session);
		else
			say("the driver does not answer: run \"computeprof recover\" to finish the "
			    "log");
		return;
	}
	session_shutdown(session);
	drain_unlock();
	filethread_end();
}

void session_end_last(void)
{
	if (session_current())
		last_moment_expect();
	session_end();
}

/* A signal handler may not join a thread. The thread sanitizer reports threads that have ended
 * without being joined. */
static void forget_writer(struct session *session)
{
	if (tsan_is_here() && atomic_exchange(&session->writer_alive, 0))
		pthread_detach(session->writer.thread);
}

void session_leave(void)
{
	struct thread *self = thread_self();
	struct session *session = session_current();

	if (!session)
		end_without_session();
	if (!session || self->draining)
		return;
	last_moment_expect();
	/* The interrupted call never returns. */
	if (self->rings[0] && self->session == session)
		atomic_store(&self->rings[0]->ring.open, 0);
	if (!writer_flush(session) && !self->innermost)
		session_flush();
	if (writer_finish(session))
		forget_writer(session);
	else if (drain_revoke()) {
		session_shutdown(session);
		drain_keep();
	}
}
