/* SPDX-License-Identifier: MIT */
#include "cli/run/others.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pathlist.h"
#include "base/say.h"
#include "base/shellword.h"
#include "cli/flag.h"
#include "cli/lines.h"
#include "session/ringfile.h"
#include "session/ringfile_reader.h"

static void tell_header(const char *path, int fd, const struct ringfile_header *header)
{
	const char *wrong = ringfile_reader_check(header);
	const char *into = flag_has_no_log() ? "--into . " : ""; /* its trace is this run's own */
	struct strbuf word = STRBUF_INIT;

	shellword_put(&word, path);
	/* The other members may be at other places. */
	if (wrong)
		say("a process of another user left %s, which %s", path, wrong);
	else if (header->finished)
		say("the ring file %s of another user is not needed any more: its process has "
		    "ended",
		    path);
	else if (flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK)
		say("process %u of another user still runs; if it is killed, run: computeprof "
		    "recover %s%s",
		    header->pid, into, strbuf_text(&word));
	else
		say("process %u of another user was killed, or ended without its exit handlers; "
		    "run: computeprof recover %s%s",
		    header->pid, into, strbuf_text(&word));
	strbuf_free(&word);
}

/* Prints nothing about a file that is not a ring file of another user. */
static void tell_one(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct ringfile_header header;
	struct stat status;

	if (fd < 0)
		return;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_uid != geteuid() &&
	    pread(fd, &header, sizeof(header), 0) == sizeof(header) &&
	    !memcmp(header.magic, RINGFILE_MAGIC, sizeof(header.magic)))
		tell_header(path, fd, &header);
	close(fd);
}

void others_tell(struct artifact_lists *lists)
{
	const char *at = strbuf_text(&lists->rings_of_others), *line;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);

		if (path)
			tell_one(path);
		free(path);
	}
}

void others_explain(void)
{
	if (!flag_has_no_log())
		say("it is not known whether the log is complete: a process of another user was "
		    "profiled, but its log was not found");
}
