/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "backend/sampling/sampler.h"
#include "backend/sampling/samples.h"
#include "backend/sampling/sampling.h"
#include "base/clock.h"
#include "base/say.h"
#include "session/session.h"
#include "session/stacks.h"

/*
 * Samples of the CPU as a back end: it makes SAMPLE events only, for the trace of an API whose
 * settings request them.
 */
enum { PERIOD = 50 * 1000000 /* ns between updates of the threads, at least */ };

static struct settings settings[API_COUNT];
static enum api asked = API_COUNT; /* the API whose settings request samples */
static _Atomic bool paused;
static bool ended;

static void update(void)
{
	static uint64_t last;
	uint64_t now = clock_monotonic();
	const char *reason;

	if (ended || now - last < PERIOD)
		return;
	last = now;
	if (paused) {
		sampler_stop();
		return;
	}
	if (sampler_update(&reason))
		return;
	ended = true;
	say("no more CPU samples are taken: %s", reason);
}

static void take(const struct cpu_sample *from)
{
	struct sample sample = {
		.frame = {.kind = FRAME_SAMPLE, .thread = from->thread},
		.enter = from->time,
		.weight = from->weight,
		.api = (uint16_t)asked,
		.clock = (uint16_t)from->clock,
	};

	sample.frame.stack = stacks_intern(from->frames, from->count);
	session_take_event(&sample.frame);
}

static uint64_t collect(enum collecting how)
{
	uint64_t taken;

	if (how == COLLECT_LAST)
		sampler_stop();
	taken = samples_take(take);
	session_lost_events(samples_lost());
	return taken;
}

static const struct source source = {
	.fetch = update,
	.collect = collect,
	.forked = sampler_forked,
};

/* Returns the rate, 0 if no API asks for samples. */
static unsigned attach(void)
{
	for (int api = 0; api < API_COUNT; api++) {
		settings_load(&settings[api], api);
		if (!settings[api].enabled || !settings[api].sample_rate ||
		    settings[api].bad_config || session_attach_marks(api, &settings[api]))
			continue;
		asked = api;
		return settings[api].sample_rate;
	}
	return 0;
}

/* The program may use no GPU at all, so the session starts here. */
void sampling_arm(const char *library)
{
	unsigned rate = attach();
	const char *reason;

	(void)library;
	if (!rate)
		return;
	if (sampler_start(rate, &reason)) {
		say("no CPU samples are taken: %s", reason);
		return;
	}
	session_attach_sampler(&source);
	session_expect();
}

/* The next update follows. */
void sampling_control(bool on)
{
	paused = !on;
}
