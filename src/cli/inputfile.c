/* SPDX-License-Identifier: MIT */
#include "cli/inputfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/lines.h"
#include "model/frames.h"
#include "output/filetype.h"
#include "output/trace.h"
#include "view/ranks/rank_json.h"

/* Bytes that have the header of a trace and its first frame. */
enum { FIRST_BYTES = 4096 };

/* Reads the first bytes. Returns their number, 0 if the file is not regular: what is read of a FIFO
 * would be lost, and its writer waited for. */
static size_t read_start(const char *path, char *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	ssize_t length = 0;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		length = read(fd, bytes, size);
	close(fd);
	return length > 0 ? (size_t)length : 0;
}

bool inputfile_is_json(const char *path)
{
	char start[64];
	size_t length = read_start(path, start, sizeof(start)), at = 0;

	while (at < length && strchr(" \t\r\n", start[at]) && start[at])
		at++;
	return at < length && start[at] == '{';
}

struct json_value *inputfile_read_json(const char *path, struct strbuf *error)
{
	struct strbuf text = STRBUF_INIT, problem = STRBUF_INIT;
	struct json_value *value = NULL;

	if (lines_read_large_file(&text, path))
		strbuf_printf(error, "cannot read %s: %s", path, strerror(errno));
	else if (text.failed)
		strbuf_printf(error, "out of memory for %s", path);
	else if (text.length >= LINES_LARGE)
		strbuf_printf(error, "%s has 4 GiB or more, and is not read", path);
	else
		value = json_read(text.data, text.length, &problem);
	if (problem.length)
		strbuf_printf(error, "%s is no valid JSON: %s", path, strbuf_text(&problem));
	strbuf_free(&text);
	strbuf_free(&problem);
	return value;
}

static bool is_merged_trace(const char *bytes, size_t length)
{
	struct trace_header header;
	struct process_frame process;

	if (length < sizeof(header))
		return false;
	memcpy(&header, bytes, sizeof(header));
	if (memcmp(header.magic, TRACE_MAGIC, sizeof(header.magic)) != 0 ||
	    header.version != TRACE_VERSION || header.byte_order != TRACE_BYTE_ORDER ||
	    header.header_size > length || length - header.header_size < sizeof(process))
		return false;
	memcpy(&process, bytes + header.header_size, sizeof(process));
	return process.frame.kind == FRAME_PROCESS && process.frame.size > sizeof(process) &&
	       !process.pid && process.parts;
}

enum inputfile_merged inputfile_merged(const char *path)
{
	static const char start[] = RANK_JSON_START;
	char bytes[FIRST_BYTES];
	size_t length = read_start(path, bytes, sizeof(bytes));

	if (length >= sizeof(start) - 1 && !memcmp(bytes, start, sizeof(start) - 1))
		return INPUTFILE_SUMS;
	return is_merged_trace(bytes, length) ? INPUTFILE_RECORDS : INPUTFILE_NOT_MERGED;
}

/* Returns true if the file is a metrics log (output/pflog.c) or an API log. */
static bool has_no_records(const char *path)
{
	static const char *const starts[] = {
		"name:", "pid:", /* metrics.log in another form */
#define API(id, ...) "# " #id "_PROFILE_API_LOG_VERSION ",
#include "model/api.def"
#undef API
	};
	struct stat status;

	if (lstat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return false;
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (filetype_begins(path, starts[i], false) > 0)
			return true;
	return false;
}

int inputfile_scan(const char *directory, struct dirent ***entries)
{
	int count = scandir(directory, entries, NULL, alphasort), kept = 0;
	struct strbuf path = STRBUF_INIT;

	for (int i = 0; i < count; i++) {
		struct dirent *entry = (*entries)[i];

		path.length = 0;
		strbuf_printf(&path, "%s/%s", directory, entry->d_name);
		if ((inputfile_ends(entry, ".log") || inputfile_ends(entry, ".csv")) &&
		    has_no_records(strbuf_text(&path)))
			free(entry);
		else
			(*entries)[kept++] = entry;
	}
	strbuf_free(&path);
	return count < 0 ? count : kept;
}

bool inputfile_ends(const struct dirent *entry, const char *extension)
{
	return entry->d_name[0] != '.' && text_ends(entry->d_name, extension);
}

const char *inputfile_extension(struct dirent *const *entries, int count,
				const char *const *extensions)
{
	for (int i = 0; extensions[i]; i++)
		for (int j = 0; j < count; j++)
			if (inputfile_ends(entries[j], extensions[i]))
				return extensions[i];
	return NULL;
}

void inputfile_name_error(struct strbuf *error, const char *path)
{
	struct strbuf named = STRBUF_INIT;

	if (strstr(strbuf_text(error), path))
		return;
	strbuf_printf(&named, "%s: %s", path, strbuf_text(error));
	strbuf_free(error);
	*error = named;
}
