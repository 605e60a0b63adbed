/* SPDX-License-Identifier: MIT */
#include "session/control.h"

#include <stdatomic.h>

#include "session/manifest.h"
#include "session/session.h"

static atomic_int asked; /* 1 or -1; 0: no call was made */
static atomic_int heard; /* the same, from any back end */

/* Adds a manifest line that has a word without a path (cli/run/artifacts.c). */
static void notify_tool(atomic_flag *once, const char *word)
{
	if (!atomic_flag_test_and_set(once))
		manifest_add(word, "-");
}

void control_switched(bool on)
{
	static atomic_flag once = ATOMIC_FLAG_INIT;

	if (atomic_exchange(&heard, on ? 1 : -1) < 0 && on)
		session_gap();
	if (on)
		notify_tool(&once, "asked");
}

bool control_wants_marks(const struct settings *settings)
{
	int wish = atomic_load_explicit(&heard, memory_order_relaxed);

	return wish ? wish > 0 : settings->start_enabled;
}

void control_switch(bool on)
{
	atomic_store(&asked, on ? 1 : -1);
	control_switched(on);
}

bool control_starts_recording(const struct settings *settings)
{
	static atomic_flag once = ATOMIC_FLAG_INIT;
	int wish = atomic_load(&asked);
	bool begins = wish ? wish > 0 : settings->start_enabled;

	if (!begins)
		notify_tool(&once, "waits");
	return begins;
}
