/* SPDX-License-Identifier: MIT */
#include "rewrite/inclusion.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_SIZE = 64 << 20 };

static char *read_file(struct arena *arena, const char *path, size_t *length)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat status;
	char *text = NULL;
	ssize_t size;

	*length = 0;
	if (file < 0)
		return NULL;
	if (!fstat(file, &status) && S_ISREG(status.st_mode) && status.st_size <= FILE_SIZE) {
		text = arena_take(arena, (size_t)status.st_size + 1);
		while (*length < (size_t)status.st_size) {
			size = read(file, text + *length, (size_t)status.st_size - *length);
			if (size <= 0)
				break;
			*length += (size_t)size;
		}
	}
	close(file);
	return text;
}

const char *inclusion_read(struct arena *arena, struct inclusion **list, const char *path,
			   size_t *length)
{
	struct inclusion *inclusion;
	const char *text = read_file(arena, path, length);

	while (*list && strcmp((*list)->path, path))
		list = &(*list)->next;
	if (*list)
		return text;
	inclusion = arena_take(arena, sizeof(*inclusion));
	inclusion->path = arena_copy(arena, path, strlen(path));
	inclusion->text = text;
	inclusion->length = *length;
	*list = inclusion;
	return text;
}

void inclusion_use(struct inclusion *list, const char *path)
{
	for (; list; list = list->next)
		list->is_included |= !strcmp(list->path, path);
}
