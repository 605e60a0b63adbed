/* SPDX-License-Identifier: MIT */
/* Sets the environment variables of the program, or of the tool's own settings, from the
 * options. */
#include "cli/flag.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "cli/file_kind.h"
#include "cli/print/export.h"
#include "cli/suggest.h"
#include "model/api.h"
#include "settings/environ.h"
#include "view/stacks/flame.h"

static int set(const char *variable, const char *value)
{
	if (!setenv(variable, value, 1))
		return 0;
	say("cannot set %s: %m", variable);
	return -1;
}

/* Sets `variable` to an absolute pattern: the program may start others in other directories. */
static int set_pattern(const char *variable, const char *pattern)
{
	char *directory = *pattern == '/' ? NULL : getcwd(NULL, 0);
	struct strbuf path = STRBUF_INIT;
	int result;

	for (const char *at = directory; at && *at; at++) {
		if (*at == '%')
			strbuf_char(&path, '%');
		strbuf_char(&path, *at);
	}
	strbuf_printf(&path, "%s%s", directory ? "/" : "", pattern);
	result = set(variable, strbuf_text(&path));
	strbuf_free(&path);
	free(directory);
	return result;
}

static void add_extension(struct strbuf *to, const char *extension, const char *help)
{
	(void)help;
	strbuf_printf(to, " %s", extension);
}

/* -o names the log or trace that another option names differently. */
static int refuse_second_name(const struct flags *flags, const struct file_kind *kind)
{
	enum flag_id id = kind->format == FORMAT_COUNT ? FLAG_TRACE : FLAG_LOG;
	const char *file = flags->value[FLAG_OUTPUT], *other = flags->value[id];

	if (!other || !strcmp(other, file))
		return 0;
	say("the %s has two names: use either --%s %s or -o %s", flag_rows[id].name,
	    flag_rows[id].name, other, file);
	return -1;
}

void flag_say_extension(const char *file)
{
	const char *dot = strrchr(file, '.');
	struct strbuf extensions = STRBUF_INIT;
	struct suggestion nearest;
	struct file_kind kind;

	export_files(&extensions, add_extension);
	suggest_begin(&nearest, dot ? dot : "");
	for (unsigned int i = 0; file_kind_at(i, &kind); i++)
		suggest_offer(&nearest, kind.extension);
	suggest_put(&extensions, &nearest);
	say("unknown format of '%s': the name must end in one of%s", file,
	    strbuf_text(&extensions));
	strbuf_free(&extensions);
}

/* Returns true if an option or a variable requests more than the file of -o. */
static bool requests_more(const struct flags *flags)
{
	static const enum environ_id variables[] = {ENVIRON_LOG,    ENVIRON_CONFIG, ENVIRON_TRACE,
						    ENVIRON_API_LOG, ENVIRON_EVENTS, ENVIRON_PFLOG};
	static const enum flag_id others[] = {
		FLAG_LOG,	FLAG_TRACE,		FLAG_PRINT_SUMMARY,
		FLAG_PRINT_GPU_SUMMARY, FLAG_PRINT_GPU_TRACE, FLAG_PRINT_API_SUMMARY,
		FLAG_PRINT_API_TRACE,	FLAG_METRICS,	FLAG_EVENTS, FLAG_CONFIG,
	};
	struct environ_values values;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (flags->value[others[i]])
			return true;
	environ_read(&values, 0);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (values.value[variables[i]])
			return true;
	return false;
}

/* A flame graph needs stacks and samples, unless the user has chosen otherwise. */
static int request_stacks(const struct flags *flags)
{
	static const char rate[] = "99"; /* of samples, without --sample */
	int result;

	if (flame_options.mode == FLAME_CPU_ONLY && !requests_more(flags))
		result = setenv("COMPUTE_PROFILE_SAMPLES_ONLY", "1", 0);
	else
		result = setenv("COMPUTE_PROFILE_STACKS", "1", 0);
	if (!result && flame_options.mode != FLAME_GPU_ONLY)
		result = setenv("COMPUTE_PROFILE_SAMPLE", rate, 0);
	if (result)
		say("cannot set the variables of call stacks: %m");
	return result;
}

static bool no_log; /* a variable is /dev/null, and the user has not named it */

void flag_note_no_log(void)
{
	no_log = true;
}

bool flag_has_no_log(void)
{
	return no_log;
}

