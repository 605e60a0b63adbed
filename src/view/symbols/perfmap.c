/* SPDX-License-Identifier: MIT */
#include "view/symbols/perfmap.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "view/symbols/intervals.h"

enum { SIZE_LIMIT = 1 << 28 /* bytes of a map */ };

struct perf_map {
	char *text; /* the names end with NUL */
	struct intervals functions; /* the item is the offset of the name */
};

static bool is_usable(const struct stat *status, uint64_t since)
{
	uint64_t changed = (uint64_t)status->st_mtim.tv_sec * 1000000000 +
			   (uint64_t)status->st_mtim.tv_nsec;

	return S_ISREG(status->st_mode) && status->st_uid == geteuid() && status->st_size > 0 &&
	       status->st_size < SIZE_LIMIT && changed >= since;
}

/* Returns its text with a NUL at the end, or NULL. */
static char *read_text(const char *path, uint64_t since)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	size_t have = 0, size = 0;
	struct stat status;
	char *text = NULL;
	ssize_t got = 1;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && is_usable(&status, since)) {
		size = (size_t)status.st_size;
		text = malloc(size + 1);
	}
	for (; text && have < size && got > 0; have += got > 0 ? (size_t)got : 0)
		got = read(fd, text + have, size - have);
	close(fd);
	if (text)
		text[have] = '\0';
	return text;
}

/* Reads "ADDRESS SIZE NAME", and ends the name with NUL. Returns the next line, or NULL. Lines of
 * another form are skipped. */
static char *take_line(struct perf_map *map, char *line)
{
	char *end = strchr(line, '\n'), *at;
	uint64_t address, size;

	if (end)
		*end = '\0';
	address = strtoull(line, &at, 16);
	if (at > line && *at == ' ') {
		size = strtoull(at, &line, 16);
		if (line > at && *line == ' ' && line[1] && address + size > address &&
		    intervals_add(&map->functions, address, address + size,
				  (uint32_t)(line + 1 - map->text)))
			return NULL;
	}
	return end ? end + 1 : NULL;
}

struct perf_map *perf_map_open(const char *path, uint64_t since)
{
	struct perf_map *map = calloc(1, sizeof(*map));

	if (!map)
		return NULL;
	map->text = read_text(path, since);
	if (!map->text) {
		free(map);
		return NULL;
	}
	for (char *line = map->text; line;)
		line = take_line(map, line);
	intervals_sort(&map->functions);
	return map;
}

void perf_map_close(struct perf_map *map)
{
	if (!map)
		return;
	intervals_free(&map->functions);
	free(map->text);
	free(map);
}

const char *perf_map_find(const struct perf_map *map, uint64_t address)
{
	const struct interval *found = intervals_find(&map->functions, address);

	return found ? map->text + found->item : NULL;
}
