/* SPDX-License-Identifier: MIT */
#include "cli/resolved_name.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"

enum { SIZE = 4096, LINKS = 40 };

/* Replaces `path` by the target of the link at `path`. Returns false if it is no link or does not
 * fit. */
static bool follow(char *path)
{
	char target[SIZE], directory[SIZE];
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	struct strbuf joined = STRBUF_INIT;
	bool fits;

	if (length <= 0 || file_directory(directory, sizeof(directory), path))
		return false;
	target[length] = '\0';
	if (*target != '/')
		strbuf_printf(&joined, "%s/", directory);
	strbuf_string(&joined, target);
	fits = !joined.failed && joined.length < SIZE;
	if (fits)
		memcpy(path, strbuf_text(&joined), joined.length + 1);
	strbuf_free(&joined);
	return fits;
}

/* Devices and FIFOs take several results. */
static bool is_file_to_be(const char *path)
{
	struct stat status;

	return stat(path, &status) || S_ISREG(status.st_mode);
}

bool resolved_name_find(struct resolved_name *to, const char *path)
{
	char last[SIZE], directory[SIZE];
	size_t length = strlen(path);
	struct stat status;
	const char *slash;

	if (length >= sizeof(last) || !is_file_to_be(path))
		return false;
	memcpy(last, path, length + 1);
	for (int i = 0; i < LINKS && follow(last); i++)
		;
	if (!*last || file_directory(directory, sizeof(directory), last) ||
	    stat(directory, &status))
		return false;
	to->path = strdup(last);
	if (!to->path)
		return false;
	slash = strrchr(to->path, '/');
	to->name = slash ? slash + 1 : to->path;
	to->device = status.st_dev;
	to->inode = status.st_ino;
	return true;
}

bool resolved_name_is_same(const struct resolved_name *one, const struct resolved_name *other)
{
	return one->device == other->device && one->inode == other->inode &&
	       !strcmp(one->name, other->name);
}
