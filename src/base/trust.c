/* SPDX-License-Identifier: MIT */
#include "base/trust.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_ours(const struct stat *status)
{
	return !status->st_uid || status->st_uid == geteuid();
}

/* `directory` may be a symbolic link to a directory. */
static bool is_trusted(const char *directory)
{
	struct stat status;

	if (lstat(directory, &status) || (S_ISLNK(status.st_mode) && !is_ours(&status)) ||
	    stat(directory, &status))
		return false;
	return is_ours(&status) || (status.st_mode & S_ISVTX) || !(status.st_mode & S_IWOTH);
}

bool trust_path(const char *path)
{
	char directory[PATH_MAX];
	size_t length = strlen(path);

	if (path[0] != '/' || length >= sizeof(directory))
		return false;
	for (size_t i = 0; i < length; i++) {
		if (path[i] != '/')
			continue;
		memcpy(directory, path, i);
		strcpy(directory + i, i ? "" : "/");
		if (!is_trusted(directory))
			return false;
	}
	return true;
}
