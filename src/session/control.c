/* SPDX-License-Identifier: MIT */
#include "session/control.h"

#include <stdatomic.h>

#include "session/manifest.h"
#include "session/session.h"

static atomic_int last_call;   /* of computeprof_start and _stop: 1 or -1; 0: none was made */
static atomic_int last_switch; /* the same, also by the calls of a back end */

/* Adds a manifest line that has a word without a path (cli/run/artifacts.c). */
static void notify_tool(atomic_flag *once, const char *word)
{
	if (!atomic_flag_test_and_set(once))
		manifest_add(word, "-");
}

void control_switched(bool on)
{
	static atomic_flag once = ATOMIC_FLAG_INIT;

	if (atomic_exchange(&last_switch, on ? 1 : -1) < 0 && on)
		session_gap();
	if (on)
		notify_tool(&once, "asked");
}

bool control_wants_marks(const struct settings *settings)
{
	int state = atomic_load_explicit(&last_switch, memory_order_relaxed);

	return state ? state > 0 : settings->start_enabled;
}

void control_switch(bool on)
{
	atomic_store(&last_call, on ? 1 : -1);
	control_switched(on);
}

bool control_starts_recording(const struct settings *settings)
{
	static atomic_flag once = ATOMIC_FLAG_INIT;
	int state = atomic_load(&last_call);
	bool begins = state ? state > 0 : settings->start_enabled;

	if (!begins)
		notify_tool(&once, "waits");
	return begins;
}
