/* SPDX-License-Identifier: MIT */
#include "cli/run/cut_streams.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "base/pathlist.h"
#include "base/say.h"
#include "cli/lines.h"

/* The tool also sets it for --events. */
#define VARIABLE "COMPUTE_PROFILE_EVENTS"

static bool is_of(const char *line, uint32_t pid)
{
	static const char key[] = "\"processId\":";
	const char *at = strstr(line, key);

	return at && number_read(at + strlen(key), NULL) == pid;
}

static bool begins_with(const char *line, const char *start)
{
	return !strncmp(line, start, strlen(start));
}

/* The stream may have lines of other processes and of earlier runs. Returns true if the last first
 * line of the process has no last line behind it (doc/LOG). */
static bool is_cut(FILE *stream, uint32_t pid)
{
	size_t room = 0;
	char *line = NULL;
	bool cut = false;

	while (getline(&line, &room, stream) > 0)
		if (begins_with(line, "{\"type\":\"PROCESS\"") && is_of(line, pid))
			cut = true;
		else if (begins_with(line, "{\"type\":\"END\"") && is_of(line, pid))
			cut = false;
	free(line);
	return cut;
}

static FILE *open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	FILE *stream = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		stream = fdopen(fd, "r");
	if (!stream)
		close(fd);
	return stream;
}

static void look(const char *path, uint32_t pid)
{
	FILE *stream = open_file(path);

	if (!stream)
		return;
	if (is_cut(stream, pid))
		say("the event stream %s has no END of process %u: lines of its last records and "
		    "events may be missing",
		    path, (unsigned)pid);
	fclose(stream);
}

void cut_streams_tell(struct artifact_lists *lists, uint32_t pid)
{
	const char *at = strbuf_text(&lists->events), *line, *wanted = getenv(VARIABLE);
	size_t length;

	if (wanted && *wanted && !lists->events.length)
		say("process %u has written no line to its event stream (%s)", (unsigned)pid,
		    wanted);
	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);

		if (path)
			look(path, pid);
		free(path);
	}
}
