/* SPDX-License-Identifier: MIT */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "model/api.h"
#include "model/event.h"
#include "settings/config.h"
#include "settings/environ.h"
#include "settings/filename.h"
#include "settings/options.h"
#include "settings/settings.h"

void settings_default_log(struct strbuf *to, enum dialect dialect, enum api api)
{
	const char *plain = dialect == DIALECT_CLASSIC ? "compute_profile.log"
						       : api_rows[api].cuda4_log;

	if (filename_job_rank())
		filename_tag(to, plain, "rank%r");
	else
		strbuf_string(to, plain);
}

bool settings_is_default_log(const struct settings *settings)
{
	struct strbuf usual = STRBUF_INIT;
	bool is;

	settings_default_log(&usual, settings->layout.dialect, settings->layout.api);
	is = settings->log && !strcmp(settings->log, strbuf_text(&usual));
	strbuf_free(&usual);
	return is;
}

/* Copies `text`, NULL for NULL. Without memory profiling is switched off. */
static char *copy(struct settings *settings, const char *text)
{
	char *memory = text ? strdup(text) : NULL;

	if (text && !memory)
		settings->enabled = false;
	return memory;
}

const char *settings_ring(enum ring_place *place, const char *value)
{
	*place = RING_BY_ROOM;
	if (value && !strcmp(value, "memory"))
		*place = RING_IN_MEMORY;
	else if (value && !strcmp(value, "log"))
		*place = RING_BESIDE_LOG;
	else if (value)
		return "must be memory or log";
	return NULL;
}

/* Parses the value of COMPUTE_PROFILE_TOTALS, NULL if unset, into the two members. Returns as
 * settings_ring. */
static const char *read_totals(struct settings *settings, const char *value)
{
	settings->totals_percentiles = value && !strcmp(value, "percentiles");
	settings->totals = settings->totals_percentiles || (value && !strcmp(value, "1"));
	return value && !settings->totals && strcmp(value, "0") ? "must be 1, percentiles or 0"
								: NULL;
}

/* Likewise for COMPUTE_PROFILE_TRACE_FROM; `trace` is set before. A program, or the configuration
 * file, may set the name of another trace than that of ranges. Such a trace is whole. */
static const char *read_trace_from(struct settings *settings, const char *value)
{
	static const char ranges[] = "ranges:";
	size_t length = sizeof(ranges) - 1;
	bool named = value && !strncmp(value, ranges, length);

	settings->ranges_asked = value && !strcmp(value, "ranges");
	settings->trace_from_ranges = settings->ranges_asked;
	if (named && settings->trace)
		settings->trace_from_ranges = !strcmp(value + length, settings->trace);
	return value && !settings->trace_from_ranges && !named && strcmp(value, "start")
		       ? "must be start, ranges or ranges:TRACE"
		       : NULL;
}

/* The variables that are settings of the configuration file, too. */
static const struct {
	enum environ_id id;
	char section[8];
	char option[10];
} option_variables[] = {
	{ENVIRON_DIALECT, "output", "dialect"},	     {ENVIRON_EVENTS, "output", "events"},
	{ENVIRON_SAMPLE, "stacks", "sample"},	     {ENVIRON_VALUES, "values", "mode"},
	{ENVIRON_PFLOG, "metrics", "directory"},     {ENVIRON_PFLOG_VERSION, "metrics", "version"},
	{ENVIRON_PFLOG_FORMAT, "metrics", "format"}, {ENVIRON_PFLOG_NAMES, "metrics", "names"},
	{ENVIRON_PFLOG_PERIOD, "metrics", "period"},
};

/* Takes the value of a variable that is neither a switch nor a file. Returns as settings_ring. */
static const char *take_value(struct settings *settings, enum environ_id id, const char *value)
{
	if (id == ENVIRON_RING)
		return settings_ring(&settings->ring, value);
	if (id == ENVIRON_TOTALS)
		return read_totals(settings, value);
	if (id == ENVIRON_TRACE_FROM)
		return read_trace_from(settings, value);
	for (size_t i = 0; i < sizeof(option_variables) / sizeof(option_variables[0]); i++)
		if (option_variables[i].id == id)
			return option_set(option_find(option_variables[i].section,
						      option_variables[i].option),
					  settings, value);
	return NULL;
}

const char *settings_wrong_value(enum environ_id id, const char *value)
{
	struct settings settings = {0};
	const char *wrong = take_value(&settings, id, value);

	settings_free(&settings);
	return wrong;
}

void settings_say_wrong(enum environ_id id, const char *wrong, const char *value)
{
	const struct environ_row *row = &environ_rows[id];

	if (wrong)
		say_new("%s%s %s, not '%.100s'", environ_prefix(row, 0), row->suffix, wrong, value);
}

