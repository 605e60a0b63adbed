/* SPDX-License-Identifier: MIT */
/* computeprof recover: finishes the logs of programs that were killed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/lines.h"
#include "session/recover.h"

#define RING	      ".ring"
#define SHARED_MEMORY "/dev/shm"

struct tally {
	unsigned found;
	unsigned failed;
};

static void tell_files(const char *what, struct strbuf *paths)
{
	const char *at = strbuf_text(paths), *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		printf("%s: %.*s\n", what, (int)length, line);
}

static void tell_done(const char *path, struct recover_report *report)
{

	printf("%s: %llu rows added", path, (unsigned long long)report->rows);
	if (report->untimed)
		printf(", %llu of them without a gputime", (unsigned long long)report->untimed);
	if (report->lost)
		printf(", %llu records were lost before", (unsigned long long)report->lost);
	putchar('\n');
	tell_files("log", &report->logs);
	tell_files("trace", &report->traces);
}

/* `named`: the user asked for this very file, so that it must be one that can be recovered. */
static void recover_file(const char *path, bool named, struct tally *tally)
{
	struct recover_report report = {0};

	tally->found++;
	switch (recover_ring(path, &report)) {
	case RECOVER_DONE:
		tell_done(path, &report);
		break;
	case RECOVER_ALIVE:
		printf("%s: its process still runs, nothing to do\n", path);
		break;
	case RECOVER_FOREIGN:
		printf("%s: left alone: %s\n", path, strbuf_text(&report.reason));
		tally->failed += named;
		break;
	case RECOVER_FAILED:
		printf("%s: FAILED: %s\n", path, strbuf_text(&report.reason));
		tally->failed++;
		break;
	}
	recover_report_free(&report);
}

static void recover_directory(const char *path, struct tally *tally)
{
	struct strbuf rings = STRBUF_INIT;
	const char *at, *line;
	size_t length;

	if (recover_find(path, &rings)) {
		say("cannot read the directory %s: %m", path);
		tally->failed++;
	}
	at = strbuf_text(&rings);
	while ((line = lines_next(&at, &length))) {
		char *ring = strndup(line, length);

		if (ring)
			recover_file(ring, false, tally);
		free(ring);
	}
	strbuf_free(&rings);
}

static bool is_ring(const char *path)
{
	size_t length = strlen(path), tail = strlen(RING);

	return length >= tail && !strcmp(path + length - tail, RING);
}

/* A log does not name its ring file, but that lies beside it or, where the log is on a network
 * file system, in shared memory. Killed early, a program may have left the ring file only. */
static void recover_beside(const char *log, struct tally *tally)
{
	const char *slash = strrchr(log, '/');
	char *directory = slash ? strndup(log, slash - log + 1) : strdup(".");
	unsigned found = tally->found;

	if (directory)
		recover_directory(directory, tally);
	free(directory);
	recover_directory(SHARED_MEMORY, tally);
	if (found != tally->found || !access(log, F_OK))
		return;
	say("there is no %s, and no ring file where it would be", log);
	tally->failed++;
}

static void recover_path(const char *path, struct tally *tally)
{
	struct stat status;

	if (is_ring(path))
		recover_file(path, true, tally);
	else if (!stat(path, &status) && S_ISDIR(status.st_mode))
		recover_directory(path, tally);
	else
		recover_beside(path, tally);
}

int recover_command(const struct flags *flags)
{
	struct tally tally = {0};

	for (int i = 0; i < flags->argument_count; i++)
		recover_path(flags->arguments[i], &tally);
	if (!flags->argument_count) {
		recover_directory(".", &tally);
		recover_directory(SHARED_MEMORY, &tally);
	}
	if (!tally.found && !tally.failed)
		printf("nothing to recover: there is no ring file%s\n",
		       flags->argument_count ? "" : " here and in /dev/shm");
	return tally.failed ? EXIT_PROBLEM : EXIT_DONE;
}
