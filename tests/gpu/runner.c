/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rows.h"
#include "settings.h"
#include "tap.h"
#include "work.h"

enum { MOST_BEYOND = 2, LIMIT = 30, LONG_LIMIT = 100 }; /* seconds */
enum { FOLDER_NAME = 128 };

static int remove_entry(const char *path, const struct stat *facts, int type, struct FTW *level)
{
	(void)facts;
	(void)type;
	(void)level;
	return remove(path);
}

static void fresh_folder(const char *path)
{
	nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	mkdir(path, 0777);
}

char *runner_beside(const char *name)
{
	static const char *const folders[] = {".libs/", "", NULL};
	char self[4096], *path;
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[length > 0 ? length : 0] = 0;
	slash = strrchr(self, '/');
	for (const char *const *folder = folders; slash && *folder; folder++) {
		slash[1] = 0;
		if (asprintf(&path, "%s%s%s", self, *folder, name) < 0)
			return NULL;
		if (!access(path, F_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* Returns the time limit of a part: less if CONFORMANCE_SECONDS for all of them are nearly over. */
static double limit_of(const struct part *part)
{
	static double end;
	const char *text = getenv("CONFORMANCE_SECONDS");
	double limit = (part->flags & PART_LONG ? LONG_LIMIT : LIMIT) * settings_slow();
	double now = (double)work_now() / 1e9, left;

	if (!text)
		return limit;
	if (!end)
		end = now + strtod(text, NULL);
	left = end - now;
	if (left < limit)
		limit = left;
	return limit > 0 ? limit : 0;
}

static struct outcome run_profiled(const struct part *part, const char *folder, char **arguments)
{
	char *with_tool[8] = {getenv("COMPUTEPROF"), strdup("-q")};
	struct process process = {
		.folder = folder,
		.arguments = arguments,
		.environment = settings_profiled(part, folder),
		.limit = limit_of(part),
		.plain = part->flags & PART_PLAIN,
	};
	struct outcome outcome;

	if (part->flags & PART_TOOL) {
		for (int i = 0; i < 5 && arguments[i]; i++)
			with_tool[i + 2] = arguments[i];
		process.arguments = with_tool;
	}
	outcome = process_run(&process);
	settings_free(process.environment);
	free(with_tool[1]);
	return outcome;
}

static struct outcome run_part(const struct part *part, const char *folder, bool profiled)
{
	char *program = runner_beside(part->flags & PART_LINKED ? "linked" : "conformance");
	char *arguments[] = {program, strdup("work"), strdup(part->name), NULL};
	struct process process = {
		.folder = folder,
		.arguments = arguments,
		.limit = limit_of(part),
		.plain = part->flags & PART_PLAIN,
	};
	struct outcome outcome;

	if (profiled) {
		outcome = run_profiled(part, folder, arguments);
	} else {
		process.environment = settings_alone(part);
		outcome = process_run(&process);
		settings_free(process.environment);
	}
	for (char **word = arguments; *word; word++)
		free(*word);
	return outcome;
}

static void recover(const struct part *part, const char *folder)
{
	char *arguments[] = {getenv("COMPUTEPROF"), strdup("recover"), strdup("."), NULL};
	struct process process = {.folder = folder,
				  .arguments = arguments,
				  .environment = settings_alone(part),
				  .limit = LIMIT * settings_slow()};

	tap_result(process_run(&process).status == 0, "%s: the log can be recovered", part->name);
	settings_free(process.environment);
	free(arguments[1]);
	free(arguments[2]);
}

/* Prints the part's stderr as diagnostics. */
static void show(const char *folder, const char *name)
{
	char path[512], *text, *rest;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	text = rest = logtext_load(path);
	for (char *line; rest && (line = strsep(&rest, "\n"));) {
		if (*line)
			tap_note("%s: %.300s", path, line);
	}
	free(text);
}

/* Returns false if there is nothing more to check. */
static bool check_alone(const struct part *part, const char *folder, const struct outcome *outcome)
{
	char reason[LOGTEXT_VALUE];

	if (WIFEXITED(outcome->status) && WEXITSTATUS(outcome->status) == WORK_SKIPPED) {
		rows_note(folder, "skip ", reason);
		tap_skip(reason, "%s: %s", part->name, part->title);
		return false;
	}
	if (!outcome->late && outcome->status != (127 << 8) && outcome->status != (1 << 8))
		return true;
	tap_result(false, "%s: works alone (%s%s)", part->name, process_text(outcome->status),
		   outcome->late ? ", too late" : "");
	show(folder, "err");
	return false;
}

static void check_both(const struct run *run)
{
	const struct part *part = run->part;
	double beyond = run->profiled.seconds - run->native.seconds;
	bool hangs = run->profiled.late || beyond > MOST_BEYOND * settings_slow();

	tap_result(run->profiled.status == run->native.status, "%s: ends with %s, as alone",
		   part->name, process_text(run->native.status));
	if (run->profiled.status != run->native.status)
		tap_note("profiled: %s", process_text(run->profiled.status));
	if (!(part->flags & (PART_LONG | PART_HANGS)))
		tap_result(!hangs, "%s: does not hang", part->name);
	tap_note("%.3f s alone, %.3f s profiled", run->native.seconds, run->profiled.seconds);
	if (!(part->flags & PART_SPEAKS))
		tap_result(!rows_said(run->folder, "err", "computeprof"), "%s: silent on stderr",
			   part->name);
	show(run->folder, "err");
}

static void name_folders(const struct part *part, char alone[FOLDER_NAME], char folder[FOLDER_NAME])
{
	snprintf(alone, FOLDER_NAME, "%s.alone", part->name);
	snprintf(folder, FOLDER_NAME, "%s.profiled", part->name);
}

/* Returns NULL, or the reason why the part cannot be run. */
static const char *obstacle(const struct part *part)
{
	const char *library = getenv("COMPUTEPROF_LIBRARY");
	char *here = realpath(".", NULL);
	char *linked = runner_beside("linked"), *self = runner_beside("conformance");
	const char *why = part->skip;

	if (!why && part->flags & PART_LINKED && !linked)
		why = "not built";
	if (!why && part->flags & PART_PLAIN &&
	    (!process_plain_can(self, X_OK) || !here || !process_plain_can(here, X_OK) ||
	     (library && !process_plain_can(library, R_OK))))
		why = "a plain user has no access to the suite's folder";
	free(here);
	free(linked);
	free(self);
	return why;
}

static void run_one(const struct part *part)
{
	char alone[FOLDER_NAME], folder[FOLDER_NAME];
	struct run run = {.part = part, .folder = folder, .alone = alone};
	bool profiled =
		getenv("COMPUTEPROF_LIBRARY") && !(part->flags & (PART_WITNESS | PART_ALONE));
	const char *why = obstacle(part);

	name_folders(part, alone, folder);
	if (why) {
		tap_skip(why, "%s: %s", part->name, part->title);
		return;
	}
	fresh_folder(alone);
	run.native = run_part(part, alone, false);
	if (!check_alone(part, alone, &run.native))
		return;
	tap_note("%s: %s", part->name, part->title);
	if (!profiled) {
		if (part->flags & (PART_WITNESS | PART_ALONE))
			part->check(&run);
		else
			tap_result(true, "%s: works alone", part->name);
		return;
	}
	fresh_folder(folder);
	run.profiled = run_part(part, folder, true);
	check_both(&run);
	if (part->flags & PART_RECOVER)
		recover(part, folder);
	part->check(&run);
}

int runner_run(const struct part *const *list)
{
	for (; *list; list++)
		run_one(*list);
	return tap_finish();
}

int runner_check(const struct part *part)
{
	char alone[FOLDER_NAME], folder[FOLDER_NAME];
	const struct run run = {.part = part, .folder = folder, .alone = alone};

	name_folders(part, alone, folder);
	part->check(&run);
	return tap_finish();
}
