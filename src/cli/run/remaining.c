/* SPDX-License-Identifier: MIT */
#include "cli/run/remaining.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/say.h"
#include "base/strbuf.h"
#include "cli/flag.h"
#include "cli/lines.h"
#include "output/escape.h"
#include "session/manifest.h"

enum {
	NAMED = 4, /* processes that are named; others are counted */
	WAITS = 5, /* of 20 ms, for those that are about to end */
	LOOKS = 3, /* after the first one, at processes that are starting */
};

/* Reads a file of /proc. Returns -1 if it cannot be read, or is empty as those of a zombie are. */
static int read_file(struct strbuf *to, const char *pid, const char *name)
{
	char path[64];
	int result;

	to->length = 0;
	snprintf(path, sizeof(path), "/proc/%.16s/%s", pid, name);
	result = lines_read_file(to, path);
	return result || !to->length ? -1 : 0;
}

/* Returns true if `environment`, in which each entry ends with NUL, has this entry. */
static bool has_entry(struct strbuf *environment, const char *entry)
{
	const char *at = strbuf_text(environment), *end = at + environment->length;

	for (; at < end; at += strlen(at) + 1)
		if (!strcmp(at, entry))
			return true;
	return false;
}

/* Returns true if the process, with or without a ring file, has a message of cli/run/endings.c. The
 * ring file's name has the process id (session/ringfile.h). */
static bool is_told(struct artifact_lists *lists, const char *pid)
{
	struct strbuf name = STRBUF_INIT;
	const char *at = strbuf_text(&lists->memory), *line;
	size_t length;
	bool found;

	strbuf_printf(&name, "computeprof-%s.ring", pid);
	found = strstr(strbuf_text(&lists->rings), strbuf_text(&name));
	strbuf_free(&name);
	while (!found && (line = lines_next(&at, &length)))
		found = number_read(line, NULL) == number_read(pid, NULL);
	return found;
}

/* Returns true if the process executes a program at this moment: it has a file, and its environment
 * is not there yet. Kernel threads and zombies have no file. */
static bool is_starting(const char *pid)
{
	char path[64], file[8];

	snprintf(path, sizeof(path), "/proc/%.16s/exe", pid);
	return readlink(path, file, sizeof(file)) > 0;
}

/* Appends the ids of the processes, a line each. Returns true if another look may find more. */
static bool look(struct strbuf *to, const char *list)
{
	bool again = false;
	DIR *folder = opendir("/proc");
	struct strbuf entry = STRBUF_INIT, environment = STRBUF_INIT;
	struct dirent *process;

	to->length = 0;
	strbuf_printf(&entry, "%s=%s", MANIFEST_VARIABLE, list);
	while (folder && (process = readdir(folder))) {
		if (!isdigit((unsigned char)*process->d_name) ||
		    atol(process->d_name) == (long)getpid())
			continue;
		if (read_file(&environment, process->d_name, "environ"))
			again |= is_starting(process->d_name);
		else if (has_entry(&environment, strbuf_text(&entry)))
			strbuf_printf(to, "%s\n", process->d_name);
	}
	if (folder)
		closedir(folder);
	strbuf_free(&entry);
	strbuf_free(&environment);
	return again;
}

/* The environment of a process may stay empty. */
static void find(struct strbuf *to, const char *list)
{
	static const struct timespec pause = {.tv_nsec = 1000000};

	for (int looks = 0; look(to, list) && looks < LOOKS; looks++)
		nanosleep(&pause, NULL);
}

/* Appends "PID (COMMAND)". */
static void put_name(struct strbuf *to, const char *pid)
{
	struct strbuf comm = STRBUF_INIT;

	read_file(&comm, pid, "comm");
	strbuf_printf(to, "%s%s (", to->length ? ", " : "", pid);
	escape_put(to, comm.data, strcspn(strbuf_text(&comm), "\n"), ESCAPE_SHOWN);
	strbuf_char(to, ')');
	strbuf_free(&comm);
}

static void say_names(struct strbuf *names, unsigned count, const char *trace)
{
	char more[32] = "";

	if (count > NAMED)
		snprintf(more, sizeof(more), " and %u more", count - NAMED);
	if (count && trace && flag_has_no_log())
		say("process%s %s%s still run%s; later records are only in a trace: %s, or that "
		    "name with a process id",
		    count == 1 ? "" : "es", strbuf_text(names), more, count == 1 ? "s" : "", trace);
	else if (count && flag_has_no_log())
		say("process%s %s%s still run%s; later records are in no table, and this run "
		    "writes no log",
		    count == 1 ? "" : "es", strbuf_text(names), more, count == 1 ? "s" : "");
	else if (count == 1)
		say("process %s still runs; later records are only in its own log%s, not in a "
		    "table; 'computeprof tail' shows the log",
		    strbuf_text(names), trace ? " and its trace" : "");
	else if (count)
		say("processes %s%s still run; later records are only in their own logs%s, not in "
		    "a table; 'computeprof tail' shows the logs",
		    strbuf_text(names), more, trace ? " and their traces" : "");
}

/* Returns their number. */
static unsigned tell_all(struct strbuf *pids, const char *trace, struct artifact_lists *lists)
{
	const char *at = strbuf_text(pids), *line;
	struct strbuf names = STRBUF_INIT;
	unsigned count = 0, silent = 0;
	size_t length;

	for (; (line = lines_next(&at, &length)); count++) {
		char pid[32];

		snprintf(pid, sizeof(pid), "%.*s", (int)length, line);
		if (!is_told(lists, pid) && silent++ < NAMED)
			put_name(&names, pid);
	}
	say_names(&names, silent, trace);
	strbuf_free(&names);
	return count;
}

unsigned remaining_tell(const char *list, const char *trace, struct artifact_lists *lists)
{
	static const struct timespec pause = {.tv_nsec = 20000000};
	struct strbuf pids = STRBUF_INIT;
	unsigned count = 0;

	if (!list)
		return 0;
	find(&pids, list);
	for (int i = 0; i < WAITS && pids.length; i++) {
		nanosleep(&pause, NULL);
		find(&pids, list);
	}
	if (pids.length)
		count = tell_all(&pids, trace, lists);
	strbuf_free(&pids);
	return count;
}
