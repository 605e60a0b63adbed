/* SPDX-License-Identifier: MIT */
/* Options of tables that contradict others. */
#include <string.h>

#include "base/say.h"
#include "cli/report.h"
#include "view/survey.h"

int report_check_alone(const struct flags *flags)
{
	static const enum flag_id with[] = {FLAG_UNIT, FLAG_LOG_FILE, FLAG_KERNELS, FLAG_DEVICES,
					    FLAG_DEMANGLING, FLAG_PERCENTILES, FLAG_NOTES};

	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		if (!flags->value[with[i]])
			continue;
		say("--%s is for tables: it needs --print-summary or --print-gpu-trace",
		    flag_rows[with[i]].name);
		return -1;
	}
	return 0;
}

static int check_kernels(const char *pattern)
{
	struct survey survey = {.kernels = pattern};
	struct strbuf error = STRBUF_INIT;
	int result = survey_open(&survey, &error);

	if (result)
		say("--kernels: %s", strbuf_text(&error));
	survey_close(&survey);
	strbuf_free(&error);
	return result;
}

/* The tables are no other file's. */
static int check_names(const struct flags *flags)
{
	static const enum flag_id others[] = {FLAG_OUTPUT, FLAG_LOG, FLAG_TRACE};
	const char *name = flags->value[FLAG_LOG_FILE];

	for (size_t i = 0; name && i < sizeof(others) / sizeof(others[0]); i++)
		if (flags->value[others[i]] && !strcmp(name, flags->value[others[i]])) {
			say("--log-file and --%s are both %s", flag_rows[others[i]].name, name);
			return -1;
		}
	return 0;
}

int report_check(const struct flags *flags)
{
	return check_kernels(flags->value[FLAG_KERNELS]) || check_names(flags) ? -1 : 0;
}
