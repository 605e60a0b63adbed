/* SPDX-License-Identifier: MIT */
#include "cli/diff/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "base/say.h"
#include "cli/command.h"
#include "cli/report/report.h"
#include "cli/resolved_name.h"
#include "cli/table.h"
#include "cli/wholefile.h"
#include "view/compare/compare_json.h"
#include "view/compare/compare_junit.h"
#include "view/compare/compare_markdown.h"
#include "view/compare/compare_notes.h"
#include "view/compare/compare_page.h"
#include "view/compare/compare_table.h"

enum { DIGITS = 9 };

int outcome_number(const struct flags *flags, enum flag_id id, unsigned least, unsigned most,
		   unsigned *number)
{
	const char *value = flags->value[id], *end = value;
	uint64_t read;

	if (!value)
		return 0;
	read = number_read(value, &end);
	if (end > value && !*end && read >= least && read <= most) {
		*number = (unsigned)read;
		return 0;
	}
	say("--%s needs a number from %u to %u, not '%s'", flag_rows[id].name, least, most, value);
	return -1;
}

/* A number such as 5 or 0.1. */
static int take_decimal(const struct flags *flags, enum flag_id id, double *number)
{
	const char *value = flags->value[id];
	const char *point = value ? strchr(value, '.') : NULL;
	size_t length = value ? strlen(value) : 0;

	if (!value)
		return 0;
	if (length && length <= DIGITS && strspn(value, "0123456789.") == length &&
	    (!point || (!strchr(point + 1, '.') && length > 1))) {
		*number = strtod(value, NULL);
		return 0;
	}
	say("--%s needs a number such as 5 or 0.1, not '%s'", flag_rows[id].name, value);
	return -1;
}

static int take_statistic(struct outcome *outcome, const char *value)
{
	unsigned minimum = 1u << STATISTIC_MINIMUM, median = 1u << STATISTIC_MEDIAN;

	outcome->options.statistics = minimum;
	if (!value || !strcmp(value, "minimum"))
		return 0;
	outcome->options.statistics = strcmp(value, "both") != 0 ? median : minimum | median;
	if (!strcmp(value, "median") || !strcmp(value, "both"))
		return 0;
	say("--statistic takes minimum, median or both, not '%s'", value);
	return -1;
}

static int take_form(struct outcome *outcome)
{
	static const struct {
		enum flag_id flag;
		enum outcome_form form;
	} forms[] = {
		{FLAG_CSV, OUTCOME_CSV},
		{FLAG_JSON, OUTCOME_JSON},
		{FLAG_MARKDOWN, OUTCOME_MARKDOWN},
	};
	int count = 0;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!outcome->flags->value[forms[i].flag])
			continue;
		outcome->form = forms[i].form;
		count++;
	}
	if (count < 2)
		return 0;
	say("--csv, --json and --markdown exclude each other");
	return -1;
}

static int take_unit(struct outcome *outcome, const char *name)
{
	int unit = name ? tables_unit(name) : TABLES_AUTO;

	outcome->time_unit = unit - 1; /* QUANTITY_AUTO is -1 */
	if (unit >= 0)
		return 0;
	say("unknown unit '%s': use auto, s, ms, us or ns", name);
	return -1;
}

/* They need not exist yet. */
static bool are_one_file(const char *one, const char *other)
{
	struct resolved_name first = {.name = NULL}, second = {.name = NULL};
	bool are_one = !strcmp(one, other) ||
		       (resolved_name_find(&first, one) && resolved_name_find(&second, other) &&
			resolved_name_is_same(&first, &second));

	free(first.path);
	free(second.path);
	return are_one;
}

const enum flag_id outcome_files[OUTCOME_FILES] = {FLAG_JUNIT, FLAG_HTML, FLAG_FOLDED, FLAG_SAVE};

bool outcome_replaces(const struct flags *flags, const char *what, const char *path)
{
	struct stat status, output;

	if (!path || stat(path, &status))
		return false;
	for (int i = 0; i < OUTCOME_FILES; i++) {
		const char *name = flags->value[outcome_files[i]];

		if (!name || stat(name, &output) || output.st_ino != status.st_ino ||
		    output.st_dev != status.st_dev)
			continue;
		say("--%s would replace the %s, %s; no program was run",
		    flag_rows[outcome_files[i]].name, what, path);
		return true;
	}
	return false;
}

static int check_pair(const struct flags *flags, enum flag_id one, enum flag_id other)
{
	if (!flags->value[one] || !flags->value[other] ||
	    !are_one_file(flags->value[one], flags->value[other]))
		return 0;
	say("--%s and --%s need two files, not %s for both", flag_rows[one].name,
	    flag_rows[other].name, flags->value[one]);
	return -1;
}

