/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>

#include "cupti_fake.h"
#include "cupti_metric.h"

/* The chips of the profiler's own table that have metrics. */

enum { FIRST_WITH_METRICS = 70 };

static const struct chip {
	const char *name;
	int64_t cc;
} all[] = {
#define CHIP(name, cc, products) {#name, cc},
#include "cli/counters/chips.def"
#undef CHIP
};
enum { CHIPS = sizeof(all) / sizeof(*all) };

static const char *names[CHIPS];
static size_t name_count;

static void find_names(void)
{
	for (size_t i = 0; i < CHIPS; i++)
		if (all[i].cc >= FIRST_WITH_METRICS)
			names[name_count++] = all[i].name;
}

const char *const *chip_names(size_t *count)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_names);
	*count = name_count;
	return names;
}

bool chip_is(const char *name)
{
	size_t count;
	const char *const *known = chip_names(&count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(known[i], name))
			return true;
	return false;
}

const char *chip_of_devices(void)
{
	const struct chip *found = all;

	if (script.nochip)
		return "GX100";
	if (script.chip)
		return script.chip;
	for (size_t i = 0; i < CHIPS; i++)
		if (all[i].cc <= script.cc && all[i].cc > found->cc)
			found = &all[i];
	return found->name;
}
