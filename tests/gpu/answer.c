/* SPDX-License-Identifier: MIT */
/* The answers to Q1 to Q11. An assertion fails only if a program was disturbed or gave no
 * answer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "part_counters.h"
#include "part_question.h"
#include "rows.h"
#include "tap.h"

/* Returns the number of a note, or -1. */
static double number(const char *folder, const char *words)
{
	char value[LOGTEXT_VALUE];

	return rows_note(folder, words, value) ? strtod(value, NULL) : -1;
}

/* The first message of the profiler in this run, or "nothing". */
static const char *said(const struct run *run)
{
	static char line[LOGTEXT_VALUE];
	char path[512], *text, *at;

	snprintf(path, sizeof(path), "%s/err", run->folder);
	text = logtext_load(path);
	at = text ? strstr(text, "computeprof: ") : NULL;
	snprintf(line, sizeof(line), "%.*s", at ? (int)strcspn(at, "\n") : 7, at ? at : "nothing");
	free(text);
	return line;
}

static void answered(const struct run *run, bool is_answered)
{
	tap_result(is_answered, "%s: there is an answer", run->part->name);
}

struct answers {
	const struct run *run;
	size_t count;
};

static void print_answers(const char *path, void *user)
{
	struct answers *answers = user;
	char *text = logtext_load(path), *rest = text;

	for (char *line; (line = strsep(&rest, "\n"));) {
		if (strncmp(line, "note answer ", 12))
			continue;
		tap_answer("%s: %s", answers->run->part->name, line + 12);
		answers->count++;
	}
	free(text);
}

void answer_notes(const struct run *run)
{
	struct answers answers = {.run = run};

	rows_files(run->alone, "expected.", print_answers, &answers);
	answered(run, answers.count > 0);
}

struct counted {
	size_t kernels;
	size_t with_counters;
	size_t with_calls;
};

static void count_log(const char *path, void *user)
{
	char grid[LOGTEXT_VALUE], warps[LOGTEXT_VALUE], cputime[LOGTEXT_VALUE];
	struct counted *counted = user;
	struct logtext log;

	logtext_read(&log, path);
	for (size_t row = 0; row < log.row_count; row++) {
		*grid = *warps = *cputime = 0;
		logtext_value(&log, row, "gridsizeX", grid);
		logtext_value(&log, row, "warps_launched", warps);
		logtext_value(&log, row, "cputime", cputime);
		counted->kernels += *grid != 0;
		counted->with_counters += *grid && *warps;
		counted->with_calls += *grid && *cputime;
	}
	logtext_free(&log);
}

static struct counted count_rows(const struct run *run)
{
	struct counted counted = {0};

	rows_files(run->folder, "log.", count_log, &counted);
	return counted;
}

/* Prints the result of the profiler for the 200 launches of T16.order. */
void answer_order(const struct run *run)
{
	struct counted counted = count_rows(run);

	tap_answer("%s: %zu rows of kernels, %zu of them with counters; said: %s", run->part->name,
		   counted.kernels, counted.with_counters, said(run));
	rows_check(run);
}

static void answer_shares(const struct run *run)
{
	double launches = number(run->folder, "note launches ");
	double theirs = number(run->folder, "note theirs ");

	tap_answer("%s: of %.0f launches the log has %zu; the program's own profiler was told of "
		   "%.0f (alone: %.0f); said: %s",
		   run->part->name, launches, rows_count(run), theirs,
		   number(run->alone, "note theirs "), said(run));
	answered(run, launches > 0 && theirs >= 0);
}

void answer_register(const struct run *run)
{
	tap_answer("%s: registering a second time returns %.0f (alone: %.0f); buffers of the "
		   "profiler that the program got: %.0f",
		   run->part->name, number(run->folder, "note register "),
		   number(run->alone, "note register "), number(run->folder, "note foreign "));
	answer_shares(run);
}

