/* SPDX-License-Identifier: MIT */
#include "session/locks.h"
#include "session/session.h"
#include "session/state.h"
#include "session/thread.h"

int session_change(enum api api, const struct settings *settings, const struct source *source)
{
	struct session *session = thread_live_session();
	int result;

	if (!session)
		return session_attach(api, settings, source);
	if (!drain_lock())
		return -1;
	writer_retire(session, api);
	result = session_attach(api, settings, source);
	drain_unlock();
	return result;
}
