/* SPDX-License-Identifier: MIT */
/* For the tests of the cache: a folder that is empty at the start of each, and requests. */
#ifndef TESTS_UNIT_CACHE_COMMON_H
#define TESTS_UNIT_CACHE_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "rewrite/cache.h"
#include "rewrite/cache_included.h"

enum { MOST = 1 << 20, NOBODY = 65534 };

static char scratch[64], folder[96];
static const char *const no_options[] = {NULL};
static const struct rewrite_request plain = {.file = "a.cl", .stripes = 16, .options = no_options};
static uint64_t most = MOST;

static void begin(struct cache *cache, const struct rewrite_request *request, const char *compiler,
		  const char *source)
{
	struct strbuf identity = STRBUF_INIT, text = STRBUF_INIT;

	*cache = (struct cache){.is_on = true, .most = most};
	strbuf_string(&identity, compiler);
	strbuf_string(&text, source);
	cache_begin(cache, request, &identity, &text);
	assert_true(cache->is_on);
	strbuf_free(&identity);
	strbuf_free(&text);
}

static void keep_with(const char *source, const char *result, const struct inclusion *included)
{
	struct rewrite_result kept = {.text = STRBUF_INIT};
	struct cache cache;

	begin(&cache, &plain, "one", source);
	strbuf_string(&kept.text, result);
	strbuf_string(&kept.messages, "a message\n");
	cache_included_put(&kept.included, included);
	cache_keep(&cache, &kept);
	strbuf_free(&kept.text);
	strbuf_free(&kept.messages);
	strbuf_free(&kept.included);
	cache_end(&cache);
}

static void keep(const char *source, const char *result)
{
	keep_with(source, result, NULL);
}

/* Returns a copy of the text that is found, or NULL. */
static char *find_as(const struct rewrite_request *request, const char *compiler,
		     const char *source)
{
	struct rewrite_result found = {.text = STRBUF_INIT};
	struct cache cache;
	char *text = NULL;

	begin(&cache, request, compiler, source);
	if (cache_find(&cache, &found)) {
		assert_string_equal(strbuf_text(&found.messages), "a message\n");
		text = strdup(strbuf_text(&found.text));
	} else {
		assert_int_equal(found.text.length + found.messages.length, 0);
	}
	strbuf_free(&found.text);
	strbuf_free(&found.messages);
	cache_end(&cache);
	return text;
}

static bool is_found(const char *source, const char *result)
{
	char *text = find_as(&plain, "one", source);
	bool same = text && !strcmp(text, result);

	assert_true(!text || same);
	free(text);
	return same;
}

/* The path of the entry of a source. */
static const char *path_of(const char *source)
{
	static char path[256];
	struct cache cache;

	begin(&cache, &plain, "one", source);
	snprintf(path, sizeof(path), "%s/%s", folder, cache.name);
	cache_end(&cache);
	return path;
}

static void write_whole(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static unsigned count_files(void)
{
	DIR *directory = opendir(folder);
	unsigned count = 0;

	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count ? count - 2 : 0;
}

static void remove_all(const char *path)
{
	char command[160];

	snprintf(command, sizeof(command), "rm -rf '%s'", path);
	assert_int_equal(system(command), 0);
}

static int make_scratch(void)
{
	snprintf(scratch, sizeof(scratch), "%s", "/tmp/computeprof-cache.XXXXXX");
	if (!mkdtemp(scratch) || chmod(scratch, 0711))
		return -1;
	snprintf(folder, sizeof(folder), "%s/cache", scratch);
	umask(077);
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	setenv("COMPUTEPROF_CACHE", folder, 1);
	remove_all(folder);
	most = MOST;
	return 0;
}

#endif
