/* SPDX-License-Identifier: MIT */
#include "cli/ask.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/hostapi.h"
#include "backend/cuda/places.h"
#include "base/say.h"
#include "cli/devices.h"
#include "cli/trial.h"

static const struct chip *device_chip(const char *number)
{
	struct strbuf out = STRBUF_INIT;
	const struct chip *chip = NULL;
	unsigned capability;

	if (trial_run(devices_capability, number, &out)) {
		say("cannot ask device %.100s: %s", number, strbuf_text(&out));
	} else {
		capability = (unsigned)strtoul(strbuf_text(&out), NULL, 10);
		chip = chip_of_capability(capability);
		if (!chip)
			say("device %.100s has compute capability %u.%u, of which nothing is known",
			    number, capability / 10, capability % 10);
	}
	strbuf_free(&out);
	return chip;
}

const struct chip *ask_chip(const struct flags *flags)
{
	const char *name = flags->value[FLAG_CHIP];
	const struct chip *chip;

	if (flags->value[FLAG_DEVICE] && !name)
		return device_chip(flags->value[FLAG_DEVICE]);
	chip = name ? chip_find(name) : NULL;
	if (name && !chip)
		say("no chip is called '%.100s'; write GH100, or a compute capability as 9.0 or "
		    "sm_90",
		    name);
	return chip;
}

static int take(const char *path, void *argument)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	return library && hostapi_fill(argument, library);
}

enum { METRICS = 2048 };

/* In a child: `argument` is the chip's name and then the metrics, a line each. */
static int answer_metrics(struct strbuf *out, const char *argument)
{
	static const char *metrics[METRICS], *there[METRICS];
	static bool have[METRICS];
	char *text = strdup(argument), *save = NULL;
	const char *chip = text ? strtok_r(text, "\n", &save) : NULL;
	size_t count = 0, found = 0;
	struct hostapi api;

	while (count < METRICS && (metrics[count] = strtok_r(NULL, "\n", &save)))
		count++;
	if (!chip || places_walk(take, &api) != 1 ||
	    hostapi_have(&api, chip, metrics, count, have))
		return 1;
	for (size_t i = 0; i < count; i++) {
		if (have[i])
			there[found++] = metrics[i];
		strbuf_char(out, have[i] ? '1' : '0');
	}
	strbuf_printf(out, " %zu", found ? hostapi_passes(&api, chip, there, found) : 0);
	return 0;
}

void ask_metrics(struct ask_answer *answer, const struct chip *chip, const char *const *metrics,
		 unsigned count)
{
	struct strbuf question = STRBUF_INIT, out = STRBUF_INIT;

	*answer = (struct ask_answer){0};
	strbuf_string(&question, chip->name);
	for (unsigned i = 0; i < count; i++)
		strbuf_printf(&question, "\n%s", metrics[i]);
	if (count && count <= METRICS &&
	    !trial_run(answer_metrics, strbuf_text(&question), &out) && out.length > count) {
		answer->have = strdup(strbuf_text(&out));
		answer->known = answer->have != NULL;
	}
	if (answer->known)
		answer->passes = (unsigned)strtoul(answer->have + count, NULL, 10);
	strbuf_free(&question);
	strbuf_free(&out);
}
