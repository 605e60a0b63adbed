/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/sampling/driver_thread.h"
#include "backend/sampling/sampler.h"
#include "backend/sampling/samples.h"
#include "backend/sampling/sampling.h"
#include "base/clock.h"
#include "base/say.h"
#include "base/worker.h"
#include "session/session.h"
#include "session/stacks.h"
#include "settings/environ.h"

/*
 * Samples of the CPU as a back end: it makes SAMPLE events only, for the trace of an API whose
 * settings request them.
 */
enum {
	MILLISECOND = 1000000,
	SECOND = 1000 * MILLISECOND,
	PERIOD = 50 * MILLISECOND, /* ns between updates of the threads, at least */
	SMALL = 100 * MILLISECOND, /* ns of CPU time without samples that are not worth a message */
};

static struct settings settings[API_COUNT];
static enum api asked = API_COUNT; /* the API whose settings request samples */
static _Atomic bool paused, was_paused;
static unsigned rate; /* samples per second */
static bool ended;
static uint64_t sampled; /* ns of CPU time that the samples stand for */
static uint64_t before;	 /* ns of CPU time of the process before the first sample could come */

static void end(const char *reason)
{
	ended = true;
	say("no %sCPU samples are taken: %s", sampled || samples_are_ready() ? "more " : "",
	    reason);
}

static void update(void)
{
	static uint64_t last;
	uint64_t now = clock_monotonic();
	const char *reason;

	/* It may wait for the file thread, so a thread of the program that helps does not do it. */
	if (ended || now - last < PERIOD || !worker_is_thread((uint32_t)syscall(SYS_gettid)))
		return;
	last = now;
	if (atomic_load(&paused)) {
		sampler_stop();
		return;
	}
	if (!sampler_update(&reason))
		end(reason);
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

	sampled += from->weight;
	sample.frame.stack = stacks_intern(from->frames, from->count,
					   (from->exact ? STACKS_EXACT : 0) |
						   (from->count == SAMPLE_FRAMES ? STACKS_CUT : 0));
	if (driver_thread_is(&session_catalog()->stacks, sample.frame.stack))
		sample.frame.flags = SAMPLE_DEVICE;
	session_take_event(&sample.frame);
}

/* Puts the reason into `to`. */
static void find_reason(char *to, size_t size, uint64_t used)
{
	const unsigned long long period = SECOND / rate / MILLISECOND;
	int number = sampled || ended ? 0 : sampler_lost_signal();

	if (number)
		snprintf(to, size, "the program has set its own action for signal %d (SIG%s)",
			 number, number == SIGURG ? "URG" : "WINCH");
	else if (used < SECOND / rate)
		snprintf(to, size,
			 "at %u samples per second a thread has one each %llu ms of its "
			 "CPU time",
			 rate, period);
	else
		snprintf(to, size,
			 "threads ran for less than %llu ms, were in system calls, ran while the "
			 "main thread only waited, or blocked or handled the signal",
			 period < SMALL / MILLISECOND ? SMALL / MILLISECOND : period);
}

/* While recording is stopped there are no samples by intention. */
static void tell_missing(void)
{
	uint64_t used = clock_cpu_time(CLOCK_PROCESS_CPUTIME_ID) - worker_cpu_time() - before;
	char reason[192];
	static int said;

	if (atomic_load(&was_paused) || (ended && !sampled) || sampled + SMALL > used ||
	    sampled > used / 10 * 9)
		return;
	find_reason(reason, sizeof(reason), used);
	say_once(&said, "CPU samples stand for %llu of %llu ms of CPU time: %s",
		 (unsigned long long)(sampled / MILLISECOND),
		 (unsigned long long)(used / MILLISECOND), reason);
}

static uint64_t collect(enum collecting how)
{
	uint64_t taken;

	if (how == COLLECT_LAST)
		sampler_stop();
	taken = samples_take(take);
	session_lost_events(samples_lost());
	if (how == COLLECT_LAST)
		tell_missing();
	return taken;
}

static void forked(void)
{
	sampled = 0;
	before = 0;
	sampler_forked();
}

static const struct source source = {
	.fetch = update,
	.collect = collect,
	.forked = forked,
};

/* The settings are read without messages: these are printed when the program uses the API. */
static unsigned rate_of(enum api api)
{
	struct environ_values values;
	const char *value;
	static int said;

	environ_read(&values, api);
	value = values.value[ENVIRON_SAMPLE];
	if (!value && !values.value[ENVIRON_CONFIG])
		return 0;
	say_mute(true);
	settings_look(&settings[api], api);
	say_mute(false);
	if (!settings[api].enabled || settings[api].bad_config)
		return 0;
	if (value)
		settings_say_wrong(ENVIRON_SAMPLE, settings_wrong_value(ENVIRON_SAMPLE, value),
				   value);
	if (!settings[api].sample_rate || settings_keeps_samples(&settings[api]))
		return settings[api].sample_rate;
	say_once(&said, "samples are recorded only in a trace: set COMPUTE_PROFILE_TRACE, too");
	return 0;
}

/* Returns the rate, 0 if no API asks for samples. */
static unsigned attach(void)
{
	for (int api = 0; api < API_COUNT; api++) {
		unsigned wanted = rate_of((enum api)api);

		if (!wanted || session_attach_marks(api, &settings[api]))
			continue;
		asked = api;
		return wanted;
	}
	return 0;
}

static void tell_nothing(void)
{
	if (environ_samples_only())
		say("nothing is recorded: COMPUTE_PROFILE_SAMPLES_ONLY is 1, but no samples are "
		    "requested by COMPUTE_PROFILE_SAMPLE");
}

/* The program may use no GPU at all, so the sampler begins the session. */
void sampling_arm(const char *library)
{
	const char *reason;

	(void)library;
	rate = attach();
	if (!rate) {
		tell_nothing();
		return;
	}
	before = clock_cpu_time(CLOCK_PROCESS_CPUTIME_ID);
	if (sampler_start(rate, session_expect, end, &reason))
		say("no CPU samples are taken: %s", reason);
	else
		session_attach_sampler(&source);
}

void sampling_finish(void)
{
	if (asked == API_COUNT || session_is_there())
		return;
	if (samples_are_ready())
		session_expect();
	else
		tell_missing();
}

/* The next update follows. */
void sampling_control(bool on)
{
	atomic_store(&paused, !on);
	if (!on)
		atomic_store(&was_paused, true);
}
