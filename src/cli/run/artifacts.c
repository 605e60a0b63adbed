/* SPDX-License-Identifier: MIT */
#include "cli/run/artifacts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pathlist.h"
#include "base/say.h"
#include "cli/lines.h"
#include "cli/run/memory_file.h"
#include "output/filetype.h"
#include "session/identity.h"
#include "session/manifest.h"
#include "session/ringfile_path.h"

/* The start of a line with the path of running totals, from a computeprof inside this one. */
#define TOTALS "totals "

/* Allocates a page in advance, so that processes can still write their lines when the disk is
 * full. */
static bool has_no_room(int file)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction before;
	bool none;

	/* A tmpfs sends the signal if the limit of a file's size is lower. */
	sigaction(SIGXFSZ, &ignore, &before);
	none = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 4096) && errno == ENOSPC;
	sigaction(SIGXFSZ, &before, NULL);
	return none;
}

/* Writes the head. Without it no process writes into the file. */
static void put_head(int file)
{
	static const char head[] = MANIFEST_HEAD;

	if (file_write(file, head, sizeof(head) - 1) < sizeof(head) - 1)
		fchmod(file, MANIFEST_CUT);
}

/* Makes the second list, for processes of other users, which cannot open the first one. */
static void make_for_others(const char *path)
{
	struct strbuf name = STRBUF_INIT;
	int file;

	strbuf_printf(&name, "%s%s", path, MANIFEST_OTHERS);
	file = open(strbuf_text(&name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file >= 0) {
		has_no_room(file);
		put_head(file);
		fchmod(file, 0666);
		close(file);
	}
	strbuf_free(&name);
}

/* A process started by root may become another user. It gets the file's name from its environment;
 * other users cannot list the folder. Returns the open file and sets `path`; -1 with errno set. */
static int make_in_folder(char *path, size_t size)
{
	static const char name[] = MANIFEST_FOLDER "XXXXXX";
	size_t length;
	int file = -1, error = ENAMETOOLONG;

	if (!mkdtemp(path))
		return -1;
	length = strlen(path);
	chmod(path, 0711);
	if (length + sizeof(name) <= size) {
		memcpy(path + length, name, sizeof(name));
		file = mkostemp(path, O_CLOEXEC);
		error = errno;
	}
	if (file < 0) {
		path[length] = '\0';
		rmdir(path);
		errno = error;
	}
	return file;
}

/* Makes the list in `directory`. The path is absolute, since programs change their directory. It is
 * locked while the tool runs, for manifest_has_tool. Returns NULL with errno set. */
static char *make_file_in(const char *directory, bool has_folder, int *lock)
{
	char path[PATH_MAX];
	struct strbuf name = STRBUF_INIT;
	int file, error;

	strbuf_printf(&name, "%s/computeprof.XXXXXX", directory);
	file = file_absolute(path, sizeof(path), strbuf_text(&name));
	strbuf_free(&name);
	if (!file)
		file = has_folder ? make_in_folder(path, sizeof(path))
				  : mkostemp(path, O_CLOEXEC);
	if (file < 0)
		return NULL;
	if (has_no_room(file)) {
		error = errno;
		manifest_remove(path, has_folder);
		close(file);
		errno = error;
		return NULL;
	}
	put_head(file);
	flock(file, LOCK_EX | LOCK_NB);
	*lock = file;
	if (has_folder)
		make_for_others(path);
	return strdup(path);
}

/* Without the list there are no tables. It is small, so it is made elsewhere if TMPDIR is full. */
static char *make_file(bool has_folder, int *lock)
{
	const char *given = getenv("TMPDIR");
	const char *const directories[] = {given && *given ? given : "/tmp", "/dev/shm", "/tmp"};
	char *path = make_file_in(directories[0], has_folder, lock);
	int error = errno;

	for (size_t i = 1; !path && i < sizeof(directories) / sizeof(directories[0]); i++)
		path = make_file_in(directories[i], has_folder, lock);
	errno = error;
	if (!path)
		say("cannot create the list of logs in %s: %m; the logs will not be named at the "
		    "end",
		    directories[0]);
	return path;
}

bool artifacts_are_others(void)
{
	const char *outer = getenv(MANIFEST_VARIABLE);

	return outer && *outer;
}

static void note_tool(void)
{
	uint32_t pid = (uint32_t)getpid();
	char text[64];

	snprintf(text, sizeof(text), "%u:%llu:%llu", pid,
		 (unsigned long long)identity_process_start(pid),
		 (unsigned long long)identity_pid_namespace());
	setenv(MANIFEST_TOOL, text, 1);
}

static void note_memory(void)
{
	struct stat status;
	char text[64];

	unsetenv(MANIFEST_MEMORY);
	if (stat(RINGFILE_SHARED_MEMORY, &status))
		return;
	snprintf(text, sizeof(text), MANIFEST_DIRECTORY_FORMAT, (unsigned long long)status.st_dev,
		 (unsigned long long)status.st_ino);
	setenv(MANIFEST_MEMORY, text, 1);
}

void artifacts_open(struct artifacts *artifacts)
{
	const char *outer = getenv(MANIFEST_VARIABLE);

	*artifacts = (struct artifacts){.outer = outer && *outer ? strdup(outer) : NULL,
					.has_folder = !geteuid(),
					.lock = -1};
	unsetenv(MANIFEST_VARIABLE);
	note_tool();
	note_memory();
	artifacts->path = make_file(artifacts->has_folder, &artifacts->lock);
	if (artifacts->path)
		setenv(MANIFEST_VARIABLE, artifacts->path, 1);
}

static void add_file(struct strbuf *list, char *path)
{
	if (path) {
		pathlist_put(list, path);
		strbuf_char(list, '\n');
	} else {
		say("the totals of a process could not be kept: %m");
	}
	free(path);
}

void artifacts_add_totals(struct strbuf *list, const struct strbuf *totals)
{
	add_file(list, memory_file_make(totals));
}

void artifacts_add(struct artifact_lists *lists, struct strbuf *list, const char *line,
		   size_t length)
{
	lines_add_new(&lists->seen, list, line, length);
}

/* A file that a computeprof inside this one has made. */
static void take_totals(struct artifact_lists *lists, const char *line, size_t length)
{
	char *path = pathlist_get(line, length);

	if (path && !access(path, F_OK))
		add_file(&lists->totals, memory_file_take(path));
	free(path);
}

/* The kinds of lines with a list of their own. */
static const struct kind {
	const char *word;
	size_t list; /* offset in struct artifact_lists */
} kinds[] = {
#define KIND(word, list)                                                                           \
	{                                                                                          \
		word, offsetof(struct artifact_lists, list)                                        \
	}
	KIND("log", logs),	    KIND("trace", traces),	  KIND("calls", api_logs),
	KIND("events", events),	    KIND("metrics", metrics),	  KIND("ring", rings),
	KIND("waits", waits),	    KIND("asked", asked),	  KIND("lost", losses),
	KIND("missing", missing),   KIND("unwritten", unwritten), KIND("memory", memory),
	KIND("begun", begun),	    KIND("ended", ended),	  KIND("kept", kept),
	KIND("replaced", replaced), KIND("told", told),
#undef KIND
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static struct strbuf *list_of(struct artifact_lists *lists, int kind)
{
	return (struct strbuf *)(void *)((char *)lists + kinds[kind].list);
}

static void sort_line(struct artifact_lists *lists, const char *line, size_t length)
{
	if (length > strlen(TOTALS) && !memcmp(line, TOTALS, strlen(TOTALS)))
		take_totals(lists, line + strlen(TOTALS), length - strlen(TOTALS));
	for (int i = 0; i < KINDS; i++) {
		size_t word = strlen(kinds[i].word);

		if (length > word + 1 && !memcmp(line, kinds[i].word, word) && line[word] == ' ')
			artifacts_add(lists, list_of(lists, i), line + word + 1, length - word - 1);
	}
}

/* Checks that a file which a process of another user names as its log or trace is one and belongs
 * to another user. */
static bool is_of_another(const char *line, size_t length)
{
	char *path = pathlist_get(line, length);
	struct stat status;
	bool is = path && !lstat(path, &status) && S_ISREG(status.st_mode) &&
		  status.st_uid != geteuid() && filetype_is_profile(path);

	free(path);
	return is;
}

/* Lines of other users' processes are not trusted: no file of this user is read or removed because
 * of them. */
static void sort_line_of_others(struct artifact_lists *lists, const char *line, size_t length)
{
	static const struct {
		const char *word;
		bool is_file;
	} allowed[] = {
		{"log ", true},	    {"trace ", true},  {"calls ", true},    {"waits -", false},
		{"asked -", false}, {"lost -", false}, {"missing ", false}, {"memory ", false},
		{"begun ", false},  {"ended ", false}, {"kept ", false},    {"unwritten ", false},
	};
	static const char ring[] = "ring ";

	if (!length || line[0] == MANIFEST_HEAD[0])
		return;
	lists->others = true;
	if (length > strlen(ring) && !memcmp(line, ring, strlen(ring)))
		artifacts_add(lists, &lists->rings_of_others, line + strlen(ring),
			      length - strlen(ring));
	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++) {
		size_t word = strlen(allowed[i].word);

		if (length < word || memcmp(line, allowed[i].word, word) != 0)
			continue;
		if (!allowed[i].is_file || is_of_another(line + word, length - word))
			sort_line(lists, line, length);
	}
}

static void read_file(struct artifact_lists *lists, const char *path,
		      void (*sort)(struct artifact_lists *lists, const char *line, size_t length))
{
	struct strbuf text = STRBUF_INIT;
	const char *at, *line;
	size_t length;

	if (lines_read_file(&text, path)) {
		say("cannot read the list of logs %s: %m", path);
		lists->unread = true;
	}
	/* A last line without its end could not be written. */
	while (text.length && text.data[text.length - 1] != '\n')
		text.length--;
	at = strbuf_text(&text);
	while ((line = lines_next(&at, &length)))
		sort(lists, line, length);
	strbuf_free(&text);
}

void artifacts_read(struct artifacts *artifacts, struct artifact_lists *lists)
{
	struct stat status;
	struct strbuf others = STRBUF_INIT;

	if (!artifacts->path)
		return;
	read_file(lists, artifacts->path, sort_line);
	lists->cut = !stat(artifacts->path, &status) && (status.st_mode & 0777) == MANIFEST_CUT;
	strbuf_printf(&others, "%s%s", artifacts->path, MANIFEST_OTHERS);
	if (!access(strbuf_text(&others), F_OK))
		read_file(lists, strbuf_text(&others), sort_line_of_others);
	strbuf_free(&others);
}

/* Another user's process may have written such lines falsely: then only messages about its own rows
 * are missing. */
static void sort_ended(struct artifact_lists *lists, const char *line, size_t length)
{
	if (length > 6 && (!memcmp(line, "ended ", 6) || !memcmp(line, "kept ", 5)))
		sort_line(lists, line, length);
}

void artifacts_read_ended(const struct artifacts *artifacts, struct artifact_lists *lists)
{
	struct strbuf others = STRBUF_INIT;

	if (!artifacts->path || lists->unread)
		return;
	read_file(lists, artifacts->path, sort_ended);
	strbuf_printf(&others, "%s%s", artifacts->path, MANIFEST_OTHERS);
	if (!access(strbuf_text(&others), F_OK))
		read_file(lists, strbuf_text(&others), sort_ended);
	strbuf_free(&others);
}

void artifacts_remove(struct artifacts *artifacts)
{
	if (artifacts->path)
		manifest_remove(artifacts->path, artifacts->has_folder);
	if (artifacts->lock >= 0)
		close(artifacts->lock);
	artifacts->lock = -1;
}

static void prefix_lines(struct strbuf *to, const char *word, struct strbuf *list)
{
	const char *at = strbuf_text(list), *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		strbuf_printf(to, "%s %.*s\n", word, (int)length, line);
}

/* Cuts `path` to its parent directory. Returns false at the root. */
static bool to_parent_folder(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || !slash[1])
		return false;
	slash[slash == path] = '\0';
	return true;
}