void answer_torch(const struct run *run)
{
	char version[LOGTEXT_VALUE] = "?";

	rows_note(run->folder, "note torch ", version);
	tap_answer("%s: PyTorch %s", run->part->name, version);
	answer_shares(run);
}

static uint64_t launched(const char *folder)
{
	uint64_t count = 0;
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/launched", folder);
	file = fopen(path, "re");
	if (file && fread(&count, sizeof(count), 1, file) != 1)
		count = 0;
	if (file)
		fclose(file);
	return count;
}

void answer_kill(const struct run *run)
{
	uint64_t launches = launched(run->folder);
	size_t rows = rows_count(run);

	tap_answer("%s: killed after %llu launches without a pause, %zu rows are left (%llu lost)",
		   run->part->name, (unsigned long long)launches, rows,
		   (unsigned long long)launches - rows);
	answered(run, launches > 0 && rows <= launches);
}

void answer_wait(const struct run *run)
{
	double seen = number(run->folder, "note seen ");

	tap_answer("%s: with counters a kernel that waits for one of another stream %s after "
		   "%.3f s, and the launches took %.3f s (alone: %s after %.3f s); said: %s",
		   run->part->name,
		   seen == 1   ? "ends"
		   : seen == 0 ? "gives up"
			       : "did not come to an end",
		   number(run->folder, "note seconds "), number(run->folder, "note launched "),
		   number(run->alone, "note seen ") == 1 ? "ends" : "gives up",
		   number(run->alone, "note seconds "), said(run));
	answered(run, run->profiled.late || seen >= 0);
}

/* The time from the program's last note to the end of the process. */
static double end_of(const char *folder, const struct outcome *outcome)
{
	return outcome->end - number(folder, "note end ") / 1e9;
}

void answer_times(const struct run *run)
{
	double modules = number(run->folder, "note modules ");

	if (modules > 0)
		tap_answer("%s: %.0f modules are unloaded in %.3f ms (alone: %.3f ms)",
			   run->part->name, modules, number(run->folder, "note milliseconds "),
			   number(run->alone, "note milliseconds "));
	tap_answer("%s: from its last line the program takes %.3f s to end (alone: %.3f s); %zu "
		   "rows",
		   run->part->name, end_of(run->folder, &run->profiled),
		   end_of(run->alone, &run->native), rows_count(run));
	answered(run, number(run->folder, "note end ") > 0);
}

void answer_no_device(const struct run *run)
{
	double init = number(run->folder, "note init ");

	tap_answer("%s: cuInit returns %.0f (alone: %.0f), the program ends with %s; said: %s",
		   run->part->name, init, number(run->alone, "note init "),
		   process_text(run->profiled.status), said(run));
	answered(run, run->profiled.status != 0 || init >= 0);
}

static void count_notes(const char *path, void *user)
{
	char *text = logtext_load(path);
	size_t *count = user;

	for (char *at = text; at && (at = strstr(at, " kernel ")); at++)
		++*count;
	free(text);
}

/* Records are counted in the notes of the recorder, if it is there. */
void answer_passes(const struct run *run)
{
	struct counted counted = count_rows(run);
	double kernels = number(run->folder, "note kernels ");
	size_t records = 0, files = rows_files(run->folder, "recorder.", count_notes, &records);

	tap_answer("%s: of %.0f kernels %zu have a row and %zu counters; CUPTI wrote %zu records "
		   "of kernels%s; said: %s",
		   run->part->name, kernels, counted.kernels, counted.with_counters, records,
		   files ? "" : " (not recorded)", said(run));
	answered(run, kernels > 0);
}

void answer_windows(const struct run *run)
{
	double launches = number(run->folder, "note launches ");
	double kernels = number(run->folder, "note kernels ");
	struct counted counted = count_rows(run);

	tap_answer("%s: %.0f launches of graphs of %.0f kernels in windows have %zu rows, %zu of "
		   "them with cputime; said: %s",
		   run->part->name, launches, kernels, counted.kernels, counted.with_calls,
		   said(run));
	answered(run, launches > 0);
}
