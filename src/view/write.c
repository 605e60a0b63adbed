/* SPDX-License-Identifier: MIT */
/* Writes a file completely or not at all. */
#include "view/view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "view/progress.h"
#include "view/temp_cleanup.h"

static char unfinished[PATH_MAX]; /* used by the signal handler */

/* Makes an empty file beside `path`, with the mode of a new file. Returns -1 with errno. */
static int begin(const char *path)
{
	mode_t mask = umask(0);
	struct stat status;
	int file;

	umask(mask);
	if (!lstat(path, &status) && !S_ISREG(status.st_mode)) {
		errno = EEXIST; /* devices and links are not replaced */
		return -1;
	}
	if ((size_t)snprintf(unfinished, sizeof(unfinished), "%s.XXXXXX", path) >=
	    sizeof(unfinished)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	temp_cleanup_remove(unfinished);
	file = mkstemp(unfinished);
	if (file < 0)
		return -1;
	fchmod(file, 0666 & ~mask);
	return close(file);
}

/* Replaces the temporary file's name in the sentence by the requested one. */
static void name_target(struct strbuf *error, const char *path)
{
	const char *found = error->length ? strstr(strbuf_text(error), unfinished) : NULL;
	size_t cut = strlen(unfinished) - strlen(path), at;

	if (!found)
		return;
	at = (size_t)(found - error->data) + strlen(path);
	error->length -= cut;
	memmove(error->data + at, error->data + at + cut, error->length - at);
}

/* Returns 1 if there is a message. */
static int tell_damage(struct stream *stream, struct strbuf *error)
{
	const char *damage = stream_damage(stream);

	if (damage)
		strbuf_string(error, damage);
	return damage ? 1 : 0;
}

static int check_starts(const struct view *view, const char *path, struct stream *stream,
			struct strbuf *error)
{
	struct strbuf why = STRBUF_INIT;
	int result = view->without_starts ? 0 : stream_need_starts(stream, &why);

	if (result)
		strbuf_printf(error, "cannot create %s: %s", path, strbuf_text(&why));
	strbuf_free(&why);
	return result;
}

/* Returns true if `file` is at `path`, empty, and not locked by another process. It is then locked
 * if the file system supports locks. */
static bool is_free(int file, const char *path)
{
	struct stat opened, there;

	if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return false;
	return !fstat(file, &opened) && !lstat(path, &there) && S_ISREG(there.st_mode) &&
	       !there.st_size && opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;
}

/* For an empty file at `path`, and for file systems without rename-without-replace: of several
 * processes only the one that has locked the empty file replaces it. */
static int replace_empty(const char *path)
{
	int file = open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	int result = -1;

	if (file < 0)
		return -1;
	if (is_free(file, path))
		result = rename(unfinished, path);
	else
		errno = EEXIST;
	close(file);
	return result;
}

/* Does not replace a file that another process has made meanwhile. */
static int put_new(const char *path)
{
	enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE, which not every C library defines */

	if (!syscall(SYS_renameat2, AT_FDCWD, unfinished, AT_FDCWD, path, NO_REPLACE))
		return 0;
	return replace_empty(path);
}

bool view_is_since(const char *path, int64_t since)
{
	struct stat status;

	return since && !lstat(path, &status) && S_ISREG(status.st_mode) && status.st_size &&
	       (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec > since;
}

/* The folder, locked: of several runs that end at once each sees what the one before it has put
 * there. -1 where that cannot be had soon. */
static int lock_folder(const char *path)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	for (int tries = 1000; file >= 0 && flock(file, LOCK_EX | LOCK_NB); tries--) {
		if (errno != EWOULDBLOCK || !tries) {
			close(file);
			file = -1;
		}
		nanosleep(&pause, NULL);
	}
	free(folder);
	return file;
}

/* Over what was there before `since`. */
static int put_over(const char *path, int64_t since)
{
	int folder = since ? lock_folder(path) : -1, result = -1;

	if (view_is_since(path, since))
		errno = EEXIST;
	else
		result = rename(unfinished, path);
	if (folder >= 0)
		close(folder);
	return result;
}

static int put(const struct view_target *target, const char *path)
{
	return target->replace ? put_over(path, target->since) : put_new(path);
}

static int put_in_place(const struct view_target *target, struct strbuf *error)
{
	const char *path = strbuf_text(target->path);

	if (!put(target, path))
		return 0;
	for (int try = 0; target->take_other && errno == EEXIST && try < 100; try++) {
		target->take_other(target->path, target->argument);
		path = strbuf_text(target->path);
		if (!put(target, path))
			return 0;
	}
	if (errno == EEXIST)
		strbuf_printf(error, "%s exists; use -f to overwrite it", path);
	else
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
	return -1;
}

int view_write_to(const struct view *view, const struct view_target *target, struct stream *stream,
		  struct strbuf *error)
{
	const char *path = strbuf_text(target->path);
	struct progress progress;
	int result;

	if (check_starts(view, path, stream, error))
		return -1;
	temp_cleanup_begin();
	if (begin(path)) {
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
		temp_cleanup_end();
		return -1;
	}
	stream_end_at_damage(stream, path);
	progress_begin(&progress, stream);
	result = view->write(unfinished, stream, error);
	progress_end(&progress, stream);
	if (result)
		name_target(error, path);
	else
		result = put_in_place(target, error);
	if (result)
		unlink(unfinished);
	temp_cleanup_end();
	return result ? result : tell_damage(stream, error);
}

int view_write(const struct view *view, const char *path, struct stream *stream,
	       struct strbuf *error)
{
	struct strbuf name = STRBUF_INIT;
	struct view_target target = {.path = &name, .replace = true};
	int result;

	strbuf_string(&name, path);
	result = view_write_to(view, &target, stream, error);
	strbuf_free(&name);
	return result;
}
