/* SPDX-License-Identifier: MIT */
#include "cli/diff/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/lines.h"
#include "cli/print/print.h"

/* Files of a directory: those with the first extension of which there are any, because a process
 * may have files of several kinds. */
static const char *const extensions[] = {".cptrace", ".sqlite", ".nvvp", ".json", ".log", ".csv"};

enum { EXTENSIONS = sizeof(extensions) / sizeof(extensions[0]) };

/* Returns true if the first byte that is no blank begins an object of JSON, which no log and no
 * other input begins with. */
static bool is_json(const char *path)
{
	char start[64];
	FILE *file = fopen(path, "re");
	size_t length = file ? fread(start, 1, sizeof(start), file) : 0, at = 0;

	if (file)
		fclose(file);
	while (at < length && strchr(" \t\r\n", start[at]) && start[at])
		at++;
	return at < length && start[at] == '{';
}

/* Returns NULL with one sentence in `error`. */
static struct json_value *read_json(const char *path, struct strbuf *error)
{
	struct strbuf text = STRBUF_INIT, problem = STRBUF_INIT;
	struct json_value *value = NULL;

	if (lines_read_file(&text, path))
		strbuf_printf(error, "cannot read %s: %s", path, strerror(errno));
	else if (text.failed)
		strbuf_printf(error, "out of memory for %s", path);
	else
		value = json_read(text.data, text.length, &problem);
	if (problem.length)
		strbuf_printf(error, "%s is no valid JSON: %s", path, strbuf_text(&problem));
	strbuf_free(&text);
	strbuf_free(&problem);
	return value;
}

/* Adds it to the last run. */
static int add_stream(struct runs *runs, enum runs_side side, const char *path,
		      struct strbuf *error)
{
	struct stream *stream = stream_open(path, error);
	int result = stream ? runs_add_stream(runs, side, stream, path, error) : -1;

	stream_close(stream);
	return result;
}

/* Adds a file of a directory to the last run. */
static int add_to_run(struct runs *runs, enum runs_side side, const char *path,
		      struct strbuf *error)
{
	struct json_value *value;
	int result = -1;

	if (!is_json(path))
		return add_stream(runs, side, path, error);
	value = read_json(path, error);
	if (value)
		result = runs_add_json(runs, side, value, path, error);
	json_free(value);
	return result;
}

static int ends_in(const struct dirent *entry, const char *extension)
{
	return entry->d_name[0] != '.' && text_ends(entry->d_name, extension);
}

/* Returns the extension of the files of the directory; NULL if there are none. */
static const char *extension_in(struct dirent *const *entries, int count)
{
	for (int i = 0; i < EXTENSIONS; i++)
		for (int j = 0; j < count; j++)
			if (ends_in(entries[j], extensions[i]))
				return extensions[i];
	return NULL;
}

static int add_entries(struct runs *runs, enum runs_side side, const char *path,
		       struct dirent *const *entries, int count, struct strbuf *error)
{
	const char *extension = extension_in(entries, count);
	struct strbuf name = STRBUF_INIT;
	int result = 0;

	if (!extension) {
		strbuf_printf(error, "%s has no logs, traces, databases or JSON files", path);
		return -1;
	}
	for (int i = 0; !result && i < count; i++) {
		if (!ends_in(entries[i], extension))
			continue;
		name.length = 0;
		strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
		result = add_to_run(runs, side, strbuf_text(&name), error);
	}
	strbuf_free(&name);
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
	int count = scandir(path, &entries, NULL, alphasort), result;

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
	struct json_value *value = read_json(path, error);
	int result = value ? runs_add_saved(runs, side, value, path, error) : -1;

	json_free(value);
	return result;
}

static int add(struct runs *runs, enum runs_side side, const char *path, struct strbuf *error)
{
	struct stat status;
	bool directory = !stat(path, &status) && S_ISDIR(status.st_mode);

	if (!directory && is_json(path))
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
	int count = scandir(path, &entries, NULL, alphasort);
	const char *extension = count > 0 ? extension_in(entries, count) : NULL;
	struct strbuf name = STRBUF_INIT;
	bool is_in = false;

	for (int i = 0; extension && !is_in && i < count; i++) {
		if (!ends_in(entries[i], extension))
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
	static const enum flag_id outputs[] = {FLAG_JUNIT, FLAG_FOLDED, FLAG_SAVE};

	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
		const char *output = flags->value[outputs[i]];

		if (output && (print_same_file(path, output) || is_in_directory(path, output)))
			return true;
	}
	return false;
}
