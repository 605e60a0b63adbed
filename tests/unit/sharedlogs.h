/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SHAREDLOGS_H
#define TESTS_SHAREDLOGS_H

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"

/* Include after cmocka.h: the real logs of the reference data. */

static inline void read_log(int folder, const char *name, struct strbuf *text)
{
	int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
	char part[4096];
	ssize_t size;

	assert_true(file >= 0);
	while ((size = read(file, part, sizeof(part))) > 0)
		strbuf_append(text, part, (size_t)size);
	close(file);
}

static inline DIR *open_shared(void)
{
	const char *shared = getenv("COMPUTEPROF_SHARED_DATA");
	const char *source = getenv("srcdir");
	struct strbuf path = STRBUF_INIT;
	DIR *folder;

	if (shared)
		strbuf_printf(&path, "%s/logs", shared);
	else
		strbuf_printf(&path, "%s/../shared/data/logs", source ? source : ".");
	folder = opendir(strbuf_text(&path));
	strbuf_free(&path);
	return folder;
}

/* Calls `check` for each log; skips the test if there are none. */
static inline void each_log(void (*check)(const struct strbuf *text, const char *name))
{
	DIR *folder = open_shared();
	struct dirent *entry;

	if (!folder)
		skip();
	while ((entry = readdir(folder))) {
		struct strbuf text = STRBUF_INIT;

		if (entry->d_name[0] == '.' || strcmp(entry->d_name, "INDEX.md") == 0)
			continue;
		read_log(dirfd(folder), entry->d_name, &text);
		check(&text, entry->d_name);
		strbuf_free(&text);
	}
	closedir(folder);
}

#endif
