/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

static int compare_names(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

size_t rows_files(const char *folder, const char *prefix,
		  void (*each)(const char *path, void *user), void *user)
{
	char *paths[256], path[512];
	DIR *directory = opendir(folder);
	size_t count = 0;

	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) || count == 256)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		paths[count++] = strdup(path);
	}
	if (directory)
		closedir(directory);
	qsort(paths, count, sizeof(paths[0]), compare_names);
	for (size_t i = 0; i < count; i++) {
		each(paths[i], user);
		free(paths[i]);
	}
	return count;
}

static void count_rows(const char *path, void *user)
{
	size_t *count = user;
	struct logtext log;

	logtext_read(&log, path);
	*count += log.row_count;
	logtext_free(&log);
}

size_t rows_count(const struct run *run)
{
	size_t count = 0;

	rows_files(run->folder, "log.", count_rows, &count);
	return count;
}

struct search {
	const char *words;
	char *value;
	bool found;
};

static void search_note(const char *path, void *user)
{
	struct search *search = user;
	char *text = logtext_load(path), *rest = text;
	size_t length = strlen(search->words);

	for (char *line; !search->found && (line = strsep(&rest, "\n"));) {
		if (strncmp(line, search->words, length))
			continue;
		snprintf(search->value, LOGTEXT_VALUE, "%s", line + length);
		search->found = true;
	}
	free(text);
}

bool rows_note(const char *folder, const char *words, char value[LOGTEXT_VALUE])
{
	struct search search = {.words = words, .value = value};

	value[0] = 0;
	rows_files(folder, "expected.", search_note, &search);
	return search.found;
}

bool rows_said(const char *folder, const char *name, const char *words)
{
	char path[512], *text;
	bool said;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	text = logtext_load(path);
	said = text && strstr(text, words);
	free(text);
	return said;
}
