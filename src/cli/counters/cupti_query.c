/* SPDX-License-Identifier: MIT */
#include "cli/counters/cupti_query.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/counters/hostapi.h"
#include "backend/cuda/libcupti_path.h"
#include "base/say.h"
#include "cli/devices.h"
#include "cli/sandbox.h"

static const struct chip *device_chip(const char *number)
{
	struct strbuf out = STRBUF_INIT;
	const struct chip *chip = NULL;
	unsigned capability;

	if (sandbox_run(devices_capability, number, &out)) {
		say("cannot query device %.100s: %s", number, strbuf_text(&out));
	} else {
		capability = (unsigned)strtoul(strbuf_text(&out), NULL, 10);
		chip = chip_of_capability(capability);
		if (!chip)
			say("device %.100s has the unknown compute capability %u.%u",
			    number, capability / 10, capability % 10);
	}
	strbuf_free(&out);
	return chip;
}

const struct chip *cupti_query_chip(const struct flags *flags)
{
	const char *name = flags->value[FLAG_CHIP];

	if (flags->value[FLAG_DEVICE])
		return device_chip(flags->value[FLAG_DEVICE]);
	return name ? chip_find(name) : NULL;
}

static bool driver_works(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	int (*initialize)(unsigned flags) = NULL;

	if (library)
		*(void **)&initialize = dlsym(library, "cuInit");
	return initialize && !initialize(0);
}

static int take(const char *path, void *argument)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	return library && hostapi_fill(argument, library) &&
	       (!hostapi_needs_driver(library) || driver_works());
}

enum { METRICS = 2048 };

struct question {
	struct hostapi api;
	const char *chip;
	const char *metrics[METRICS];
	const char *together[METRICS]; /* the metrics that can be measured together */
	bool have[METRICS];
	size_t count;
};

/* Appends one byte per metric (see cupti_query.h) and the number of passes for all of them. */
static void put_answers(struct strbuf *out, struct question *question)
{
	size_t found = 0, passes = 0;

	for (size_t i = 0; i < question->count; i++)
		if (question->have[i])
			question->together[found++] = question->metrics[i];
	if (found)
		passes = hostapi_passes(&question->api, question->chip, question->together, found);
	found = 0;
	for (size_t i = 0; i < question->count; i++) {
		size_t more = passes;

		question->together[found] = question->metrics[i];
		if (question->have[i] && !passes)
			more = hostapi_passes(&question->api, question->chip, question->together,
					      found + 1);
		found += question->have[i] && more;
		strbuf_char(out, !question->have[i] ? '0' : more ? '1' : 'x');
	}
	if (found && !passes)
		passes = hostapi_passes(&question->api, question->chip, question->together, found);
	strbuf_printf(out, " %zu", passes);
}

/* Runs in a child. `argument` has the chip's name and then the metrics, one per line. */
static int answer_metrics(struct strbuf *out, const char *argument)
{
	static struct question question;
	char *text = strdup(argument), *save = NULL;

	question.chip = text ? strtok_r(text, "\n", &save) : NULL;
	while (question.count < METRICS &&
	       (question.metrics[question.count] = strtok_r(NULL, "\n", &save)))
		question.count++;
	if (!question.chip || libcupti_path_walk(take, &question.api) != 1 ||
	    hostapi_have(&question.api, question.chip, question.metrics, question.count,
			 question.have))
		return 1;
	put_answers(out, &question);
	return 0;
}

void cupti_query_metrics(struct cupti_query_answer *answer, const struct chip *chip,
			 const char *const *metrics, unsigned count)
{
	struct strbuf question = STRBUF_INIT, out = STRBUF_INIT;

	*answer = (struct cupti_query_answer){0};
	strbuf_string(&question, chip->name);
	for (unsigned i = 0; i < count; i++)
		strbuf_printf(&question, "\n%s", metrics[i]);
	if (count && count <= METRICS &&
	    !sandbox_run(answer_metrics, strbuf_text(&question), &out) && out.length > count) {
		answer->have = strdup(strbuf_text(&out));
		answer->known = answer->have != NULL;
	}
	if (answer->known)
		answer->passes = (unsigned)strtoul(answer->have + count, NULL, 10);
	strbuf_free(&question);
	strbuf_free(&out);
}
