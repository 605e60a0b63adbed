/* SPDX-License-Identifier: MIT */
#include "view/newfile.h"

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

#include "view/folder.h"
#include "view/temp_cleanup.h"

enum { LONGEST = 200 }; /* SQLite appends "-journal" to the name */

static char unfinished[PATH_MAX]; /* for the signal handler */
static bool is_folder;

int newfile_why_not_replaced(const char *path)
{
	struct stat status;

	if (lstat(path, &status))
		return errno == ENOENT ? 0 : errno;
	if (S_ISREG(status.st_mode))
		return 0;
	return S_ISLNK(status.st_mode) ? ELOOP : S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP;
}

int newfile_why_no_folder(const char *path)
{
	struct stat status;

	if (lstat(path, &status))
		return errno == ENOENT ? 0 : errno;
	if (!S_ISDIR(status.st_mode))
		return S_ISLNK(status.st_mode) ? ELOOP : ENOTDIR;
	return folder_is_empty(path) || folder_is_archive(path) ? 0 : ENOTEMPTY;
}

/* Returns the number of bytes of `path` that begin the temporary name. A long name is cut, so that
 * the suffix fits. */
static int kept_length(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	if (length > LONGEST)
		length = LONGEST;
	return (int)((size_t)(name - path) + length);
}

/* `why` is an errno, or 0: the name is made. */
static int begin(const char *path, int why)
{
	if (!why && (size_t)snprintf(unfinished, sizeof(unfinished), "%.*s.XXXXXX",
				     kept_length(path), path) >= sizeof(unfinished))
		why = ENAMETOOLONG;
	errno = why;
	if (why)
		return -1;
	temp_cleanup_remove(unfinished);
	return 0;
}

static mode_t get_mask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

int newfile_begin(const char *path)
{
	int file;

	is_folder = false;
	if (begin(path, newfile_why_not_replaced(path)))
		return -1;
	file = mkstemp(unfinished);
	if (file < 0)
		return -1;
	fchmod(file, 0666 & ~get_mask());
	return close(file);
}

int newfile_begin_folder(const char *path)
{
	is_folder = true;
	return begin(path, newfile_why_no_folder(path)) || !mkdtemp(unfinished) ? -1 : 0;
}

/* Returns true if `file` is at `path`, empty, and not locked by another process. It is then locked,
 * if the file system supports locks. */
static bool is_free(int file, const char *path)
{
	struct stat opened, there;

	if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return false;
	return !fstat(file, &opened) && !lstat(path, &there) && S_ISREG(there.st_mode) &&
	       !there.st_size && opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;
}

/* For an empty file at `path`, and for file systems that cannot rename without replacing. If
 * several processes try, only the one that has locked the empty file replaces it. */
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

/* Flags of renameat2, which some C libraries do not define. */
enum { RENAME_NEW = 1 /* RENAME_NOREPLACE */, RENAME_SWAP = 2 /* RENAME_EXCHANGE */ };

static int rename_by(const char *path, unsigned int flags)
{
	return (int)syscall(SYS_renameat2, AT_FDCWD, unfinished, AT_FDCWD, path, flags);
}

/* Does not replace a file that another process has made meanwhile. A folder replaces an empty
 * folder only. */
static int put_new(const char *path)
{
	struct stat status;

	if (!is_folder)
		return rename_by(path, RENAME_NEW) ? replace_empty(path) : 0;
	if (!rename(unfinished, path))
		return 0;
	if (!lstat(path, &status))
		errno = EEXIST;
	return -1;
}

bool newfile_is_since(const char *path, int64_t since)
{
	struct stat status;

	return since && !lstat(path, &status) &&
	       ((S_ISREG(status.st_mode) && status.st_size) || S_ISDIR(status.st_mode)) &&
	       (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec > since;
}

/* Opens and locks the folder, so that runs that end at once see each other's files. Returns -1 if
 * that is not possible within a second. */
static int lock_folder(const char *path)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	free(folder);
	for (int tries = 1000; file >= 0 && flock(file, LOCK_EX | LOCK_NB); tries--) {
		if (errno != EWOULDBLOCK || !tries) {
			close(file);
			return -1;
		}
		nanosleep(&pause, NULL);
	}
	return file;
}

/* For file systems that cannot exchange names. */
static int swap_by_steps(const char *path)
{
	char aside[sizeof(unfinished) + sizeof(".old")];
	int error;

	snprintf(aside, sizeof(aside), "%s.old", unfinished);
	if (rename(path, aside))
		return -1;
	if (rename(unfinished, path)) {
		error = errno;
		rename(aside, path);
		errno = error;
		return -1;
	}
	folder_remove(aside);
	return 0;
}

/* Replaces an archive, which is removed when the new one is in its place. */
static int put_folder(const char *path)
{
	if (!rename(unfinished, path))
		return 0;
	errno = newfile_why_no_folder(path);
	if (errno)
		return -1;
	if (rename_by(path, RENAME_SWAP))
		return swap_by_steps(path);
	folder_remove(unfinished);
	return 0;
}

/* Replaces a file, unless it was written after `since`. */
static int put_over(const char *path, int64_t since)
{
	int folder = since ? lock_folder(path) : -1, result = -1;

	if (newfile_is_since(path, since))
		errno = EEXIST;
	else
		result = is_folder ? put_folder(path) : rename(unfinished, path);
	if (folder >= 0)
		close(folder);
	return result;
}

int newfile_put(const char *path, bool replace, int64_t since)
{
	if (is_folder)
		chmod(unfinished, 0777 & ~get_mask());
	return replace ? put_over(path, since) : put_new(path);
}

void newfile_drop(void)
{
	if (is_folder)
		folder_remove(unfinished);
	else
		unlink(unfinished);
}

const char *newfile_name(void)
{
	return unfinished;
}