int flag_write_no_log(void)
{
	int result = 0;

	for (int api = 0; api < API_COUNT; api++) {
		struct environ_values values;
		struct strbuf name = STRBUF_INIT;

		environ_read(&values, api);
		if (values.value[ENVIRON_LOG])
			continue;
		strbuf_printf(&name, "%s%s", api_rows[api].variable,
			      environ_rows[ENVIRON_LOG].suffix);
		result |= set(strbuf_text(&name), "/dev/null");
		no_log = true;
		strbuf_free(&name);
	}
	return result;
}

int flag_apply_output(const struct flags *flags)
{
	const char *file = flags->value[FLAG_OUTPUT];
	struct file_kind kind;
	bool known = file_kind_of(file, &kind), log = kind.format != FORMAT_COUNT;

	if (kind.view && kind.view->of_stacks && request_stacks(flags)) /* before a name is set */
		return -1;
	if (known && !log && flags->command == COMMAND_RUN && !flags->value[FLAG_LOG] &&
	    flag_write_no_log()) /* it is the only file */
		return -1;
	if (kind.view) /* it is made from the trace */
		return 0;
	if (known && refuse_second_name(flags, &kind))
		return -1;
	if (log && set("COMPUTE_PROFILE_CSV", kind.format == FORMAT_CSV ? "1" : "0"))
		return -1;
	if (known && !log) /* a trace also has the calls, for the files made from it */
		setenv("COMPUTE_PROFILE_API", "1", 0);
	if (known)
		return set_pattern(kind.variable, file);
	flag_say_extension(file);
	return -1;
}

/* The name of a ready-made configuration is passed on unchanged. */
int flag_apply_config(const struct flags *flags)
{
	const char *name = flags->value[FLAG_CONFIG];
	char path[PATH_MAX];

	if (access(name, F_OK) || file_absolute(path, sizeof(path), name))
		return set("COMPUTE_PROFILE_CONFIG", name);
	return set("COMPUTE_PROFILE_CONFIG", path);
}

int flag_apply_dialect(const struct flags *flags)
{
	return set("COMPUTE_PROFILE_DIALECT", flags->value[FLAG_DIALECT]);
}

/* COMPUTE_PROFILE overrides the switches of one API, so it is unset. */
int flag_apply_api(const struct flags *flags)
{
	unsetenv("COMPUTE_PROFILE");
	for (int api = 0; api < API_COUNT; api++)
		if (set(api_rows[api].variable, flags->value[FLAG_APIS + api] ? "1" : "0"))
			return -1;
	return 0;
}

/* Tables of calls need calls. */
int flag_apply_calls(const struct flags *flags)
{
	enum flag_id id = flags->value[FLAG_PRINT_API_SUMMARY] ? FLAG_PRINT_API_SUMMARY
							       : FLAG_PRINT_API_TRACE;
	const char *before = getenv("COMPUTE_PROFILE_API");

	if (before && !strcmp(before, "0"))
		say("COMPUTE_PROFILE_API=0 is not used: --%s needs the calls", flag_rows[id].name);
	return set("COMPUTE_PROFILE_API", "1");
}

int flag_apply_start(const struct flags *flags)
{
	const char *value = flags->value[FLAG_START];

	if (!strcmp(value, "on") || !strcmp(value, "off"))
		return set("COMPUTE_PROFILE_WAIT", strcmp(value, "on") ? "1" : "0");
	say("--profile-from-start takes on or off, not '%s'", value);
	return -1;
}

int flag_apply_events(const struct flags *flags)
{
	return set_pattern("COMPUTE_PROFILE_EVENTS", flags->value[FLAG_EVENTS]);
}

int flag_apply_metrics(const struct flags *flags)
{
	return set_pattern("PFLOG", flags->value[FLAG_METRICS]);
}

void flag_enable(void)
{
	for (unsigned int i = 0; i < ENVIRON_FAMILIES; i++) {
		const char *value = getenv(environ_family(i));

		if (value && *value)
			return;
	}
	set("COMPUTE_PROFILE", "1");
}

int flag_apply(const struct flags *flags)
{
	int result = 0;

	for (int i = 0; i < FLAG_COUNT && !result; i++) {
		const struct flag_row *row = &flag_rows[i];

		if (!flags->value[i])
			continue;
		if (row->apply)
			result = row->apply(flags);
		else if (row->variable)
			result = set(row->variable, row->setting ? row->setting : flags->value[i]);
	}
	return result;
}
