/* SPDX-License-Identifier: MIT */
/* computeprof recover: finishes the logs of programs that were killed. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pathlist.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/lines.h"
#include "cli/wholefile.h"
#include "session/recover.h"
#include "session/ringfile_path.h"

#define RING ".ring"

struct recover_counts {
	const char *into; /* --into, or NULL */
	unsigned found;
	unsigned failed;
	unsigned others; /* ring files of other users, which are passed over */
};

/* Reverts become_owner. */
static void become_self(void)
{
	if (geteuid() != getuid() && !getuid() && (seteuid(0) || setegid(getgid())))
		abort();
}

/* When root recovers the ring file of another user, it takes that user's rights only, because that
 * user controls the contents of the file. Returns 0, or -1 after a message. */
static int become_owner(const char *path)
{
	struct stat status;

	if (geteuid() || lstat(path, &status) || !status.st_uid)
		return 0;
	if (!setgroups(0, NULL) && !setegid(status.st_gid) && !seteuid(status.st_uid))
		return 0;
	say("cannot switch to the user that owns %s: %m", path);
	become_self();
	return -1;
}

static void put_text(const char *text)
{
	lines_put(stdout, text, strlen(text));
}

/* Prints one line "`what`: PATH" for each path. A log that is /dev/null is none. */
static void tell_files(const char *what, struct strbuf *paths)
{
	const char *at = strbuf_text(paths), *line;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);

		if (path && strcmp(path, "/dev/null") != 0) {
			printf("%s: ", what);
			put_text(path);
			putchar('\n');
		}
		free(path);
	}
}

static void tell_lost(const struct recover_report *report)
{
	if (report->lost)
		printf(", %llu %s lost before", (unsigned long long)report->lost,
		       report->lost == 1 ? "record was" : "records were");
}

static void tell_growth(const struct recover_report *report)
{
	if (report->in_memory)
		printf(", %s may be missing since the ring file could not grow",
		       report->no_files ? "records" : "rows");
}

static void tell_left(const struct recover_report *report)
{
	if (report->left)
		printf("; FAILED to remove the ring file: %s", strerror(report->left));
}

/* Appends the path of the file with the totals of the process. */
static void put_totals_name(struct strbuf *to, const char *into, uint32_t pid)
{
	strbuf_printf(to, "%s%stotals-%u.cptrace", into ? into : "", into ? "/" : "", pid);
}

/* The function of struct recover_request: writes the totals to a file. */
static int keep_totals(const struct recover_request *request, const struct recover_report *report)
{
	struct strbuf path = STRBUF_INIT;
	int result;

	put_totals_name(&path, request->into, report->pid);
	result = path.failed ? -1 : wholefile_write(strbuf_text(&path), &report->totals, 1, false);
	strbuf_free(&path);
	return result;
}

static void tell_totals(const struct recover_request *request, const struct recover_report *report)
{
	struct strbuf file = STRBUF_INIT;

	printf(": its process wrote no log and no trace");
	put_totals_name(&file, request->into, report->pid);
	if (report->totals.length) {
		printf("; its totals, for computeprof report, are in ");
		put_text(strbuf_text(&file));
	} else {
		printf(", and kept no totals");
	}
	tell_lost(report);
	tell_growth(report);
	if (report->copied)
		printf("; the ring file is kept");
	tell_left(report);
	putchar('\n');
	strbuf_free(&file);
}

static void tell_done(const struct recover_request *request, struct recover_report *report)
{
	put_text(request->path);
	if (report->no_files) {
		tell_totals(request, report);
		return;
	}
	if (report->finished) {
		printf(": its process ended normally, nothing to add");
		tell_left(report);
		putchar('\n');
		return;
	}
	printf(": %llu row%s added", (unsigned long long)report->rows,
	       report->rows == 1 ? "" : "s");
	if (report->copied)
		printf(" to new files");
	if (report->untimed)
		printf(", %llu of them without a gputime", (unsigned long long)report->untimed);
	if (report->calls || report->lost_calls)
		printf(", %llu %s added to the API log", (unsigned long long)report->calls,
		       report->calls == 1 ? "call" : "calls");
	if (report->lost_calls)
		printf(", %llu %s missing in it", (unsigned long long)report->lost_calls,
		       report->lost_calls == 1 ? "call is" : "calls are");
	tell_lost(report);
	tell_growth(report);
	if (report->copied)
		printf("; the ring file is kept");
	tell_left(report);
	putchar('\n');
	tell_files("log", &report->logs);
	tell_files("API log", &report->api_logs);
	tell_files("trace", &report->traces);
}

static void print_result(const char *path, const char *what, struct strbuf *reason)
{
	put_text(path);
	printf(": %s", what);
	put_text(strbuf_text(reason));
	putchar('\n');
}

/* Its own rows are in `reason`. */
static void tell_failed(const struct recover_request *request, struct recover_report *report)
{
	put_text(request->path);
	printf(": FAILED: ");
	put_text(strbuf_text(&report->reason));
	tell_lost(report);
	tell_growth(report);
	putchar('\n');
}

static void tell_result(const struct recover_request *request, enum recover_result result,
			struct recover_report *report)
{
	switch (result) {
	case RECOVER_DONE:
		tell_done(request, report);
		break;
	case RECOVER_ALIVE:
		strbuf_string(&report->reason, ", nothing to do");
		print_result(request->path, "", &report->reason);
		break;
	case RECOVER_FOREIGN:
		print_result(request->path, "not recovered: ", &report->reason);
		break;
	case RECOVER_FAILED:
		tell_failed(request, report);
		break;
	case RECOVER_ELSEWHERE:
		break;
	}
}

