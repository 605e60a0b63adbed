/* SPDX-License-Identifier: MIT */
#include "cli/distinct.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/say.h"

enum { SAID = 10 };

struct input_file {
	dev_t device;
	ino_t inode;
	int at; /* index in the array of paths */
};

/* Orders by file (device, inode), then by position on the command line. */
static int compare(const void *left, const void *right)
{
	const struct input_file *one = left, *other = right;

	if (one->device != other->device)
		return one->device < other->device ? -1 : 1;
	if (one->inode != other->inode)
		return one->inode < other->inode ? -1 : 1;
	return one->at < other->at ? -1 : one->at > other->at;
}

/* Files that do not exist are left out; opening them reports the error later. */
static size_t look_at_all(struct input_file *all, char **paths, int count)
{
	struct stat status;
	size_t found = 0;

	for (int i = 0; i < count; i++) {
		if (stat(paths[i], &status))
			continue;
		all[found++] = (struct input_file){
			.device = status.st_dev, .inode = status.st_ino, .at = i};
	}
	return found;
}

static void say_again(const char *path, const char *first, unsigned number)
{
	if (number > SAID)
		return;
	if (!strcmp(path, first))
		say("%s is named more than once; it is read once", path);
	else
		say("%s is the same file as %s; it is read once", path, first);
}

/* Sets every path to NULL whose file has an earlier path in the array. */
static void mark(char **paths, const struct input_file *all, size_t count)
{
	size_t first = 0;
	unsigned again = 0;

	for (size_t i = 1; i < count; i++) {
		if (all[i].device != all[first].device || all[i].inode != all[first].inode) {
			first = i;
			continue;
		}
		say_again(paths[all[i].at], paths[all[first].at], ++again);
		paths[all[i].at] = NULL;
	}
	if (again > SAID)
		say("%u more %s to files that were named before", again - SAID,
		    again - SAID == 1 ? "name refers" : "names refer");
}

int distinct_files(char **paths, int count)
{
	struct input_file *all = calloc(count > 0 ? (size_t)count : 1, sizeof(*all));
	size_t found;
	int left = 0;

	if (!all) {
		say("out of memory");
		return -1;
	}
	found = look_at_all(all, paths, count);
	qsort(all, found, sizeof(*all), compare);
	mark(paths, all, found);
	free(all);
	for (int i = 0; i < count; i++)
		if (paths[i])
			paths[left++] = paths[i];
	return left;
}
