/* SPDX-License-Identifier: MIT */
#include "cli/run/named_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pathlist.h"
#include "base/say.h"
#include "cli/file_kind.h"
#include "cli/lines.h"
#include "session/rules.h"
#include "settings/filename.h"

/* Returns the name that an option has set in the variable, or NULL. */
static const char *named(const struct flags *flags, enum flag_id id, const char *variable)
{
	struct file_kind kind;
	bool by_output = file_kind_of(flags->value[FLAG_OUTPUT], &kind) && kind.variable &&
			 !strcmp(kind.variable, variable);

	return flags->value[id] || by_output ? getenv(variable) : NULL;
}

static bool is_constant(const char *pattern)
{
	static const char letters[] = "dphrq";

	for (size_t i = 0; letters[i]; i++)
		if (filename_has(pattern, letters[i]))
			return false;
	return true;
}

/* Returns true if `line` is the path, with a number before its extension or without one: files of
 * forked children have their process ids there. */
static bool is_file_of(const char *line, size_t length, struct strbuf *path)
{
	const char *name = strbuf_text(path), *slash = strrchr(name, '/');
	const char *dot = strrchr(slash ? slash + 1 : name, '.');
	size_t stem = dot ? (size_t)(dot - name) : path->length, end = path->length - stem;

	if (length < path->length || memcmp(line, name, stem) ||
	    memcmp(line + length - end, name + stem, end))
		return false;
	line += stem;
	length -= path->length;
	return !length ||
	       (*line == '.' && length > 1 && strspn(line + 1, "0123456789") >= length - 1);
}

static bool is_listed(struct strbuf *list, const char *path)
{
	struct strbuf line = STRBUF_INIT;
	const char *at = strbuf_text(list), *next;
	bool listed = false;
	size_t length;

	pathlist_put(&line, path);
	while (!listed && (next = lines_next(&at, &length)))
		listed = is_file_of(next, length, &line);
	strbuf_free(&line);
	return listed;
}

static void say_if_other(const char *what, const char *pattern, struct strbuf *list)
{
	char *absolute = pattern && *pattern && list->length && is_constant(pattern)
				 ? rules_pattern(pattern)
				 : NULL;
	struct strbuf path = STRBUF_INIT;

	if (!absolute)
		return;
	filename_expand(&path, absolute, 0, 0);
	if (access(strbuf_text(&path), F_OK) && errno == ENOENT &&
	    !is_listed(list, strbuf_text(&path)))
		say("%s was not written: the program has changed its directory, or set another "
		    "name for the %s",
		    strbuf_text(&path), what);
	strbuf_free(&path);
	free(absolute);
}

void named_files_tell(const struct flags *flags, struct artifact_lists *lists)
{
	say_if_other("log", named(flags, FLAG_LOG, "COMPUTE_PROFILE_LOG"), &lists->logs);
	say_if_other("trace", named(flags, FLAG_TRACE, "COMPUTE_PROFILE_TRACE"), &lists->traces);
}