/* Returns true if the process that has the ring file removed it after the directory was read. */
static bool is_gone(const char *path)
{
	struct stat status;

	return lstat(path, &status) && errno == ENOENT;
}

/* Returns true if a search for one directory's logs passes over this ring file without a
 * message. */
static bool is_unwanted(const struct recover_request *request, enum recover_result result)
{
	if (result == RECOVER_FAILED && !request->named)
		return is_gone(request->path);
	return request->logs_in &&
	       (result == RECOVER_ELSEWHERE || result == RECOVER_ALIVE ||
		result == RECOVER_FOREIGN);
}

static void recover_one(const struct recover_request *request, struct recover_counts *tally)
{
	struct recover_report report = {0};
	enum recover_result result;

	if (request->named && become_owner(request->path)) {
		tally->found++;
		tally->failed++;
		return;
	}
	result = recover_request(request, &report);
	become_self();
	if (!is_unwanted(request, result)) {
		tell_result(request, result, &report);
		tally->found++;
		tally->failed += result == RECOVER_FAILED || report.left ||
				 (result == RECOVER_FOREIGN && request->named);
	}
	recover_report_free(&report);
}

/* `named`: the user named this file, so it is an error if it cannot be recovered. */
static void recover_file(const char *path, bool named, struct recover_counts *tally)
{
	recover_one(&(struct recover_request){.path = path,
					      .named = named,
					      .into = tally->into,
					      .keep_totals = keep_totals},
		    tally);
}

static void recover_directory(const char *path, struct recover_counts *tally)
{
	struct strbuf rings = STRBUF_INIT;

	if (ringfile_path_find(path, &rings)) {
		say("cannot read the directory %s: %m", path);
		tally->failed++;
	}
	for (size_t at = 0; !rings.failed && at < rings.length; at += strlen(rings.data + at) + 1)
		recover_file(rings.data + at, false, tally);
	strbuf_free(&rings);
}

static bool is_own(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && status.st_uid == geteuid();
}

/* The folder has the ring files of all users and programs. Ring files of other users are passed
 * over. With `logs_in`, so are ring files whose logs are in other directories. */
static void recover_shared(const char *logs_in, struct recover_counts *tally)
{
	struct strbuf rings = STRBUF_INIT;

	ringfile_path_find(RINGFILE_SHARED_MEMORY, &rings);
	for (size_t at = 0; !rings.failed && at < rings.length; at += strlen(rings.data + at) + 1) {
		struct recover_request request = {.path = rings.data + at,
						  .logs_in = logs_in,
						  .into = tally->into,
						  .keep_totals = keep_totals};

		if (is_own(request.path))
			recover_one(&request, tally);
		else
			tally->others += !is_gone(request.path);
	}
	strbuf_free(&rings);
}

static bool is_ring(const char *path)
{
	return text_ends(path, RING);
}

/* A log does not name its ring file, which is in shared memory or beside the log. A program that
 * was killed early may have left a ring file without a log. */
static void recover_beside(const char *log, struct recover_counts *tally)
{
	const char *slash = strrchr(log, '/');
	char *directory = slash ? strndup(log, slash - log + 1) : strdup(".");
	unsigned found = tally->found;

	if (directory) {
		recover_directory(directory, tally);
		recover_shared(directory, tally);
	}
	free(directory);
	if (found != tally->found || !access(log, F_OK))
		return;
	say("no log %s, and no ring file in its directory or in /dev/shm", log);
	tally->failed++;
}

static bool is_shared_memory(const char *path)
{
	char *whole = realpath(path, NULL);
	bool is = whole && !strcmp(whole, RINGFILE_SHARED_MEMORY);

	free(whole);
	return is;
}

/* The ring files of the logs in this directory may be in shared memory. `logs_in` as above. */
static void recover_folder(const char *path, const char *logs_in, struct recover_counts *tally)
{
	if (is_shared_memory(path)) {
		recover_shared(NULL, tally);
		return;
	}
	recover_directory(path, tally);
	recover_shared(logs_in, tally);
}

static void recover_path(const char *path, struct recover_counts *tally)
{
	struct stat status;

	if (is_ring(path))
		recover_file(path, true, tally);
	else if (!stat(path, &status) && S_ISDIR(status.st_mode))
		recover_folder(path, path, tally);
	else
		recover_beside(path, tally);
}

/* Checks --into, also if nothing is recovered. */
static int check_into(const char *into)
{
	struct stat status;
	int error = 0;

	if (!into)
		return 0;
	if (stat(into, &status))
		error = errno;
	else if (!S_ISDIR(status.st_mode))
		error = ENOTDIR;
	else if (faccessat(AT_FDCWD, into, W_OK | X_OK, AT_EACCESS))
		error = errno;
	if (error)
		say("cannot make files in %s: %s", into, strerror(error));
	return error ? -1 : 0;
}

int recover_command(const struct flags *flags)
{
	struct recover_counts tally = {.into = flags->value[FLAG_INTO]};

	if (check_into(tally.into))
		return EXIT_TOOL_FAILED;
	for (int i = 0; i < flags->argument_count; i++)
		recover_path(flags->arguments[i], &tally);
	if (!flags->argument_count)
		recover_folder(".", NULL, &tally);
	if (!tally.found && !tally.failed)
		printf("nothing to recover: no ring file%s%s\n",
		       tally.others ? " of this user" : "",
		       flags->argument_count ? "" : " here and in /dev/shm");
	return tally.failed ? EXIT_PROBLEM : EXIT_DONE;
}
