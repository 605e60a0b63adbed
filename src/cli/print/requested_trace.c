/* SPDX-License-Identifier: MIT */
#include "cli/print/requested_trace.h"

#include "base/say.h"
#include "settings/settings.h"

struct requested_trace requested_trace_find(void)
{
	struct requested_trace found = {.of_all = true};
	bool any = false;

	say_mute(true);
	for (int api = 0; api < API_COUNT; api++) {
		struct settings settings;

		settings_look(&settings, (enum api)api);
		if (settings.enabled && settings.trace) {
			any = true;
			found.whole |= !settings.trace_from_ranges;
			found.ranges_asked |= settings.ranges_asked;
		} else if (settings.enabled) {
			found.of_all = false;
		}
		settings_free(&settings);
	}
	say_mute(false);
	found.of_all &= any;
	return found;
}
