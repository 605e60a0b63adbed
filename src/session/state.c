/* SPDX-License-Identifier: MIT */
#include "session/state.h"

#include <unistd.h>

struct globals globals;

struct session *session_current(void)
{
	if (globals.pid != getpid() || atomic_load(&globals.ended))
		return NULL;
	return globals.session;
}

const struct source *state_source(int api)
{
	if (!globals.settings[api])
		return NULL;
	return __atomic_load_n(&globals.sources[api], __ATOMIC_ACQUIRE);
}

bool state_keeps_totals(struct session *session, const struct settings *settings)
{
	if (!settings->totals)
		return false;
	if (totals_are_ready(&session->totals, &session->ringfile, settings))
		return true;
	session->logs.trace.begun = true;
	return false;
}
