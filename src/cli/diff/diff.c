/* SPDX-License-Identifier: MIT */
/* computeprof diff: runs of two versions of a program. */
#include <stdlib.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/copies.h"
#include "cli/diff/inputs.h"
#include "cli/diff/outcome.h"
#include "cli/distinct.h"
#include "cli/wholefile.h"
#include "view/compare/folded_diff.h"

/* The paths of both sides. */
struct paths {
	char **list[RUNS_SIDES];
	int count[RUNS_SIDES];
};

static bool are_outputs(const struct flags *flags, const struct paths *paths)
{
	for (int side = 0; side < RUNS_SIDES; side++)
		for (int i = 0; i < paths->count[side]; i++)
			if (inputs_are_outputs(flags, paths->list[side][i]))
				return true;
	return false;
}

/* Adds a run, unless `reason` is not NULL: it is one that another file has. */
static int add_run(struct runs *runs, enum runs_side side, const char *path, const char *reason)
{
	if (!reason)
		return inputs_add(runs, side, path);
	inputs_leave_out(runs, side, reason);
	return 0;
}

/* Removes the paths of runs that are left out. */
static int add_all(struct runs *runs, enum runs_side side, struct paths *paths)
{
	char **list = paths->list[side], **reasons;
	int count = paths->count[side], kept = 0, result = -1;

	reasons = calloc((size_t)count, sizeof(*reasons));
	if (reasons)
		result = copies_find(list, count, COPIES_OF_ALL, reasons);
	if (result)
		say("out of memory for the list of files");
	for (int i = 0; reasons && i < count; i++) {
		size_t before = runs->sides[side].count;

		result = result ? result : add_run(runs, side, list[i], reasons[i]);
		if (runs->sides[side].count > before)
			list[kept++] = list[i];
		free(reasons[i]);
	}
	free(reasons);
	paths->count[side] = kept;
	return result;
}

/* A path that is given twice is one run. */
static int make_distinct(struct paths *paths)
{
	for (int side = 0; side < RUNS_SIDES; side++) {
		paths->count[side] = distinct_files(paths->list[side], paths->count[side]);
		if (paths->count[side] < 0)
			return -1;
	}
	return 0;
}

static int write_folded(const struct flags *flags, const struct paths *paths)
{
	char *const *lists[] = {paths->list[RUNS_A], paths->list[RUNS_B]};
	const char *path = flags->value[FLAG_FOLDED];
	struct strbuf text = STRBUF_INIT, error = STRBUF_INIT;
	int result;

	if (!path)
		return 0;
	result = folded_diff(&text, lists, paths->count, &error);
	if (result)
		say("%s", strbuf_text(&error));
	else
		result = wholefile_write(path, &text, 1, flags->value[FLAG_FORCE]);
	strbuf_free(&text);
	strbuf_free(&error);
	return result;
}

/* A saved file may have no runs, and others may be left out. */
static bool has_runs(const struct runs *runs)
{
	return inputs_have_runs(runs, RUNS_A, "A") && inputs_have_runs(runs, RUNS_B, "B");
}

static int compare_files(const struct outcome *outcome, struct paths *paths)
{
	struct strbuf error = STRBUF_INIT;
	struct runs runs;
	int result = EXIT_TOOL_FAILED;

	if (runs_open(&runs, outcome->flags->value[FLAG_KERNELS], outcome->demangle, &error))
		say("%s", strbuf_text(&error));
	else if (!add_all(&runs, RUNS_A, paths) && !add_all(&runs, RUNS_B, paths) &&
		 has_runs(&runs) && !write_folded(outcome->flags, paths))
		result = outcome_print(outcome, &runs);
	runs_close(&runs);
	strbuf_free(&error);
	return result;
}

static int check_folded(const struct flags *flags)
{
	if (!flags->value[FLAG_FOLDED] || !flags->value[FLAG_KERNELS])
		return 0;
	say("--folded has the stacks of all kernels: leave out -k");
	return -1;
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
	if (check_folded(flags) || outcome_begin(&outcome, flags) || are_outputs(flags, &paths))
		return EXIT_TOOL_FAILED;
	return make_distinct(&paths) ? EXIT_TOOL_FAILED : compare_files(&outcome, &paths);
}
