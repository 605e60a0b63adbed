/* SPDX-License-Identifier: MIT */
#include "cli/diff/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/say.h"
#include "cli/copies.h"
#include "cli/diff/outcome.h"
#include "cli/inputfile.h"
#include "cli/lines.h"
#include "cli/print/print.h"
#include "output/escape.h"

/* Files of a directory: those with the first extension of which there are any. */
static const char *const extensions[] = {".cptrace", ".sqlite", ".nvvp", ".nvprof",
					 ".json",    ".log",	".csv",	 NULL};

/* The files of a directory that are read, and why some of them are not (cli/copies.h). */
struct directory {
	char **files;
	char **reasons;
	int count;
};

/* Adds it to the last run. */
static int add_stream(struct runs *runs, enum runs_side side, const char *path,
		      struct strbuf *error)
{
	struct stream *stream = stream_open(path, error);
	int result = stream ? runs_add_stream(runs, side, stream, path, error) : -1;

	if (result < 0)
		inputfile_name_error(error, path);
	stream_close(stream);
	return result;
}

/* Adds a file of a directory to the last run. */
static int add_to_run(struct runs *runs, enum runs_side side, const char *path,
		      struct strbuf *error)
{
	struct json_value *value;
	int result = -1;

	if (!inputfile_is_json(path))
		return add_stream(runs, side, path, error);
	value = inputfile_read_json(path, error);
	if (value)
		result = runs_add_json(runs, side, value, path, error);
	json_free(value);
	return result;
}

/* Notes a file that is left out: a text that begins with its name, and the rest of the sentence. */
static void leave_out(struct runs *runs, enum runs_side side, const char *text, const char *rest)
{
	struct strbuf line = STRBUF_INIT;

	escape_put(&line, text, strlen(text), ESCAPE_SHOWN);
	strbuf_string(&line, rest);
	runs_add_line(&runs->sides[side].left_out, line.data, line.length);
	strbuf_free(&line);
}

void inputs_leave_out(struct runs *runs, enum runs_side side, const char *reason)
{
	leave_out(runs, side, reason, ": it is left out");
}

/* Adds the files that are merged, or those that are not. Merged ones are added if the run has no
 * file yet: `added` is their number. What merge has written has the sums or records of files that
 * may be beside it. */
static int add_files(struct runs *runs, enum runs_side side, const struct directory *directory,
		     bool merged, int *added, struct strbuf *error)
{
	int result = 0;

	for (int i = 0; !result && i < directory->count; i++) {
		const char *path = directory->files[i];

		if (directory->reasons[i] ||
		    merged != (inputfile_merged(path) != INPUTFILE_NOT_MERGED))
			continue;
		if (merged && *added) {
			leave_out(runs, side, path,
				  " is left out: merge wrote it, perhaps from the files beside it");
			continue;
		}
		result = add_to_run(runs, side, path, error);
		++*added;
	}
	return result;
}

/* Returns -1 without memory. */
static int list_files(struct directory *directory, const char *path, struct dirent *const *entries,
		      int count, const char *extension)
{
	struct strbuf name = STRBUF_INIT;
	bool failed = !directory->files || !directory->reasons;

	for (int i = 0; !failed && i < count; i++) {
		if (!inputfile_ends(entries[i], extension))
			continue;
		name.length = 0;
		strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
		directory->files[directory->count] = strdup(strbuf_text(&name));
		failed = !directory->files[directory->count++];
	}
	strbuf_free(&name);
	return failed ? -1
		      : copies_find(directory->files, directory->count, COPIES_OF_ALL,
				    directory->reasons);
}

static void free_files(const struct directory *directory)
{
	for (int i = 0; i < directory->count; i++) { /* none without memory for both arrays */
		free(directory->files[i]);
		free(directory->reasons[i]);
	}
	free(directory->files);
	free(directory->reasons);
}

