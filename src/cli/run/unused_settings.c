/* SPDX-License-Identifier: MIT */
#include "cli/run/unused_settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "cli/run/artifacts.h"
#include "model/column.h"
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

/* Settings of logs, and what they are called in messages. */
enum of_logs { LOG_LIMITS, LOG_COLUMNS, LOG_FORMAT, LOG_DIALECT, OF_LOGS };
static const char *const of_logs[OF_LOGS] = {"limits", "columns", "format", "dialect"};

/* What the settings of all APIs request. */
struct found {
	unsigned int unkept;	   /* bits of enum kept: requested, but in no file of any API */
	unsigned int log_config;   /* bits of enum of_logs: the configuration file sets it, */
	unsigned int log_variable; /* a variable sets it, */
	unsigned int log_used;	   /* an output of an API uses it */
	unsigned int idle;	   /* bit i: of_values[i] is set, but a mode does not use it */
	unsigned int modeless;	   /* bit i: of_values[i] is set, but no mode is */
	unsigned int used;	   /* bit i: a mode uses of_values[i] */
	bool metrics;	     /* settings of metrics logs are set */
	bool metrics_logs;   /* the directory of metrics logs is set */
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

/* Returns the settings of logs that the outputs of the API use. computeprof print makes the log of
 * the settings from a trace, without limits. */
static unsigned int find_used_by_logs(const struct settings *settings)
{
	bool log = settings_have_log(settings), trace = settings->trace != NULL;
	bool api_log = settings->api_log != NULL;

	return (log || api_log ? 1U << LOG_LIMITS : 0) |
	       (log || trace || api_log ? 1U << LOG_FORMAT : 0) |
	       (log || trace ? 1U << LOG_COLUMNS | 1U << LOG_DIALECT : 0);
}

/* Settings that have the value that they have by default are not found. */
static void look_at_logs(struct found *found, const struct settings *settings, enum api api)
{
	const struct layout *layout = &settings->layout;
	struct environ_values values;
	const char *dialect;
	unsigned int variables, set;

	environ_read(&values, api);
	dialect = values.value[ENVIRON_DIALECT];
	variables = (environ_on(&values, ENVIRON_CSV) ? 1U << LOG_FORMAT : 0) |
		    (dialect && text_same(dialect, "cuda4") ? 1U << LOG_DIALECT : 0);
	set = (settings->record_limit || settings->byte_limit ? 1U << LOG_LIMITS : 0) |
	      (layout->columns != column_set(0, api, layout->dialect) ? 1U << LOG_COLUMNS : 0) |
	      (layout->format == FORMAT_CSV ? 1U << LOG_FORMAT : 0) |
	      (layout->dialect == DIALECT_CUDA4 ? 1U << LOG_DIALECT : 0);
	found->log_config |= set & ~variables;
	found->log_variable |= set & variables;
	found->log_used |= find_used_by_logs(settings);
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

	if (settings->values == VALUES_NONE && settings->values_asked != VALUES_NONE)
		return;
	for (unsigned int i = 0; i < OF_VALUES; i++)
		if (of_values[i].modes & 1U << settings->values)
			found->used |= 1U << i;
		else if (set[i] && settings->values == VALUES_NONE)
			found->modeless |= 1U << i;
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
		if (settings.enabled) {
			look_at_logs(&found, &settings, (enum api)api);
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

/* Appends a word of a list. Bits of `later`: the words after it. */
static void put_word(struct strbuf *to, const char *word, unsigned int later)
{
	strbuf_string(to, word);
	if (later)
		strbuf_string(to, later & (later - 1) ? ", " : " and ");
}

/* Appends the name of the variable that is set, for one API or all. */
static void put_variable(struct strbuf *to, enum environ_id id)
{
	const struct environ_row *row = &environ_rows[id];
	const char *value = NULL;

	for (unsigned int i = 0; i < (row->family ? ENVIRON_FAMILIES : 1) && !value; i++) {
		to->length = 0;
		strbuf_printf(to, "%s%s", environ_prefix(row, i), row->suffix);
		value = getenv(strbuf_text(to));
		if (value && (!*value || !strcmp(value, "0")))
			value = NULL;
	}
}

/* An option sets the variable, too: it is for tables then, or is checked as an option. */
static void tell_variable(const struct found *found, enum of_logs setting, enum environ_id id,
			  const char *option)
{
	struct strbuf name = STRBUF_INIT;

	if (option || !(found->log_variable & ~found->log_used & 1U << setting))
		return;
	put_variable(&name, id);
	say("%s is for logs, and this run writes none", strbuf_text(&name));
	strbuf_free(&name);
}

static void tell_of_logs(const struct found *found, const struct flags *flags)
{
	static const unsigned int plural = 1U << LOG_LIMITS | 1U << LOG_COLUMNS;
	unsigned int unused = found->log_config & ~found->log_used;
	bool one = !(unused & (unused - 1)) && !(unused & plural);
	struct strbuf list = STRBUF_INIT;

	for (unsigned int i = 0; i < OF_LOGS; i++)
		if (unused & 1U << i)
			put_word(&list,
				 i == LOG_COLUMNS && found->counters ? "columns without counters"
								     : of_logs[i],
				 unused >> (i + 1));
	if (unused)
		say("the %s of the configuration file %s for logs, and this run writes none",
		    strbuf_text(&list), one ? "is" : "are");
	strbuf_free(&list);
	tell_variable(found, LOG_FORMAT, ENVIRON_CSV, flags->value[FLAG_CSV]);
	tell_variable(found, LOG_DIALECT, ENVIRON_DIALECT, flags->value[FLAG_DIALECT]);
}

static void tell_of_values(const struct found *found)
{
	unsigned int modeless = found->modeless & ~found->used & ~found->idle;
	struct strbuf list = STRBUF_INIT;

	for (unsigned int i = 0; i < OF_VALUES; i++) {
		if (found->idle & ~found->used & 1U << i)
			say("%s in section [values] is for the %s", of_values[i].name,
			    of_values[i].words);
		if (modeless & 1U << i)
			put_word(&list, of_values[i].name, modeless >> (i + 1));
	}
	if (modeless)
		say("%s in section [values] %s no effect without a mode (--values, "
		    "COMPUTE_PROFILE_VALUES or mode in the section)",
		    strbuf_text(&list), modeless & (modeless - 1) ? "have" : "has");
	strbuf_free(&list);
}

/* Settings without an effect on the run, which is not changed. */
static void tell_idle(const struct found *found, const struct flags *flags)
{
	tell_of_logs(found, flags);
	if (found->metrics && !found->metrics_logs)
		say("metrics logs have settings and no directory, so none are written (PFLOG, "
		    "--metrics or directory in section [metrics])");
	tell_of_values(found);
	if (found->replay && !found->counters)
		say("replay in section [counters] has no counter to measure");
}

int unused_settings_tell(const struct flags *flags, const struct view *view, unsigned int tables)
{
	struct found found = find();
	unsigned int unkept = found.unkept & ~(kept_by(tables) | (view ? view->has : 0));
	bool aloud = !artifacts_are_others() && !flags->is_repeated;

	if (aloud)
		tell_idle(&found, flags);
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		bool samples = requests[i].kept == KEPT_SAMPLES;

		if (!(unkept & requests[i].kept))
			continue;
		if (samples && (view || tables)) {
			tell(requests[i].what, "; no program was run");
			return -1;
		}
		if (aloud)
			tell(requests[i].what, "");
		if (requests[i].variable && (!samples || !environ_samples_only()))
			unsetenv(requests[i].variable);
	}
	return 0;
}
