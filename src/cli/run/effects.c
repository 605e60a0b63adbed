/* SPDX-License-Identifier: MIT */
#include "cli/run/effects.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/file_kind.h"
#include "cli/print/export.h"
#include "cli/report/report.h"
#include "model/kept.h"
#include "settings/environ.h"
#include "settings/options.h"
#include "view/stacks/flame.h"

/* Returns true if the settings differ from the value that the option set in `variable`. */
static bool is_other(const char *variable, const char *value)
{
	const char *typed = getenv(variable);

	return typed && (!value || strcmp(typed, value));
}

/* Compares the format of the log. When tables are printed, --csv applies to the tables, so it
 * cannot conflict. */
static bool is_other_format(enum flag_id id, const struct flags *flags, enum format format)
{
	struct file_kind kind;

	if (id == FLAG_CSV)
		return format != FORMAT_CSV && !report_asked(flags);
	if (!file_kind_of(flags->value[FLAG_OUTPUT], &kind) || flags->value[FLAG_CSV])
		return false;
	return kind.format != FORMAT_COUNT && format != kind.format;
}

/* Likewise for the options that request records. An output may be added after this check. */
static bool is_other_request(enum flag_id id, const char *value, const struct settings *settings)
{
	struct settings typed = {0};
	bool other = false;

	if (id == FLAG_STACKS)
		other = !settings->stacks && !(settings->unkept & KEPT_STACKS);
	if (id == FLAG_PRINT_API_SUMMARY || id == FLAG_PRINT_API_TRACE)
		other = !settings->calls_asked;
	if (id == FLAG_SAMPLE && !option_set(option_find("stacks", "sample"), &typed, value))
		other = typed.sample_rate != settings->sample_rate;
	if (id == FLAG_VALUES && !option_set(option_find("values", "mode"), &typed, value))
		other = typed.values != settings->values_asked;
	settings_free(&typed);
	return other;
}

/* Returns true if the configuration file, which overrides variables, differs from the option. */
static bool is_overruled(enum flag_id id, const struct flags *flags,
			 const struct settings *settings)
{
	const char *value = flags->value[id];

	if (id == FLAG_LOG)
		return is_other("COMPUTE_PROFILE_LOG", settings->log);
	if (id == FLAG_TRACE)
		return is_other("COMPUTE_PROFILE_TRACE", settings->trace);
	if (id == FLAG_EVENTS)
		return is_other("COMPUTE_PROFILE_EVENTS", settings->events);
	if (id == FLAG_METRICS)
		return is_other("PFLOG", settings->metrics.directory);
	if (id == FLAG_DIALECT)
		return (settings->layout.dialect == DIALECT_CUDA4) != !strcmp(value, "cuda4");
	if (id == FLAG_START)
		return settings->start_enabled != !strcmp(value, "on");
	if (id == FLAG_CSV || id == FLAG_OUTPUT)
		return is_other_format(id, flags, settings->layout.format);
	return is_other_request(id, value, settings);
}

int effects_check_config(const struct flags *flags, const struct settings *settings)
{
	for (int id = 0; id < FLAG_COUNT && settings->config; id++) {
		const char *value = flags->value[id];

		if (!value || !is_overruled((enum flag_id)id, flags, settings))
			continue;
		say("%s contradicts --%s%s%s: use one of them", settings->config,
		    flag_rows[id].name, *value ? " " : "", value);
		return -1;
	}
	return 0;
}

void effects_note(struct effects *effects, const struct settings *settings)
{
	effects->enabled |= settings->enabled;
	effects->logged |= settings->enabled && settings_have_log(settings);
	effects->sampled |= settings->enabled && settings->sample_rate;
}

/* A log that the user has named /dev/null is one. --csv is for tables, too, which -o alone has
 * not. */
static int check_log(const struct flags *flags, const struct effects *effects)
{
	bool tables = report_asked(flags) || !flags->value[FLAG_OUTPUT];
	enum flag_id of_logs = FLAG_DIALECT;

	if (effects->logged || !flag_has_no_log())
		return 0;
	if (!flags->value[FLAG_DIALECT] && !tables)
		of_logs = FLAG_CSV;
	if (!flags->value[of_logs])
		return 0;
	say("--%s is for logs, and this run writes none: add --log FILE; no program was run",
	    flag_rows[of_logs].name);
	return -1;
}

/* The library would record nothing. */
static int check_samples_only(const struct effects *effects)
{
	if (!environ_samples_only() || effects->sampled)
		return 0;
	say("nothing would be recorded: COMPUTE_PROFILE_SAMPLES_ONLY is 1, and no samples are "
	    "requested (--sample, COMPUTE_PROFILE_SAMPLE or the configuration file); no program "
	    "was run");
	return -1;
}

/* -o has requested samples before, unless a setting says otherwise. */
static int check_samples(const struct flags *flags, const struct effects *effects)
{
	struct file_kind kind;

	if (flame_options.mode != FLAME_CPU_ONLY || effects->sampled ||
	    !file_kind_of(flags->value[FLAG_OUTPUT], &kind) || !kind.view || !kind.view->of_stacks)
		return 0;
	say("--cpu-only is for samples of the CPU, whose rate is 0 (--sample, "
	    "COMPUTE_PROFILE_SAMPLE or the configuration file); no program was run");
	return -1;
}

int effects_check(const struct flags *flags, const struct effects *effects)
{
	if (!effects->enabled)
		return 0;
	return check_log(flags, effects) || check_samples(flags, effects) ||
			       check_samples_only(effects)
		       ? -1
		       : 0;
}
