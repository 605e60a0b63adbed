/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Path strings and the base directory of relative paths. */

int file_directory(char *to, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash && slash != path ? (size_t)(slash - path) : 1;

	if (length >= size)
		return -1;
	memcpy(to, slash ? path : ".", length);
	to[length] = '\0';
	return 0;
}

bool file_is_in(const char *path, const char *directory)
{
	char folder[PATH_MAX];
	struct stat one, other;

	return !file_directory(folder, sizeof(folder), path) && !stat(folder, &one) &&
	       !stat(directory, &other) && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

static char start[4096]; /* "" until a directory is stored */

void file_remember_directory(void)
{
	if (!getcwd(start, sizeof(start)))
		start[0] = '\0';
}

static const char *directory(char *to, size_t size)
{
	size_t length = strlen(start);

	if (!length && getcwd(to, size))
		return to;
	if (!length) {
		errno = errno == ERANGE ? ENAMETOOLONG : errno;
		return NULL;
	}
	if (length < size)
		return strcpy(to, start);
	errno = ENAMETOOLONG;
	return NULL;
}

int file_absolute(char *to, size_t size, const char *path)
{
	size_t length = 0;
	size_t tail = strlen(path);

	if (path[0] != '/') {
		if (!directory(to, size))
			return -1;
		length = strlen(to);
	}
	if (length + 1 + tail >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (length && to[length - 1] != '/')
		to[length++] = '/';
	memcpy(to + length, path, tail + 1);
	return 0;
}

char *file_in_removed(const char *path)
{
	static const char unknown[] = "/(removed)";
	enum { SIZE = 4096 };
	char *name = calloc(1, SIZE);
	size_t length;
	ssize_t got;

	if (!name)
		return NULL;
	got = readlink("/proc/self/cwd", name, SIZE - 1);
	if (got <= 0 || *name != '/')
		strcpy(name, unknown);
	else
		name[got] = '\0';
	length = strlen(name);
	if (length + 1 + strlen(path) < SIZE) {
		name[length] = '/';
		strcpy(name + length + 1, path);
		return name;
	}
	free(name);
	errno = ENAMETOOLONG;
	return NULL;
}

char *file_absolute_copy(const char *path)
{
	enum { SIZE = 4096 };
	char *memory = malloc(SIZE);
	int error;

	if (!memory || !file_absolute(memory, SIZE, path))
		return memory;
	error = errno;
	free(memory);
	errno = error;
	return NULL;
}