/* Takes the values that are neither switches nor files. Such variables apply to all APIs. */
static void take_values(struct settings *settings, const struct environ_values *values)
{
	for (int id = 0; id < ENVIRON_COUNT; id++) {
		const char *value = values->value[id];

		if (value)
			settings_say_wrong(id, take_value(settings, id, value), value);
	}
}

/* The environment is read first, so that the configuration file overrides it. */
static void take_environment(struct settings *settings, const struct environ_values *values)
{
	const char *log = values->value[ENVIRON_LOG], *trace = values->value[ENVIRON_TRACE];

	if (environ_on(values, ENVIRON_CSV))
		settings->layout.format = FORMAT_CSV;
	settings->log = copy(settings, log);
	settings->trace = copy(settings, trace);
	settings->api_log = copy(settings, values->value[ENVIRON_API_LOG]);
	settings->api_calls = environ_on(values, ENVIRON_API);
	settings->stacks = environ_on(values, ENVIRON_STACKS);
	settings->managed = environ_on(values, ENVIRON_MANAGED);
	settings->start_enabled = !environ_on(values, ENVIRON_WAIT);
	settings->metrics.version = METRICS_VERSION;
	settings->metrics.period = METRICS_PERIOD;
	settings->value_limit = VALUE_LIMIT;
	settings->value_memory = VALUE_MEMORY;
	settings->value_percent = VALUE_PERCENT;
	settings->value_type = ELEMENT_FLOAT32;
	settings->value_level = VALUE_LEVEL;
	settings->value_sample = 1;
	settings->metrics.prometheus = environ_on(values, ENVIRON_PFLOG_PROMETHEUS);
	take_values(settings, values);
}

static void check_trace_from(const struct settings *settings)
{
	static int said;

	if (settings->trace_from_ranges && !settings->trace)
		say_once(&said, "COMPUTE_PROFILE_TRACE_FROM has no effect without a trace: set "
				"COMPUTE_PROFILE_TRACE, too");
}

/* Uses of memory need the allocations, which are events. */
static void take_objects(struct settings *settings, const struct environ_values *values)
{
	static int said;
	const char *calls = values->value[ENVIRON_API];
	bool refused = calls && !strcmp(calls, "0");

	if (settings->values == VALUES_NONE)
		return;
	if (!refused && settings_keeps_samples(settings)) {
		settings->api_calls = true;
		return;
	}
	if (!refused)
		settings->unkept |= KEPT_VALUES;
	say_once(&said, refused ? "the uses of memory are not recorded: they need the events that "
				  "COMPUTE_PROFILE_API=0 turns off"
				: "the uses of memory are recorded only in a trace: set "
				  "COMPUTE_PROFILE_TRACE, too");
	settings->values = VALUES_NONE;
}

/* The events of managed memory are among those of calls. */
static void take_managed(struct settings *settings, const struct environ_values *values)
{
	static int said;
	const char *calls = values->value[ENVIRON_API];
	bool refused = calls && !strcmp(calls, "0");

	if (!settings->managed || !api_row(settings->layout.api)->reports_migrations) {
		settings->managed = false;
		return;
	}
	if (!refused && settings->trace) {
		settings->api_calls = true;
		return;
	}
	if (!refused)
		settings->unkept |= KEPT_MANAGED;
	say_once(&said, refused ? "migrations of managed memory are not recorded: they are among "
				  "the events that COMPUTE_PROFILE_API=0 turns off"
				: "migrations of managed memory are recorded only in a trace: set "
				  "COMPUTE_PROFILE_TRACE, too");
	settings->managed = false;
}

/* A file for calls is a request to record them, unless COMPUTE_PROFILE_API is 0. */
static void take_calls(struct settings *settings, const struct environ_values *values)
{
	static int said, refused;
	const char *calls = values->value[ENVIRON_API];

	if (settings->api_log && calls && !strcmp(calls, "0")) {
		say_once(&refused, "the API log is not written: COMPUTE_PROFILE_API=0 turns off "
				   "the recording of calls");
		free(settings->api_log);
		settings->api_log = NULL;
	}
	settings->api_calls |= settings->api_log != NULL;
	if (settings->api_calls && !settings->trace && !settings->api_log && !settings->events &&
	    !settings->totals) {
		say_once(&said, "calls are recorded only in a trace, an API log or an event "
				"stream: set COMPUTE_PROFILE_TRACE, COMPUTE_PROFILE_API_LOG or "
				"COMPUTE_PROFILE_EVENTS, too");
		settings->api_calls = false;
	}
}