bool artifacts_reach_others(const struct artifacts *artifacts)
{
	char *path = artifacts->path ? strdup(artifacts->path) : NULL;
	struct stat status;
	bool reach = path;

	/* The list's own folder, which may no longer exist, can be searched by all users. */
	if (reach && artifacts->has_folder)
		to_parent_folder(path);
	while (reach && to_parent_folder(path))
		reach = !stat(path, &status) && status.st_mode & S_IXOTH;
	free(path);
	return reach;
}

/* Makes copies beside the list of the enclosing computeprof, which removes them, and their
 * lines. */
static void forward_totals(struct strbuf *to, const char *outer, struct strbuf *totals)
{
	const char *at = strbuf_text(totals), *line;
	unsigned number = 0;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		struct strbuf copy = STRBUF_INIT;
		char *path = pathlist_get(line, length);

		strbuf_printf(&copy, "%s.%d-%u", outer, (int)getpid(), number++);
		if (path && !memory_file_save(path, strbuf_text(&copy))) {
			strbuf_string(to, TOTALS);
			pathlist_put(to, strbuf_text(&copy));
			strbuf_char(to, '\n');
		}
		strbuf_free(&copy);
		free(path);
	}
}

bool artifacts_forward(const struct artifacts *artifacts, struct artifact_lists *lists)
{
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;
	bool done;
	int file;

	if (!artifacts->outer)
		return false;
	strbuf_string(&path, artifacts->outer);
	file = manifest_open(&path);
	if (file >= 0 && !strcmp(strbuf_text(&path), artifacts->outer))
		forward_totals(&text, artifacts->outer, &lists->totals);
	strbuf_free(&path);
	if (file < 0)
		return false;
	for (int i = 0; i < KINDS; i++)
		prefix_lines(&text, kinds[i].word, list_of(lists, i));
	if (lists->cut)
		fchmod(file, MANIFEST_CUT);
	done = write(file, text.data ? text.data : "", text.length) == (ssize_t)text.length;
	close(file);
	strbuf_free(&text);
	return done;
}

void artifacts_free(struct artifacts *artifacts, struct artifact_lists *lists)
{
	free(artifacts->path);
	free(artifacts->outer);
	for (int i = 0; i < KINDS; i++)
		strbuf_free(list_of(lists, i));
	strbuf_free(&lists->rings_of_others);
	strbuf_free(&lists->found);
	strbuf_free(&lists->gone);
	strbuf_free(&lists->unrecovered);
	strbuf_free(&lists->ungrown);
	strbuf_free(&lists->totals);
	strbuf_free(&lists->live);
	strbuf_free(&lists->whole);
	map_free(&lists->seen);
}
