/* SPDX-License-Identifier: MIT */
#include "rewrite/cache_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	BLOCK = 4096, /* bytes that a file takes are a multiple of it */
	HOUR = 3600,  /* s: no process writes an entry for so long */
	NAME = 32,    /* hexadecimal digits */
};

struct entry {
	char name[NAME + 1];
	uint64_t size;
	struct timespec used;
};

struct list {
	struct entry *entries;
	size_t count, capacity;
	uint64_t size;
};

static bool is_name(const char *name)
{
	return strlen(name) == NAME && strspn(name, "0123456789abcdef") == NAME;
}

static bool is_left(const char *name, const struct stat *status)
{
	return !strncmp(name, CACHE_LIST_UNNAMED, strlen(CACHE_LIST_UNNAMED)) &&
	       llabs((long long)(time(NULL) - status->st_mtime)) > HOUR;
}

static bool add(struct list *list, const char *name, const struct stat *status)
{
	size_t capacity = list->capacity ? list->capacity * 2 : 64;
	struct entry *larger, *entry;

	if (list->count == list->capacity) {
		larger = realloc(list->entries, capacity * sizeof(*larger));
		if (!larger)
			return false;
		list->entries = larger;
		list->capacity = capacity;
	}
	entry = &list->entries[list->count++];
	memcpy(entry->name, name, sizeof(entry->name));
	entry->size = ((uint64_t)status->st_size + BLOCK - 1) / BLOCK * BLOCK;
	entry->used = status->st_mtim;
	list->size += entry->size;
	return true;
}

/* Folders and other files are not touched. */
static void read_list(struct list *list, int folder, bool clear)
{
	int file = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = file < 0 ? NULL : fdopendir(file);
	struct dirent *at;
	struct stat status;

	if (!directory && file >= 0)
		close(file);
	while (directory && (at = readdir(directory))) {
		if (fstatat(folder, at->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
		    S_ISDIR(status.st_mode))
			continue;
		if (is_name(at->d_name) && !add(list, at->d_name, &status))
			break;
		if (clear && is_left(at->d_name, &status))
			unlinkat(folder, at->d_name, 0);
	}
	if (directory)
		closedir(directory);
}

static int compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->used.tv_sec != b->used.tv_sec)
		return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
	if (a->used.tv_nsec != b->used.tv_nsec)
		return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
	return strcmp(a->name, b->name);
}

void cache_list_trim(int folder, uint64_t most)
{
	struct list list = {0};

	read_list(&list, folder, true);
	if (list.count)
		qsort(list.entries, list.count, sizeof(*list.entries), compare);
	for (size_t i = 0; i < list.count && list.size > most; i++) {
		unlinkat(folder, list.entries[i].name, 0);
		list.size -= list.entries[i].size;
	}
	free(list.entries);
}

uint64_t cache_list_count(int folder, uint64_t *size)
{
	struct list list = {0};

	read_list(&list, folder, false);
	free(list.entries);
	*size = list.size;
	return list.count;
}
