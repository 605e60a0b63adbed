/* SPDX-License-Identifier: MIT */
#include "cli/run/process_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/strbuf.h"

struct process {
	pid_t pid;
	pid_t parent;
	bool ours;
};

/* The command's name is in parentheses and may contain any byte, so the last parenthesis counts.
 * Returns false if there is no such process or it has ended. The main thread may have ended before
 * the other threads. */
static bool read_process(const char *pid, struct process *process)
{
	char path[64], text[512], *end, state = 'X';
	int threads = 0, parent = 0;
	size_t got = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.16s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	got = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[got] = '\0';
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1,
			   " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
			   &state, &parent, &threads) < 3)
		return false;
	*process = (struct process){.pid = (pid_t)atol(pid), .parent = (pid_t)parent};
	return state != 'X' && (state != 'Z' || threads > 1);
}

static void read_all(struct strbuf *to)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	struct process process;

	while (folder && (entry = readdir(folder)))
		if (isdigit((unsigned char)*entry->d_name) && read_process(entry->d_name, &process))
			strbuf_append(to, (const char *)&process, sizeof(process));
	if (folder)
		closedir(folder);
}

/* Children that this process had before it executed computeprof, such as those of a shell that used
 * exec. They do not belong to the run. */
static struct strbuf earlier = STRBUF_INIT;

static bool is_earlier(pid_t pid)
{
	const pid_t *children = (const pid_t *)(const void *)earlier.data;

	for (size_t i = 0; i < earlier.length / sizeof(pid); i++)
		if (children[i] == pid)
			return true;
	return false;
}

void process_tree_keep(void)
{
	struct strbuf list = STRBUF_INIT;
	const struct process *all;

	read_all(&list);
	all = (const struct process *)(const void *)list.data;
	for (size_t i = 0; i < list.length / sizeof(*all); i++)
		if (all[i].parent == getpid())
			strbuf_append(&earlier, (const char *)&all[i].pid, sizeof(all[i].pid));
	strbuf_free(&list);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool is_ours(const struct process *all, size_t count, pid_t parent)
{
	if (parent == getpid())
		return true;
	for (size_t i = 0; i < count; i++)
		if (all[i].pid == parent)
			return all[i].ours;
	return false;
}

/* Marks one generation of descendants; false if there was none. */
static bool mark(struct process *all, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		if (all[i].ours || is_earlier(all[i].pid) ||
		    !is_ours(all, count, all[i].parent))
			continue;
		all[i].ours = true;
		found = true;
	}
	return found;
}

unsigned process_tree_signal(int number)
{
	struct strbuf list = STRBUF_INIT;
	struct process *all;
	size_t count;
	unsigned sent = 0;

	read_all(&list);
	all = (struct process *)(void *)list.data;
	count = list.length / sizeof(*all);
	while (mark(all, count))
		;
	for (size_t i = 0; i < count; i++) {
		if (!all[i].ours)
			continue;
		sent++;
		if (number && !kill(all[i].pid, number))
			kill(all[i].pid, SIGCONT);
	}
	strbuf_free(&list);
	return sent;
}
