/* SPDX-License-Identifier: MIT */
/* computeprof diff: runs of two versions of a program. */
#include "base/say.h"
#include "cli/command.h"
#include "cli/diff/inputs.h"
#include "cli/diff/outcome.h"
#include "cli/distinct.h"
#include "cli/print/print.h"

/* An input must not be overwritten. */
static bool is_read(const struct flags *flags, char **paths, int count)
{
	const char *junit = flags->value[FLAG_JUNIT];

	for (int i = 0; junit && i < count; i++)
		if (print_same_file(paths[i], junit))
			return true;
	return false;
}

static int add_all(struct runs *runs, enum runs_side side, char **paths, int count)
{
	count = distinct_files(paths, count);
	for (int i = 0; i < count; i++)
		if (inputs_add(runs, side, paths[i]))
			return -1;
	return count < 0 ? -1 : 0;
}

/* A saved file may have no runs. */
static bool has_runs(const struct runs *runs)
{
	for (int side = 0; side < RUNS_SIDES; side++) {
		if (runs->sides[side].count)
			continue;
		say("%c has no runs", 'A' + side);
		return false;
	}
	return true;
}

/* The paths of both sides. */
struct paths {
	char **list[RUNS_SIDES];
	int count[RUNS_SIDES];
};

static int compare_files(const struct outcome *outcome, const struct paths *paths)
{
	struct strbuf error = STRBUF_INIT;
	struct runs runs;
	int result = EXIT_TOOL_FAILED;

	if (runs_open(&runs, outcome->flags->value[FLAG_KERNELS], outcome->demangle, &error))
		say("%s", strbuf_text(&error));
	else if (!add_all(&runs, RUNS_A, paths->list[RUNS_A], paths->count[RUNS_A]) &&
		 !add_all(&runs, RUNS_B, paths->list[RUNS_B], paths->count[RUNS_B]) &&
		 has_runs(&runs))
		result = outcome_print(outcome, &runs);
	runs_close(&runs);
	strbuf_free(&error);
	return result;
}

int diff_command(const struct flags *flags)
{
	struct paths paths = {{flags->arguments, flags->others},
			      {flags->argument_count, flags->other_count}};
	struct outcome outcome;

	if (!flags->others && flags->argument_count == 2)
		paths = (struct paths){{flags->arguments, flags->arguments + 1}, {1, 1}};
	if (!paths.count[RUNS_A] || !paths.count[RUNS_B]) {
		say("diff needs files before and after '--', as in 'diff old*.cptrace -- "
		    "new*.cptrace'; see 'computeprof diff --help'");
		return EXIT_TOOL_FAILED;
	}
	if (outcome_begin(&outcome, flags) ||
	    is_read(flags, paths.list[RUNS_A], paths.count[RUNS_A]) ||
	    is_read(flags, paths.list[RUNS_B], paths.count[RUNS_B]))
		return EXIT_TOOL_FAILED;
	return compare_files(&outcome, &paths);
}
