/* SPDX-License-Identifier: MIT */
#include "session/locks.h"
#include "session/session.h"
#include "session/state.h"
#include "session/thread.h"

int session_change(enum api api, const struct settings *settings, const struct source *source)
{
	struct session *session;
	int result;

	if (!drain_lock())
		return -1;
	session = thread_live_session();
	if (session)
		writer_retire(session, api);
	globals.marked[api] = false;
	result = session_attach(api, settings, source);
	if (!result && source->changed)
		source->changed(settings);
	drain_unlock();
	return result;
}
