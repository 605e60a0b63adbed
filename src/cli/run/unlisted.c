/* SPDX-License-Identifier: MIT */
#include "cli/run/unlisted.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pathlist.h"
#include "output/filetype.h"
#include "session/manifest.h"
#include "session/ringfile.h"
#include "session/ringfile_path.h"
#include "session/ringfile_reader.h"
#include "session/rules.h"
#include "settings/filename.h"
#include "settings/settings.h"

/* Returns true if the ring file is this user's, and of the run with this list. */
static bool is_of_run(const char *path, const char *list)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct ringfile_header header;
	struct stat status;
	bool is;

	if (fd < 0)
		return false;
	is = !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	     pread(fd, &header, sizeof(header), 0) == sizeof(header) &&
	     !ringfile_reader_check(&header) &&
	     memchr(header.keeper, '\0', sizeof(header.keeper)) && !strcmp(header.keeper, list);
	close(fd);
	return is;
}

static void find_in(const char *directory, const char *list, struct artifact_lists *lists)
{
	struct strbuf paths = STRBUF_INIT, line = STRBUF_INIT;

	ringfile_path_find(directory, &paths);
	for (size_t at = 0; !paths.failed && at < paths.length; at += strlen(paths.data + at) + 1) {
		if (!is_of_run(paths.data + at, list))
			continue;
		line.length = 0;
		pathlist_put(&line, paths.data + at);
		artifacts_add(lists, &lists->rings, strbuf_text(&line), line.length);
	}
	strbuf_free(&line);
	strbuf_free(&paths);
}

/* Appends the pattern of the logs' names. */
static void put_log(struct strbuf *to)
{
	const char *given = getenv("COMPUTE_PROFILE_LOG");

	if (given && *given)
		strbuf_string(to, given);
	else
		settings_default_log(to, DIALECT_CLASSIC, 0 /* the same for all APIs */);
}

/* Returns the absolute pattern of the logs' names, malloc'ed, or NULL. */
static char *log_pattern(void)
{
	struct strbuf log = STRBUF_INIT;
	char *pattern;

	put_log(&log);
	pattern = rules_pattern(strbuf_text(&log));
	strbuf_free(&log);
	return pattern;
}

static bool depends_on_process(const char *pattern)
{
	return filename_has(pattern, 'p') || filename_has(pattern, 'r') ||
	       filename_has(pattern, 'q');
}

/* Sets the variable to the directory of the file with this pattern of names, which may be NULL.
 * Returns false if there is none, or it has the devices. */
static bool set_directory(const char *pattern)
{
	struct strbuf name = STRBUF_INIT, value = STRBUF_INIT;
	char file[PATH_MAX], directory[PATH_MAX];
	struct stat status;
	bool found;

	if (!pattern || !*pattern)
		return false;
	filename_expand(&name, pattern, 0, 0);
	found = !file_absolute(file, sizeof(file), strbuf_text(&name)) &&
		!file_directory(directory, sizeof(directory), file) && !stat(directory, &status) &&
		S_ISDIR(status.st_mode) && strcmp(directory, "/dev") != 0;
	if (found) {
		strbuf_printf(&value, MANIFEST_DIRECTORY_FORMAT ":%s",
			      (unsigned long long)status.st_dev, (unsigned long long)status.st_ino,
			      directory);
		setenv(MANIFEST_RINGS, strbuf_text(&value), 1);
	}
	strbuf_free(&value);
	strbuf_free(&name);
	return found;
}

void unlisted_choose_directory(const char *output, bool own_trace)
{
	const char *trace = own_trace ? NULL : getenv("COMPUTE_PROFILE_TRACE");
	struct strbuf log = STRBUF_INIT;

	unsetenv(MANIFEST_RINGS);
	put_log(&log);
	if (!set_directory(strbuf_text(&log)) && !set_directory(trace) && !set_directory(output))
		set_directory("x"); /* any name in the working directory */
	strbuf_free(&log);
}

char *unlisted_log(int64_t since)
{
	char *pattern = log_pattern(), *path = NULL;
	struct strbuf name = STRBUF_INIT;
	struct stat status;

	if (pattern && !depends_on_process(pattern))
		filename_expand(&name, pattern, 0, 0);
	if (name.length && !lstat(strbuf_text(&name), &status) && S_ISREG(status.st_mode) &&
	    (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec > since &&
	    filetype_is_profile(strbuf_text(&name)))
		path = strdup(strbuf_text(&name));
	strbuf_free(&name);
	free(pattern);
	return path;
}

/* Frees `path`, the name of a log or trace, or NULL. */
static void find_beside(char *path, const char *list, struct artifact_lists *lists)
{
	char *slash = path ? strrchr(path, '/') : NULL;

	if (slash) {
		slash[slash == path] = '\0';
		find_in(path, list, lists);
	}
	free(path);
}

void unlisted_find(const char *list, struct artifact_lists *lists)
{
	const char *trace = getenv("COMPUTE_PROFILE_TRACE"), *rings = getenv(MANIFEST_RINGS);

	if (!list)
		return;
	find_in(RINGFILE_SHARED_MEMORY, list, lists);
	find_beside(log_pattern(), list, lists);
	if (trace && *trace) /* without a log, ring files are beside the trace */
		find_beside(rules_pattern(trace), list, lists);
	if (rings && strchr(rings, '/'))
		find_in(strchr(rings, '/'), list, lists);
}
