/* SPDX-License-Identifier: MIT */
#include "session/attach.h"
#include "session/locks.h"
#include "session/logcalls.h"
#include "session/round.h"
#include "session/session.h"
#include "session/state.h"
#include "session/thread.h"

/* With `drain` held. */
static void change(enum api api, struct settings *rules, const struct settings *settings,
		   const struct source *source)
{
	struct session *session = thread_live_session();

	if (session)
		writer_close_api(session, api);
	meta_lock();
	globals.marked[api] = false;
	attach_take(api, rules, settings, source);
	meta_unlock();
	if (session)
		logcalls_change(&session->logs, api);
	if (source->changed)
		source->changed(settings);
}

int session_change(enum api api, const struct settings *settings, const struct source *source)
{
	struct settings rules;
	int result;

	if (!drain_lock())
		return -1;
	/* The new rules are made first: if that fails, the old rules stay in force. */
	result = attach_prepare(&rules, settings, "the log is not changed");
	if (!result)
		change(api, &rules, settings, source);
	drain_unlock();
	return result;
}
