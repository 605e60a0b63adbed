/* SPDX-License-Identifier: MIT */
/* What the options set in the environment of the program, or of the tool's own settings. */
#include "cli/flag.h"

#include <stdlib.h>
#include <string.h>

#include "base/say.h"

static const char *const switches[] = {"COMPUTE_PROFILE", "CUDA_PROFILE", "OPENCL_PROFILE"};

static const struct {
	const char *extension;
	const char *variable;
	const char *csv; /* COMPUTE_PROFILE_CSV, or NULL to leave it alone */
} kinds[] = {
	{".log", "COMPUTE_PROFILE_LOG", "0"},
	{".csv", "COMPUTE_PROFILE_LOG", "1"},
	{".cptrace", "COMPUTE_PROFILE_TRACE", NULL},
};

static int set(const char *variable, const char *value)
{
	if (!setenv(variable, value, 1))
		return 0;
	say("cannot set %s: %m", variable);
	return -1;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

int flag_apply_output(const struct flags *flags)
{
	const char *file = flags->value[FLAG_OUTPUT];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!ends_with(file, kinds[i].extension))
			continue;
		if (kinds[i].csv && set("COMPUTE_PROFILE_CSV", kinds[i].csv))
			return -1;
		return set(kinds[i].variable, file);
	}
	say("cannot tell the format of '%s': the name must end in .log, .csv or .cptrace", file);
	return -1;
}

int flag_apply_dialect(const struct flags *flags)
{
	const char *name = flags->value[FLAG_DIALECT];

	if (!strcmp(name, "classic") || !strcmp(name, "cuda4"))
		return set("COMPUTE_PROFILE_DIALECT", name);
	say("there is no dialect '%s': it is classic or cuda4", name);
	return -1;
}

/* COMPUTE_PROFILE would win over the switches of one API, so it goes. */
int flag_apply_api(const struct flags *flags)
{
	unsetenv("COMPUTE_PROFILE");
	if (set("OPENCL_PROFILE", flags->value[FLAG_OPENCL] ? "1" : "0"))
		return -1;
	return set("CUDA_PROFILE", flags->value[FLAG_CUDA] ? "1" : "0");
}

void flag_enable(void)
{
	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		const char *value = getenv(switches[i]);

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
