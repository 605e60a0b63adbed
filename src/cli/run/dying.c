/* SPDX-License-Identifier: MIT */
#include "cli/run/dying.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "session/identity.h"

/* Returns true if the thread has got a SIGKILL, or is in the kernel's code for its end. The name in
 * parentheses may have any bytes. */
static bool is_thread_dying(uint32_t pid, const char *thread)
{
	enum { EXITING = 0x4 /* PF_EXITING of the kernel */ };
	char path[64], text[1024], state = 'R';
	unsigned long flags = 0, pending = 0;
	const char *end;
	size_t got;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/task/%.16s/stat", pid, thread);
	file = fopen(path, "re");
	if (!file)
		return true; /* it has ended */
	got = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[got] = '\0';
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1,
			   " %c %*d %*d %*d %*d %*d %lu %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
			   "%*d %*d %*u %*u %*d %*u %*u %*u %*u %*u %*u %lu",
			   &state, &flags, &pending) < 2)
		return false;
	return state == 'Z' || state == 'X' || flags & EXITING || pending & 1ul << (SIGKILL - 1);
}

static bool is_dying(uint32_t pid)
{
	char path[32];
	const struct dirent *entry;
	bool dying = true;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	threads = opendir(path);
	if (!threads)
		return false;
	while (dying && (entry = readdir(threads)))
		dying = !isdigit((unsigned char)*entry->d_name) ||
			is_thread_dying(pid, entry->d_name);
	closedir(threads);
	return dying;
}

bool dying_wait(const char *ring)
{
	static const struct timespec pause = {.tv_nsec = 5000000};
	const char *slash = strrchr(ring, '/');
	unsigned pid;

	if (sscanf(slash ? slash + 1 : ring, "computeprof-%u", &pid) != 1 || !is_dying(pid))
		return false;
	for (int tries = 200; tries && identity_process_start(pid); tries--)
		nanosleep(&pause, NULL);
	return true;
}