/* A call's settings override the present ones. */
static void apply_request(struct settings *settings, const struct settings_request *wish)
{
	settings->layout.format = wish->format;
	if (wish->log && *wish->log)
		option_set(option_find("output", "log"), settings, wish->log);
}

/* PFLOG alone requests the metrics logs and no log. If the switch is 0, both are off. */
static bool wants_metrics_only(const struct environ_values *values)
{
	return !values->value[ENVIRON_PROFILE] && values->value[ENVIRON_PFLOG];
}

static void write_no_log(struct settings *settings)
{
	free(settings->log);
	free(settings->trace);
	free(settings->events);
	settings->log = copy(settings, "/dev/null");
	settings->trace = settings->events = NULL;
	settings->api_calls = settings->totals = false;
	settings->values = VALUES_NONE;
	settings->no_log = true;
	if (!environ_any_enabled())
		settings->ring = RING_NONE;
}

static void check_stacks(struct settings *settings)
{
	static int said;

	if (settings_logs_callers(settings))
		settings->stacks = true;
	if (!settings->stacks || settings_keeps_stacks(settings))
		return;
	say_once(&said, "call stacks are recorded only in a trace: set COMPUTE_PROFILE_TRACE, too");
	settings->stacks = false;
	settings->unkept |= KEPT_STACKS;
}

static void take_default_log(struct settings *settings)
{
	struct strbuf name = STRBUF_INIT;

	settings_default_log(&name, settings->layout.dialect, settings->layout.api);
	settings->log = copy(settings, strbuf_text(&name));
	settings->enabled &= !name.failed;
	strbuf_free(&name);
}

static void load(struct settings *settings, enum api api, const struct settings_request *wish,
		 bool only_looked_at)
{
	struct environ_values values;
	struct layout *layout = &settings->layout;
	bool logged;

	*settings = (struct settings){
		.layout.api = api, .start_enabled = true, .only_looked_at = only_looked_at};
	environ_read(&values, api);
	if (wish && wish->config && *wish->config)
		values.value[ENVIRON_CONFIG] = wish->config;
	logged = environ_on(&values, ENVIRON_PROFILE);
	settings->enabled = logged || wants_metrics_only(&values);
	if (!settings->enabled)
		return;
	take_environment(settings, &values);
	if (values.value[ENVIRON_CONFIG])
		config_load(settings, values.value[ENVIRON_CONFIG]);
	/* Again: the configuration file may have set another trace. */
	read_trace_from(settings, values.value[ENVIRON_TRACE_FROM]);
	settings->values_asked = settings->values;
	settings->calls_asked = settings->api_calls;
	layout->columns = column_set(layout->columns, api, layout->dialect);
	if (wish)
		apply_request(settings, wish);
	if (!logged)
		write_no_log(settings);
	if (!settings->log)
		take_default_log(settings);
	if (!settings->enabled)
		say_no_memory();
	check_stacks(settings);
	if (settings->sample_rate && !settings_keeps_samples(settings))
		settings->unkept |= KEPT_SAMPLES;
	take_objects(settings, &values);
	take_managed(settings, &values);
	take_calls(settings, &values);
	check_trace_from(settings);
}

void settings_load(struct settings *settings, enum api api)
{
	load(settings, api, NULL, false);
}

void settings_look(struct settings *settings, enum api api)
{
	load(settings, api, NULL, true);
}

void settings_load_request(struct settings *settings, enum api api,
			   const struct settings_request *wish)
{
	load(settings, api, wish, false);
}

static void free_filter(char *text, regex_t *compiled)
{
	free(text);
	if (compiled)
		regfree(compiled);
	free(compiled);
}

void settings_free(struct settings *settings)
{
	free(settings->log);
	free(settings->trace);
	free(settings->api_log);
	free(settings->events);
	free(settings->metrics.directory);
	free(settings->metrics.rank);
	free(settings->config);
	free(settings->bad_config);
	free_filter(settings->kernel_filter, settings->kernel_regex);
	free_filter(settings->value_kernels, settings->value_regex);
	counter_requests_free(&settings->counters);
	strbuf_free(&settings->warnings);
	strbuf_free(&settings->unknown);
	*settings = (struct settings){0};
}

bool settings_examines_kernel(const struct settings *settings, const char *name)
{
	if (!settings->value_regex)
		return true;
	return regexec(settings->value_regex, name, 0, NULL, 0) == 0;
}

bool settings_logs_kernel(const struct settings *settings, const char *name)
{
	if (!settings->kernel_regex)
		return true;
	return regexec(settings->kernel_regex, name, 0, NULL, 0) == 0;
}
