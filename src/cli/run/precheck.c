/* SPDX-License-Identifier: MIT */
#include "cli/run/precheck.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "cli/file_kind.h"
#include "cli/lines.h"
#include "cli/print/export.h"
#include "cli/run/artifacts.h"
#include "cli/run/effects.h"
#include "cli/run/same_file.h"
#include "cli/run/variable_values.h"
#include "cli/suggest.h"
#include "output/eventline.h"
#include "output/filetype.h"
#include "session/rules.h"
#include "settings/config.h"
#include "settings/configfile.h"
#include "settings/environ.h"
#include "settings/filename.h"
#include "view/newfile.h"

enum { WORDS_SAID = 20 };

int precheck_config(const char *name)
{
	struct strbuf text = STRBUF_INIT, hint = STRBUF_INIT;
	char *path = config_find(name);
	const char *reason = path ? config_read(&text, path) : strerror(errno);
	struct suggestion nearest;

	if (!path && !strchr(name, '/')) {
		suggest_begin(&nearest, name);
		suggest_offer_configs(&nearest);
		suggest_put(&hint, &nearest);
	}
	if (reason)
		say("the configuration file '%.300s' cannot be used: %s%s", name, reason,
		    strbuf_text(&hint));
	free(path);
	strbuf_free(&text);
	strbuf_free(&hint);
	return reason ? -1 : 0;
}

/* `line` is "NUMBER WORD". */
static void say_word(const char *config, char *line)
{
	char *word = strchr(line, ' ');
	struct strbuf hint = STRBUF_INIT;
	struct suggestion nearest;

	if (!word)
		return;
	*word++ = '\0';
	suggest_begin(&nearest, word);
	suggest_offer_words(&nearest);
	suggest_put(&hint, &nearest);
	say_new("%.300s, line %s: unknown column, counter or setting '%s'%s", config, line,
		word, strbuf_text(&hint));
	strbuf_free(&hint);
}

void precheck_words(struct settings *settings)
{
	const char *at = strbuf_text(&settings->unknown), *line;
	unsigned count = 0;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *copy = strndup(line, length);

		if (copy && count++ < WORDS_SAID)
			say_word(settings->config, copy);
		free(copy);
	}
	if (count > WORDS_SAID)
		say_new("%.300s: %u more unknown %s", settings->config, count - WORDS_SAID,
			count - WORDS_SAID == 1 ? "word; the log names it"
						: "words; the log names them");
}

/* Returns EPERM if attributes of the file (chattr) forbid writing, also to root; otherwise 0. */
static int look_at_attributes(const char *path, bool append_too)
{
#if defined(SYS_statx) && defined(STATX_ATTR_APPEND)
	uint64_t forbidden = STATX_ATTR_IMMUTABLE | (append_too ? STATX_ATTR_APPEND : 0);
	struct statx status = {0};

	if (!syscall(SYS_statx, AT_FDCWD, path, 0, STATX_TYPE, &status) &&
	    status.stx_attributes & forbidden)
		return EPERM;
#endif
	return 0;
}

/* Returns EPERM if the file system of `path` has only the files of the kernel (linux/magic.h); root
 * has all permissions there, too. Otherwise 0. */
static int look_at_file_system(const char *path)
{
	static const uint32_t of_kernel[] = {
		0x9fa0,	    /* proc */
		0x62656572, /* sysfs */
		0x1cd1,	    /* devpts */
		0x27e0eb,   /* cgroup */
		0x63677270, /* cgroup2 */
		0x64626720, /* debugfs */
		0x74726163, /* tracefs */
		0x73636673, /* securityfs */
	};
	struct statfs status;

	if (statfs(path, &status))
		return 0;
	for (size_t i = 0; i < sizeof(of_kernel) / sizeof(of_kernel[0]); i++)
		if ((uint32_t)status.f_type == of_kernel[i])
			return EPERM;
	return 0;
}

/* Returns 0 if a file can be made in the directory of `path`, or an errno. */
static int look_at_directory(const char *path)
{
	char directory[4096];
	struct stat status;
	int error;

	if (file_directory(directory, sizeof(directory), path))
		return ENAMETOOLONG;
	if (!stat(directory, &status) && !status.st_nlink)
		return ENOENT; /* the working directory, which was removed */
	if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		return errno;
	error = look_at_file_system(directory);
	return error ? error : look_at_attributes(directory, false);
}

/* Opens a FIFO for writing if it has a reader. Returns 0 or an errno. */
static int hold_reader(const char *path, int *reader)
{
	*reader = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	return *reader < 0 ? errno : 0;
}

/* Returns 0 if this file can be written, or an errno. `reader` as in hold_reader. */
static int look_at_file(const char *path, const struct stat *status, int *reader)
{
	int error;

	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
		return errno;
	if (S_ISFIFO(status->st_mode))
		return hold_reader(path, reader);
	if (!S_ISREG(status->st_mode))
		return 0;
	error = look_at_file_system(path);
	return error ? error : look_at_attributes(path, true);
}