static int check_files(const struct flags *flags)
{
	enum flag_id last = flags->command == COMMAND_GATE ? FLAG_SAVE : FLAG_FOLDED;
	bool any = false;

	for (int i = 0; i < OUTCOME_FILES; i++)
		any |= flags->value[outcome_files[i]] != NULL;
	if (flags->value[FLAG_FORCE] && !any) {
		say("-f is for files: it needs --junit, --html or --%s", flag_rows[last].name);
		return -1;
	}
	for (int i = 0; i < OUTCOME_FILES; i++)
		for (int other = i + 1; other < OUTCOME_FILES; other++)
			if (check_pair(flags, outcome_files[i], outcome_files[other]))
				return -1;
	for (int i = 0; i < OUTCOME_FILES; i++)
		if (flags->value[outcome_files[i]] &&
		    wholefile_check(flags, NULL, flags->value[outcome_files[i]]))
			return -1;
	return 0;
}

int outcome_begin(struct outcome *outcome, const struct flags *flags)
{
	double percent = 5, microseconds = 0.1;

	*outcome = (struct outcome){.flags = flags};
	if (take_decimal(flags, FLAG_THRESHOLD, &percent) ||
	    take_decimal(flags, FLAG_FLOOR, &microseconds) ||
	    take_statistic(outcome, flags->value[FLAG_STATISTIC]) || take_form(outcome) ||
	    take_unit(outcome, flags->value[FLAG_UNIT]) ||
	    report_demangling(flags, &outcome->demangle))
		return -1;
	outcome->options.threshold = percent / 100;
	outcome->options.floor = microseconds * 1000;
	return check_files(flags);
}

static void put(const struct outcome *outcome, struct comparison *comparison, struct strbuf *to)
{
	const struct printer_page page = {
		.text = to,
		.csv = outcome->form == OUTCOME_CSV,
		.time_unit = outcome->time_unit,
		.width = isatty(STDOUT_FILENO) ? table_width(STDOUT_FILENO) : 0,
	};

	switch (outcome->form) {
	case OUTCOME_JSON:
		compare_put_json(to, comparison);
		return;
	case OUTCOME_MARKDOWN:
		compare_put_markdown(to, comparison);
		return;
	case OUTCOME_TEXT:
	case OUTCOME_CSV:
		break;
	}
	compare_put_table(comparison, &page);
}

/* If the flag is given, writes the comparison to the file that it names, in this form. */
static int write_file(const struct outcome *outcome, enum flag_id flag,
		      void (*form)(struct strbuf *to, struct comparison *comparison),
		      struct comparison *comparison)
{
	const char *path = outcome->flags->value[flag];
	struct strbuf text = STRBUF_INIT;
	int result = -1;

	if (!path)
		return 0;
	form(&text, comparison);
	if (text.failed)
		say("out of memory for %s", path);
	else
		result = wholefile_write(path, &text, 1, outcome->flags->value[FLAG_FORCE]);
	strbuf_free(&text);
	return result;
}

static int write_files(const struct outcome *outcome, struct comparison *comparison)
{
	return write_file(outcome, FLAG_JUNIT, compare_put_junit, comparison) ||
			       write_file(outcome, FLAG_HTML, compare_put_page, comparison)
		       ? -1
		       : 0;
}

static int exit_of(enum verdict verdict)
{
	if (verdict == VERDICT_UNTESTED)
		return EXIT_INCONCLUSIVE;
	return verdict == VERDICT_SLOWER ? EXIT_WORSE : EXIT_DONE;
}

/* Returns -1 after a message, or if main() prints one. */
static int print(const struct outcome *outcome, struct comparison *comparison)
{
	struct strbuf text = STRBUF_INIT;
	int result = -1;

	compare_put_notes(comparison);
	put(outcome, comparison, &text);
	if (text.failed || comparison->notes.failed)
		say("out of memory for the comparison");
	else if (fwrite(text.data, 1, text.length, stdout) == text.length && !fflush(stdout))
		result = write_files(outcome, comparison);
	strbuf_free(&text);
	return result;
}

int outcome_print(const struct outcome *outcome, const struct runs *runs)
{
	struct comparison comparison;
	int result = EXIT_TOOL_FAILED;

	if (compare(&comparison, runs, &outcome->options))
		say("out of memory for the comparison");
	else if (!print(outcome, &comparison))
		result = exit_of(comparison.verdict);
	compare_free(&comparison);
	return result;
}
