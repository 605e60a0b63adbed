/* SPDX-License-Identifier: MIT */
#include "cli/run/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pathlist.h"
#include "base/say.h"
#include "cli/lines.h"

enum { SHOWN = 20 /* messages; a job may have thousands of processes */ };

/* Returns true after a message if the line "WHERE PID TEXT" is one that is not on this stderr. */
static bool tell_line(char *line, const char *own, const struct child *child, bool aloud)
{
	char *pid = strchr(line, ' '), *text = pid ? strchr(pid + 1, ' ') : NULL;
	int number = pid ? atoi(pid) : 0;

	if (!text || ((size_t)(pid - line) == strlen(own) && !memcmp(line, own, strlen(own))))
		return false;
	if (aloud && number == (int)child->pid)
		say("%s", text + 1);
	else if (aloud)
		say("process %d: %s", number, text + 1);
	return true;
}

void told_again(const struct artifact_lists *lists, const struct child *child)
{
	const char *at = lists->told.length ? lists->told.data : "", *end;
	const char *limit = at + lists->told.length;
	char own[SAY_WHERE];
	size_t count = 0;

	say_where(own);
	if (!strcmp(own, "-"))
		return;
	for (; at < limit && (end = memchr(at, '\n', (size_t)(limit - at))); at = end + 1) {
		char *line = pathlist_get(at, (size_t)(end - at));

		count += line && tell_line(line, own, child, count < SHOWN);
		free(line);
	}
	if (count > SHOWN)
		say("%zu more messages of processes about their losses are not shown",
		    count - SHOWN);
}