/* Returns 0 if the library can write `path`, or an errno. `status` is zeroed if there is no
 * file. */
static int look_at(const char *path, struct stat *status)
{
	int reader; /* stays open, so that a FIFO's reader does not see its end before the first
		       row */
	int error;

	*status = (struct stat){0};
	if (lstat(path, status)) {
		*status = (struct stat){0};
		return errno == ENOENT ? look_at_directory(path) : errno;
	}
	if (S_ISLNK(status->st_mode))
		return ELOOP;
	error = file_why_no_log(path, status);
	if (!error)
		error = look_at_file(path, status, &reader);
	return error == EEXIST ? 0 : error; /* the library takes another name */
}

/* `fresh`: an existing log or trace must not be overwritten. */
static int check_file(const struct flags *flags, const char *what, const char *path, bool fresh)
{
	struct stat status;
	int error = look_at(path, &status);
	bool full = S_ISREG(status.st_mode) && status.st_size;

	if (error) {
		say("cannot write the %s %s: %s; no program was run", what, path,
		    file_reason(error));
		return -1;
	}
	if (!full || flags->value[FLAG_FORCE])
		return 0;
	if (fresh)
		say("%s exists; use -f to overwrite it", path);
	else if (!filetype_is_profile(path))
		say("%s exists and is neither a log nor a trace; use -f to overwrite it",
		    path);
	else
		return 0;
	return -1;
}

int precheck_new_file(const struct flags *flags, const struct view *view, const char *path)
{
	int error = look_at_directory(path);

	if (!error)
		error = view_why_not_replaced(view, path);
	if (!error && !export_may_write(flags, view, path)) {
		say("%s exists; use -f to overwrite it", path);
		return -1;
	}
	if (error)
		say("cannot write %s: %s; no program was run", path, file_reason(error));
	return error ? -1 : 0;
}

/* A name of %r and %q{VAR} only is empty in a process without them. Here they are those of the
 * tool: the program may be one that sets them, but is not known to. */
static int check_empty(const char *what, const char *pattern)
{
	const char *slash = strrchr(pattern, '/'), *last = slash ? slash + 1 : pattern;
	struct strbuf name = STRBUF_INIT;
	bool empty;

	filename_expand(&name, last, 0, 0);
	empty = *last && !name.length;
	strbuf_free(&name);
	if (empty)
		say("the name of the %s, %s, is empty where %%r and %%q{VAR} have no value: add a "
		    "fixed part, as in rank%%r.log; no program was run",
		    what, pattern);
	return empty ? -1 : 0;
}

int precheck_tables(const struct flags *flags, const char *pattern, int *reader)
{
	struct strbuf path = STRBUF_INIT;
	bool unknown = filename_has(pattern, 'p');
	const char *name;
	struct stat status;
	int error;

	if (check_empty("file of tables", pattern))
		return -1;
	filename_expand(&path, pattern, 0, 0);
	name = strbuf_text(&path);
	if (unknown)
		error = look_at_directory(name);
	else if (stat(name, &status))
		error = errno == ENOENT ? look_at_directory(name) : errno;
	else if (S_ISDIR(status.st_mode))
		error = EISDIR;
	else
		error = look_at_file(name, &status, reader);
	if (error)
		say("cannot write the tables to %s: %s; no program was run",
		    unknown ? pattern : name, file_reason(error));
	else if (!unknown && !report_may_write(flags, name))
		error = EEXIST;
	strbuf_free(&path);
	return error ? -1 : 0;
}

static bool has_any(const char *pattern, const char *letters)
{
	for (; *letters; letters++)
		if (filename_has(pattern, *letters))
			return true;
	return false;
}

/* Parts of the name that are only known in the program are not checked. */
static int check_pattern(const struct flags *flags, const char *what, const char *pattern,
			 bool fresh)
{
	char directory[4096];
	struct strbuf path = STRBUF_INIT;
	int error, result = 0;

	if (check_empty(what, pattern))
		return -1;
	if (file_directory(directory, sizeof(directory), pattern) || has_any(directory, "dprq"))
		return 0;
	filename_expand(&path, pattern, 0, 0);
	if (!has_any(pattern, "prq")) {
		result = check_file(flags, what, strbuf_text(&path), fresh);
	} else if ((error = look_at_directory(strbuf_text(&path)))) {
		say("cannot write the %s %s: %s; no program was run", what, pattern,
		    file_reason(error));
		result = -1;
	}
	strbuf_free(&path);
	return result;
}

