/* SPDX-License-Identifier: MIT */
#include "cli/merge/merge_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/say.h"
#include "cli/copies.h"
#include "cli/distinct.h"
#include "cli/inputfile.h"

static const char *const extensions[] = {".cptrace", ".sqlite", ".nvvp", ".nvprof",
					 ".log",     ".csv",	".json", NULL};

/* Takes `reason`, which may be NULL without memory. */
static int put_wrong(struct merge_files *files, const char *path, char *reason)
{
	struct merge_wrong wrong = {.path = strdup(path), .reason = reason};

	strbuf_append(&files->wrong, &wrong, sizeof(wrong));
	return !wrong.path || !wrong.reason || files->wrong.failed ? -1 : 0;
}

static int add_wrong(struct merge_files *files, const char *path, const char *format,
		     const char *reason)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	strbuf_string(&text, path);
	strbuf_string(&text, format);
	strbuf_string(&text, reason);
	result = put_wrong(files, path, strdup(strbuf_text(&text)));
	strbuf_free(&text);
	return result;
}

static int add_file(struct merge_files *files, const char *path)
{
	char *copy = strdup(path);

	strbuf_append(&files->list, &copy, sizeof(copy));
	return !copy || files->list.failed ? -1 : 0;
}

/* Returns true if both are one file. */
static bool is_output(const struct merge_files *files, const struct stat *status)
{
	struct stat other;

	return files->output && !stat(files->output, &other) && other.st_dev == status->st_dev &&
	       other.st_ino == status->st_ino;
}

static int add_directory(struct merge_files *files, const char *path);

/* An entry of a directory. `extension` may be NULL. */
static int add_entry(struct merge_files *files, const char *path, const struct dirent *entry,
		     const char *extension)
{
	struct stat status;

	if (entry->d_name[0] == '.' || lstat(path, &status))
		return 0;
	if (S_ISDIR(status.st_mode))
		return add_directory(files, path);
	if (!extension || !inputfile_ends(entry, extension) || stat(path, &status) ||
	    !S_ISREG(status.st_mode) || is_output(files, &status) ||
	    inputfile_merged(path) == INPUTFILE_SUMS)
		return 0;
	return add_file(files, path);
}

static int add_directory(struct merge_files *files, const char *path)
{
	struct strbuf name = STRBUF_INIT;
	struct dirent **entries;
	int count = inputfile_scan(path, &entries), result = 0;

	if (count < 0)
		return add_wrong(files, path, " cannot be read: ", strerror(errno));
	const char *extension = inputfile_extension(entries, count, extensions);

	for (int i = 0; i < count; i++) {
		name.length = 0;
		strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
		if (!result)
			result = add_entry(files, strbuf_text(&name), entries[i], extension);
		free(entries[i]);
	}
	free(entries);
	strbuf_free(&name);
	return result;
}

int merge_files_add(struct merge_files *files, const char *path)
{
	size_t before = files->list.length, wrong = files->wrong.length;
	struct stat status;

	if (stat(path, &status) || !S_ISDIR(status.st_mode))
		return add_file(files, path);
	if (add_directory(files, path))
		return -1;
	if (files->list.length > before || files->wrong.length > wrong)
		return 0;
	return add_wrong(files, path, " has no logs, traces, databases or JSON files", "");
}

/* A file, and what its place in the list depends on. */
struct place {
	char *path;
	enum inputfile_merged merged;
	off_t size;
};

/* Returns the place of files of this kind. */
static int place_of(enum inputfile_merged merged)
{
	static const int places[] = {
		[INPUTFILE_SUMS] = 0, [INPUTFILE_NOT_MERGED] = 1, [INPUTFILE_RECORDS] = 2};

	return places[merged];
}

static int in_order(const void *left, const void *right)
{
	const struct place *one = left, *other = right;

	if (one->merged != other->merged)
		return place_of(one->merged) - place_of(other->merged);
	if (one->merged && one->size != other->size)
		return one->size > other->size ? -1 : 1;
	return strverscmp(one->path, other->path);
}

static int sort(char **list, int count)
{
	struct place *places = calloc((size_t)count + 1, sizeof(*places));
	struct stat status;

	if (!places)
		return -1;
	for (int i = 0; i < count; i++)
		places[i] = (struct place){.path = list[i],
					   .merged = inputfile_merged(list[i]),
					   .size = stat(list[i], &status) ? 0 : status.st_size};
	qsort(places, (size_t)count, sizeof(*places), in_order);
	for (int i = 0; i < count; i++)
		list[i] = places[i].path;
	free(places);
	return 0;
}

/* Removes files with the records of others. Returns the new count, or -1 after a message without
 * memory. */
static int leave_copies_out(struct merge_files *files, char **list, int count)
{
	char **reasons = calloc((size_t)count + 1, sizeof(*reasons));
	enum copies_of what = files->records ? COPIES_OF_RECORDS : COPIES_OF_ALL;
	int result = reasons ? copies_find(list, count, what, reasons) : -1, kept = 0;

	for (int i = 0; reasons && i < count; i++) {
		if (!reasons[i])
			list[kept++] = list[i];
		else if (put_wrong(files, list[i], reasons[i]))
			result = -1;
	}
	free(reasons);
	if (!result)
		return kept;
	say("out of memory for the list of files");
	return -1;
}

char **merge_files_list(struct merge_files *files, int *count)
{
	char **list = (void *)files->list.data;
	int all = (int)(files->list.length / sizeof(*list));
	char **kept = calloc((size_t)all + 1, sizeof(*kept));

	if (!kept) {
		say("out of memory for the list of files");
		return NULL;
	}
	for (int i = 0; i < all; i++)
		kept[i] = list[i];
	*count = distinct_files(kept, all);
	if (*count >= 0 && !sort(kept, *count)) {
		*count = leave_copies_out(files, kept, *count);
		if (*count >= 0)
			return kept;
	} else if (*count >= 0) {
		say("out of memory for the list of files");
	}
	free(kept);
	return NULL;
}

void merge_files_free(struct merge_files *files)
{
	char **list = (void *)files->list.data;
	struct merge_wrong *wrong = (void *)files->wrong.data;

	for (size_t i = 0; i < files->list.length / sizeof(*list); i++)
		free(list[i]);
	for (size_t i = 0; i < files->wrong.length / sizeof(*wrong); i++) {
		free(wrong[i].path);
		free(wrong[i].reason);
	}
	strbuf_free(&files->list);
	strbuf_free(&files->wrong);
}