static int add_entries(struct runs *runs, enum runs_side side, const char *path,
		       struct dirent *const *entries, int count, struct strbuf *error)
{
	const char *extension = inputfile_extension(entries, count, extensions);
	struct directory directory = {
		.files = calloc((size_t)count + 1, sizeof(char *)),
		.reasons = calloc((size_t)count + 1, sizeof(char *)),
	};
	int added = 0, result = -1;

	if (!extension)
		strbuf_printf(error, "%s has no logs, traces, databases or JSON files", path);
	else if (list_files(&directory, path, entries, count, extension))
		strbuf_string(error, "out of memory for the list of files");
	else
		result = 0;
	for (int i = 0; !result && i < directory.count; i++)
		if (directory.reasons[i])
			inputs_leave_out(runs, side, directory.reasons[i]);
	if (!result)
		result = add_files(runs, side, &directory, false, &added, error);
	if (!result)
		result = add_files(runs, side, &directory, true, &added, error);
	free_files(&directory);
	return result;
}

static void free_entries(struct dirent **entries, int count)
{
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
}

static int add_directory(struct runs *runs, enum runs_side side, const char *path,
			 struct strbuf *error)
{
	struct dirent **entries;
	int count = inputfile_scan(path, &entries), result;

	if (count < 0) {
		strbuf_printf(error, "cannot read %s: %s", path, strerror(errno));
		return -1;
	}
	result = add_entries(runs, side, path, entries, count, error);
	free_entries(entries, count);
	return result;
}

static int add_json(struct runs *runs, enum runs_side side, const char *path, struct strbuf *error)
{
	struct json_value *value = inputfile_read_json(path, error);
	int result = value ? runs_add_saved(runs, side, value, path, error) : -1;

	json_free(value);
	return result;
}

static int add(struct runs *runs, enum runs_side side, const char *path, struct strbuf *error)
{
	struct stat status;
	bool directory = !stat(path, &status) && S_ISDIR(status.st_mode);

	if (!directory && inputfile_is_json(path))
		return add_json(runs, side, path, error);
	if (runs_begin(runs, side, error) || (directory ? add_directory(runs, side, path, error)
							: add_stream(runs, side, path, error)))
		return -1;
	runs_finish(runs, side, path);
	return 0;
}

int inputs_add(struct runs *runs, enum runs_side side, const char *path)
{
	struct strbuf error = STRBUF_INIT;
	int result = add(runs, side, path, &error);

	if (result)
		say("%s", strbuf_text(&error));
	strbuf_free(&error);
	return result;
}

bool inputs_have_runs(const struct runs *runs, enum runs_side side, const char *name)
{
	const struct strbuf *left_out = &runs->sides[side].left_out;
	struct strbuf text = STRBUF_INIT;
	const char *at, *line;
	size_t length;

	if (runs->sides[side].count)
		return true;
	strbuf_append(&text, left_out->data, left_out->length);
	at = strbuf_text(&text);
	while ((line = lines_next(&at, &length)))
		say("%.*s", (int)length, line);
	say("%s has no runs", name);
	strbuf_free(&text);
	return false;
}

/* Returns true after a message if the output is one of the files that are read of the directory. */
static bool is_in_directory(const char *path, const char *output)
{
	struct dirent **entries;
	int count = inputfile_scan(path, &entries);
	const char *extension = count > 0 ? inputfile_extension(entries, count, extensions) : NULL;
	struct strbuf name = STRBUF_INIT;
	bool is_in = false;

	for (int i = 0; extension && !is_in && i < count; i++) {
		if (!inputfile_ends(entries[i], extension))
			continue;
		name.length = 0;
		strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
		is_in = print_same_file(strbuf_text(&name), output);
	}
	if (count >= 0)
		free_entries(entries, count);
	strbuf_free(&name);
	return is_in;
}

bool inputs_are_outputs(const struct flags *flags, const char *path)
{
	for (int i = 0; i < OUTCOME_FILES; i++) {
		const char *output = flags->value[outcome_files[i]];

		if (output && (print_same_file(path, output) || is_in_directory(path, output)))
			return true;
	}
	return false;
}
