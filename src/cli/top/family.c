/* SPDX-License-Identifier: MIT */
#include "cli/top/family.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>

#include "base/clock.h"

enum { SECOND = 1000000000 };

static void add(struct family *family, uint32_t pid)
{
	if (family->pids.length < FAMILY_MOST * sizeof(pid) && !family_has(family, pid))
		strbuf_append(&family->pids, &pid, sizeof(pid));
}

/* The children of one thread; none if the kernel does not list them. */
static void add_children(struct family *family, uint32_t pid, const char *thread)
{
	char path[64];
	uint32_t child;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/task/%.16s/children", pid, thread);
	file = fopen(path, "re");
	while (file && fscanf(file, "%u", &child) == 1)
		add(family, child);
	if (file)
		fclose(file);
}

static void add_all_children(struct family *family, uint32_t pid)
{
	char path[32];
	const struct dirent *entry;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	threads = opendir(path);
	while (threads && (entry = readdir(threads)))
		if (isdigit((unsigned char)*entry->d_name))
			add_children(family, pid, entry->d_name);
	if (threads)
		closedir(threads);
}

void family_read(struct family *family, uint32_t pid)
{
	uint64_t now = clock_monotonic();
	size_t count;

	if (family->at && now - family->at < SECOND)
		return;
	family->at = now;
	family->pids.length = 0;
	add(family, pid);
	for (size_t i = 0; i < family->pids.length / sizeof(pid); i++)
		add_all_children(family, family_list(family, &count)[i]);
}

void family_free(struct family *family)
{
	strbuf_free(&family->pids);
}

bool family_has(const struct family *family, uint32_t pid)
{
	size_t count;
	const uint32_t *pids = family_list(family, &count);

	for (size_t i = 0; i < count; i++)
		if (pids[i] == pid)
			return true;
	return false;
}
