/* SPDX-License-Identifier: MIT */
#include "base/mapped_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 128 }; /* more than the bytes before the path */

/* "BEGIN-END FLAGS OFFSET DEVICE INODE   PATH". Only a path has a slash. Returns NULL if the line
 * is of other addresses. */
static const char *path_at(const char *line, uintptr_t address)
{
	char *end;

	if (strtoull(line, &end, 16) > address || *end != '-')
		return NULL;
	if (strtoull(end + 1, &end, 16) <= address)
		return NULL;
	return end + strcspn(end, "/");
}

size_t mapped_file(uintptr_t address, char *path, size_t size)
{
	static char text[FIELDS + PATH_MAX];
	int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t used = 0, length;
	const char *found = NULL;
	ssize_t got;

	while (file >= 0 && !found &&
	       (got = read(file, text + used, sizeof(text) - 1 - used)) > 0) {
		char *line = text, *end;

		used += (size_t)got;
		text[used] = '\0';
		for (; !found && (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			found = path_at(line, address);
		}
		if (found)
			break;
		used -= (size_t)(line - text);
		memmove(text, line, used);
	}
	if (file >= 0)
		close(file);
	length = found ? strlen(found) : 0;
	if (length > size)
		return 0;
	if (length)
		memcpy(path, found, length);
	return length;
}
