/* SPDX-License-Identifier: MIT */
#include "cli/tail/tail_watch.h"

#include <limits.h>
#include <poll.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

int tail_watch_open(void)
{
	return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

void tail_watch_add(int watch, const char *path)
{
	char directory[PATH_MAX];

	if (watch < 0)
		return;
	inotify_add_watch(watch, path, IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF);
	if (!file_directory(directory, sizeof(directory), path))
		inotify_add_watch(watch, directory, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
}

bool tail_watch_wait(int watch)
{
	static const struct timespec pause = {.tv_nsec = 10000000};
	char events[4096];
	struct pollfd files[] = {
		{.fd = watch, .events = POLLIN}, /* -1 is ignored */
		{.fd = STDOUT_FILENO},
	};

	/* Rows come in bursts, and other files of a directory may be made without end. */
	if (poll(files, 2, TAIL_WATCH_PERIOD) > 0)
		nanosleep(&pause, NULL);
	while (watch >= 0 && read(watch, events, sizeof(events)) > 0)
		;
	return !(files[1].revents & (POLLERR | POLLHUP));
}
