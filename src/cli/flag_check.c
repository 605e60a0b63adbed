/* SPDX-License-Identifier: MIT */
/* Checks for options that contradict each other or have an invalid value. */
#include "cli/flag.h"

#include <stddef.h>
#include <string.h>

#include "base/say.h"
#include "cli/counters/chip.h"
#include "cli/file_kind.h"
#include "cli/suggest.h"
#include "settings/filename.h"

static int check_dialect(const struct flags *flags)
{
	const char *name = flags->value[FLAG_DIALECT];

	if (!name || !strcmp(name, "classic") || !strcmp(name, "cuda4"))
		return 0;
	say("unknown dialect '%s': use classic or cuda4", name);
	return -1;
}

static int check_apis(const struct flags *flags)
{
	if (!flags->value[FLAG_OPENCL] || !flags->value[FLAG_CUDA])
		return 0;
	say("--opencl and --cuda exclude each other; without them both are profiled");
	return -1;
}

static int check_formats(const struct flags *flags)
{
	const char *output = flags->value[FLAG_OUTPUT];
	struct file_kind kind;

	if (!flags->value[FLAG_KEYVAL])
		return 0;
	if (flags->value[FLAG_CSV]) {
		say("--csv and --kvp exclude each other");
		return -1;
	}
	if (!file_kind_of(output, &kind) || kind.format != FORMAT_CSV)
		return 0;
	say("--kvp contradicts -o %s: such a file has comma separated values", output);
	return -1;
}

static void say_chip(const char *name)
{
	struct suggestion nearest;
	struct strbuf hint = STRBUF_INIT;

	suggest_begin(&nearest, name);
	for (int i = 0; i < CHIP_COUNT; i++)
		suggest_offer(&nearest, chips[i].name);
	suggest_put(&hint, &nearest);
	say("unknown chip '%.100s'%s", name,
	    hint.length ? strbuf_text(&hint)
			: "; use a name like GH100 or H100, or a compute capability like 9.0 or "
			  "sm_90");
	strbuf_free(&hint);
}

static int check_chip(const struct flags *flags)
{
	const char *name = flags->value[FLAG_CHIP];

	if (!name)
		return 0;
	if (flags->value[FLAG_DEVICE])
		say("--chip and --device both select a chip; use one of them only");
	else if (!chip_find(name))
		say_chip(name);
	else
		return 0;
	return -1;
}

static int check_number(const struct flags *flags, enum flag_id id)
{
	const char *value = flags->value[id];

	if (!value || (*value && strlen(value) < 10 && !value[strspn(value, "0123456789")]))
		return 0;
	say("--%s needs a number, not '%s'", flag_rows[id].name, value);
	return -1;
}

int flag_check_pattern(const struct flags *flags, enum flag_id id)
{
	const char *pattern = flags->value[id];
	size_t length;
	const char *wrong = pattern ? filename_mistake(pattern, &length) : NULL;

	if (!wrong)
		return 0;
	say("--%s: '%.*s' in '%s' is not a placeholder: use %%d, %%p, %%h, %%r or %%q{VAR}, or "
	    "%%%% for a percent sign",
	    flag_rows[id].name, (int)length, wrong, pattern);
	return -1;
}

/* --log-file %1 and %2 are the standard output and error. `print` expands the name of -o only for
 * traces, and checks it then. */
static int check_patterns(const struct flags *flags)
{
	const char *tables = flags->value[FLAG_LOG_FILE];
	bool stream = tables && (!strcmp(tables, "%1") || !strcmp(tables, "%2"));

	if (flag_check_pattern(flags, FLAG_LOG) || flag_check_pattern(flags, FLAG_TRACE) ||
	    flag_check_pattern(flags, FLAG_METRICS) || flag_check_pattern(flags, FLAG_EVENTS) ||
	    (!stream && flag_check_pattern(flags, FLAG_LOG_FILE)))
		return -1;
	return flags->command == COMMAND_PRINT ? 0 : flag_check_pattern(flags, FLAG_OUTPUT);
}

/* JSON has nanoseconds; in Markdown each time has a unit of its own. */
static int check_unit(const struct flags *flags)
{
	static const enum flag_id forms[] = {FLAG_JSON, FLAG_MARKDOWN};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!flags->value[FLAG_UNIT] || !flags->value[forms[i]])
			continue;
		say("-u is for tables: leave it out with --%s", flag_rows[forms[i]].name);
		return -1;
	}
	return 0;
}

int flag_check(const struct flags *flags)
{
	bool wrong = check_dialect(flags) || check_apis(flags) || check_formats(flags) ||
		     check_chip(flags) || check_number(flags, FLAG_DEVICE) ||
		     check_number(flags, FLAG_CONTEXT) || check_patterns(flags) ||
		     check_unit(flags);

	return wrong ? -1 : 0;
}