/* Returns the pattern that -o set for this variable, or NULL. */
static const char *named_by_output(const struct flags *flags, const char *variable)
{
	struct file_kind kind;
	bool named = file_kind_of(flags->value[FLAG_OUTPUT], &kind) && kind.variable;

	return named && !strcmp(kind.variable, variable) ? getenv(variable) : NULL;
}

/* `pattern` is from the settings. Ranks run at the same time, and each takes its own name. */
static int check_named(const struct flags *flags, const char *what, const char *variable,
		       const struct settings *settings, const char *pattern)
{
	const char *output = named_by_output(flags, variable);

	if (output && strcmp(output, pattern)) {
		say("%s names a %s other than -o %s: use one of them", settings->config, what,
		    flags->value[FLAG_OUTPUT]);
		return -1;
	}
	return check_pattern(flags, what, pattern, output && !filename_rank());
}

/* The library needs an absolute name. */
static int check_length(const char *what, const char *pattern)
{
	char *path = rules_pattern(pattern);

	if (path) {
		free(path);
		return 0;
	}
	say("cannot use the %s name %.200s: %s; no program was run", what, pattern,
	    strerror(errno));
	return -1;
}

/* A directory may have been removed, or its path may be longer than any system call takes. */
static int check_directory(const char *what, const char *pattern)
{
	char path[PATH_MAX];

	if (*pattern == '/' || !file_absolute(path, sizeof(path), "x"))
		return check_length(what, pattern);
	say("cannot write the %s %s: the working directory has no path (%s); use an absolute "
	    "path; no program was run",
	    what, pattern, strerror(errno));
	return -1;
}

/* A FIFO or socket need not have a reader yet. */
static int look_at_events(const char *path)
{
	struct stat status;

	if (lstat(path, &status) || (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)))
		return look_at(path, &status);
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) ? errno : 0;
}

/* Returns -1 after a message if there is a file with this name that is no event stream. */
static int check_kept(const struct flags *flags, const char *path)
{
	struct stat status;

	if (flags->value[FLAG_FORCE] || lstat(path, &status) || !S_ISREG(status.st_mode) ||
	    filetype_begins(path, EVENTLINE_START, false) > 0)
		return 0;
	say("%s exists and is not an event stream; use -f to overwrite it", path);
	return -1;
}

static int check_events(const struct flags *flags, const char *pattern)
{
	struct strbuf path = STRBUF_INIT;
	int error, result;

	if (check_empty("event stream", pattern) || check_directory("event stream", pattern))
		return -1;
	filename_expand(&path, pattern, 0, 0);
	error = filename_has(pattern, 'p') ? look_at_directory(strbuf_text(&path))
					   : look_at_events(strbuf_text(&path));
	result = error ? -1 : 0;
	if (error)
		say("cannot write the event stream %s: %s; no program was run", pattern,
		    file_reason(error));
	else if (!has_any(pattern, "prq"))
		result = check_kept(flags, strbuf_text(&path));
	strbuf_free(&path);
	return result;
}

static int check_names(const struct flags *flags, const struct settings *settings)
{
	if ((settings->log && check_directory("log", settings->log)) ||
	    (settings->trace && check_directory("trace", settings->trace)) ||
	    (settings->api_log && (check_directory("API log", settings->api_log) ||
				   check_pattern(flags, "API log", settings->api_log, false))) ||
	    (settings->metrics.directory &&
	     check_directory("metrics logs in", settings->metrics.directory)) ||
	    (settings->events && check_events(flags, settings->events)))
		return -1;
	if (settings->log && !settings_is_default_log(settings) &&
	    check_named(flags, "log", "COMPUTE_PROFILE_LOG", settings, settings->log))
		return -1;
	if (!settings->trace)
		return 0;
	return check_named(flags, "trace", "COMPUTE_PROFILE_TRACE", settings, settings->trace);
}

/* Other errors are reported by the library if the program uses the API. */
static int check_api(const struct flags *flags, enum api api, struct effects *effects)
{
	struct environ_values values;
	struct settings settings;
	int result = 0;

	say_mute(true);
	settings_load(&settings, api);
	say_mute(false);
	environ_read(&values, api);
	if (settings.bad_config)
		result = precheck_config(values.value[ENVIRON_CONFIG]);
	else if (settings.enabled)
		result = check_names(flags, &settings) ||
					 effects_check_config(flags, &settings) ||
					 same_file_check(flags, &settings)
				 ? -1
				 : 0;
	effects_note(effects, &settings);
	if (!result && !artifacts_are_others())
		precheck_words(&settings);
	settings_free(&settings);
	return result;
}

int precheck_run(const struct flags *flags)
{
	int result = variable_values_check();
	struct effects effects = {0};

	if (!result && !artifacts_are_others())
		variable_values_say_unknown();
	for (int api = 0; api < API_COUNT && !result; api++)
		result = check_api(flags, (enum api)api, &effects);
	return result ? result : effects_check(flags, &effects);
}
