/* SPDX-License-Identifier: MIT */
#include "cli/run/unused_settings.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/say.h"
#include "cli/run/artifacts.h"
#include "model/event.h"
#include "model/kept.h"
#include "settings/environ.h"
#include "settings/settings.h"
#include "view/tables/tables.h"

static const struct {
	enum kept kept;
	const char *variable; /* removed if no output has it; NULL: the configuration file asks */
	const char *what;
} requests[] = {
	{KEPT_STACKS, "COMPUTE_PROFILE_STACKS", "call stacks"},
	{KEPT_VALUES, "COMPUTE_PROFILE_VALUES", "uses of memory or values in it"},
	{KEPT_MANAGED, "COMPUTE_PROFILE_MANAGED", "migrations of managed memory"},
	{KEPT_SAMPLES, "COMPUTE_PROFILE_SAMPLE", "samples of the CPU"},
	{KEPT_COUNTERS, NULL, "counters"},
};

/* What the tables have. Views have theirs in struct view. */
static unsigned int kept_by(unsigned int tables)
{
	return tables & 1U << TABLE_GPU_TRACE ? KEPT_STACKS : 0; /* the column Caller */
}

/* What the settings of all APIs request. */
struct found {
	unsigned int unkept; /* bits of enum kept: requested, but in no file of any API */
	bool limits;	     /* limits are set */
	bool limited;	     /* limits apply to a log */
	bool metrics;	     /* settings of metrics logs are set */
	bool metrics_logs;   /* the directory of metrics logs is set */
	unsigned int idle;   /* bit i: of_values[i] is set, but a mode does not use it */
	unsigned int used;   /* bit i: a mode uses of_values[i] */
	bool replay;	     /* kernels are to be replayed for counters */
	bool counters;	     /* counters are requested */
	bool counted;	     /* a log or a trace is written, which can have the counters */
};

enum {
	IN_LINES = 1U << VALUES_LINES,
	IN_FLOW = 1U << VALUES_FLOW,
	IN_PATTERNS = 1U << VALUES_PATTERNS,
};

/* Settings of section [values], with the modes that use them. */
static const struct {
	const char *name;
	unsigned int modes;
	const char *words;
} of_values[] = {
	{"limit", IN_FLOW | IN_PATTERNS, "modes flow and patterns"},
	{"memory", IN_FLOW | IN_PATTERNS, "modes flow and patterns"},
	{"time", IN_LINES | IN_FLOW | IN_PATTERNS, "modes lines, flow and patterns"},
	{"type", IN_PATTERNS, "mode patterns"},
	{"approximate", IN_PATTERNS, "mode patterns"},
	{"sample", IN_LINES | IN_PATTERNS, "modes lines and patterns"},
	{"kernel", IN_LINES | IN_PATTERNS, "modes lines and patterns"},
};
enum { OF_VALUES = sizeof(of_values) / sizeof(of_values[0]) };

static void look_at_limits(struct found *found, const struct settings *settings)
{
	if (!settings->enabled || (!settings->record_limit && !settings->byte_limit))
		return;
	found->limits = true;
	found->limited |= settings_have_log(settings) || settings->api_log;
}

static void look_at_metrics(struct found *found, const struct metrics_settings *metrics)
{
	found->metrics |= metrics->version != METRICS_VERSION ||
			  metrics->period != METRICS_PERIOD || metrics->format != METRICS_LOG ||
			  metrics->native_names || metrics->prometheus;
	found->metrics_logs |= metrics->directory != NULL;
}

static void look_at_values(struct found *found, const struct settings *settings)
{
	/* In the order of of_values. */
	const bool set[OF_VALUES] = {
		settings->value_limit != VALUE_LIMIT,	  settings->value_memory != VALUE_MEMORY,
		settings->value_percent != VALUE_PERCENT, settings->value_type != ELEMENT_FLOAT32,
		settings->value_level != VALUE_LEVEL,	  settings->value_sample != 1,
		settings->value_kernels != NULL,
	};

	for (unsigned int i = 0; i < OF_VALUES && settings->values != VALUES_NONE; i++)
		if (of_values[i].modes & 1U << settings->values)
			found->used |= 1U << i;
		else if (set[i])
			found->idle |= 1U << i;
}

static void look_at_counters(struct found *found, const struct settings *settings)
{
	found->replay |= settings->replay_kernels;
	found->counters |= settings->counters.count > 0;
	found->counted |= settings_have_log(settings) || settings->trace;
}

static struct found find(void)
{
	struct found found = {0};
	unsigned int kept = 0;

	say_mute(true);
	for (int api = 0; api < API_COUNT; api++) {
		struct settings settings;

		settings_look(&settings, (enum api)api);
		found.unkept |= settings.unkept;
		look_at_limits(&found, &settings);
		if (settings.enabled) {
			look_at_metrics(&found, &settings.metrics);
			look_at_values(&found, &settings);
			look_at_counters(&found, &settings);
		}
		if (settings.enabled && settings_keeps_samples(&settings))
			kept |= KEPT_STACKS | KEPT_SAMPLES | KEPT_VALUES;
		if (settings.enabled && settings.trace)
			kept |= KEPT_MANAGED;
		settings_free(&settings);
	}
	say_mute(false);
	found.unkept &= ~kept;
	if (found.counters && !found.counted)
		found.unkept |= KEPT_COUNTERS;
	return found;
}

static void tell(const char *what, const char *end)
{
	say("%s are requested, and no output of this run has them; add --trace FILE%s", what, end);
}

/* Settings without an effect on the run, which is not changed. */
static void tell_idle(const struct found *found)
{
	if (found->limits && !found->limited)
		say("the limits of the configuration file are for logs, and this run writes none");
	if (found->metrics && !found->metrics_logs)
		say("metrics logs have settings and no directory, so none are written (PFLOG, "
		    "--metrics or directory in section [metrics])");
	for (unsigned int i = 0; i < OF_VALUES; i++)
		if (found->idle & ~found->used & 1U << i)
			say("%s in section [values] is for the %s", of_values[i].name,
			    of_values[i].words);
	if (found->replay && !found->counters)
		say("replay in section [counters] has no counter to measure");
}

int unused_settings_tell(const struct view *view, unsigned int tables)
{
	struct found found = find();
	unsigned int unkept = found.unkept & ~(kept_by(tables) | (view ? view->has : 0));

	if (!artifacts_are_others())
		tell_idle(&found);
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		bool samples = requests[i].kept == KEPT_SAMPLES;

		if (!(unkept & requests[i].kept))
			continue;
		if (samples && (view || tables)) {
			tell(requests[i].what, "; no program was run");
			return -1;
		}
		if (!artifacts_are_others())
			tell(requests[i].what, "");
		if (requests[i].variable && (!samples || !environ_samples_only()))
			unsetenv(requests[i].variable);
	}
	return 0;
}
