/* SPDX-License-Identifier: MIT */
#include "session/control.h"

#include <stdatomic.h>

#include "session/manifest.h"

static atomic_int asked; /* 1 or -1; 0: it has said nothing */

/* The word without a path that the tool looks for (cli/artifacts.c). */
static void tell(atomic_flag *once, const char *word)
{
	if (!atomic_flag_test_and_set(once))
		manifest_add(word, "-");
}

void control_asked(void)
{
	static atomic_flag once = ATOMIC_FLAG_INIT;

	tell(&once, "asked");
}

void control_ask(bool on)
{
	atomic_store(&asked, on ? 1 : -1);
	if (on)
		control_asked();
}

bool control_begins(const struct settings *settings)
{
	static atomic_flag once = ATOMIC_FLAG_INIT;
	int wish = atomic_load(&asked);
	bool begins = wish ? wish > 0 : settings->start_enabled;

	if (!begins)
		tell(&once, "waits");
	return begins;
}
