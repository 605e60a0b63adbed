/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/tsan.h"

/* Moves the descriptor to a number from `lowest` on, if possible. */
static void move_high(struct file *file, int lowest)
{
	struct file low = *file;
	int high;

	if (low.fd >= lowest)
		return;
	high = fcntl(low.fd, F_DUPFD_CLOEXEC, lowest);

	/* The process may not have so many descriptors. */
	if (high < 0 && lowest > FILE_LOWEST)
		high = fcntl(low.fd, F_DUPFD_CLOEXEC, FILE_LOWEST);
	if (high < 0)
		return;
	file->fd = high;
	file_close(&low);
}

/* `status` is zero if a sandbox forbids fstat. Returns -1 with EBADF if the program closes or
 * reuses the descriptor meanwhile. */
static int take(struct file *file, int fd, int lowest, const struct stat *status)
{
	*file = (struct file){
		.fd = fd,
		.lowest = lowest,
		.device = status->st_dev,
		.inode = status->st_ino,
		.regular = S_ISREG(status->st_mode),
	};
	move_high(file, lowest);
	if (file_is_intact(file))
		return 0;
	*file = FILE_CLOSED;
	errno = EBADF;
	return -1;
}

/* Returns true if `path` still names this file. */
static bool is_at(const char *path, const struct stat *status)
{
	struct stat named;

	return !lstat(path, &named) && named.st_dev == status->st_dev &&
	       named.st_ino == status->st_ino;
}

int file_adopt(struct file *file, int fd, const char *path)
{
	struct stat status = {0};
	bool known = !fstat(fd, &status);

	if (known ? !path || is_at(path, &status) : errno != EBADF)
		return take(file, fd, FILE_LOWEST, &status);
	*file = FILE_CLOSED;
	errno = EBADF;
	return -1;
}

/* The buffer is mapped, since threads may have small stacks. */
static int stat_directory(const char *path, struct stat *status)
{
	enum { SIZE = 4096 };
	char *directory = memory_map(SIZE);
	int result;

	if (!directory)
		return -1;
	result = file_directory(directory, SIZE, path) || stat(directory, status) ? -1 : 0;
	memory_unmap(directory, SIZE);
	return result;
}

/* Same rule as the kernel's fs.protected_regular and fs.protected_fifos, which may be off. */
bool file_is_planted(const char *path, const struct stat *file)
{
	struct stat status;

	if (file->st_uid == geteuid() || stat_directory(path, &status))
		return false;
	return (status.st_mode & S_ISVTX) && (status.st_mode & (S_IWOTH | S_IWGRP)) &&
	       file->st_uid != status.st_uid;
}

int file_why_no_log(const char *path, const struct stat *status)
{
	if (S_ISDIR(status->st_mode))
		return EISDIR;
	if (!S_ISCHR(status->st_mode) && file_is_planted(path, status))
		return EEXIST;
	if (!S_ISREG(status->st_mode))
		return S_ISCHR(status->st_mode) || S_ISFIFO(status->st_mode) ? 0 : ENOTSUP;
	return status->st_nlink > 1 ? EMLINK : 0;
}

static struct {
	dev_t device;
	ino_t inode; /* 0: not a regular file */
} standard[3];

void file_note_standard(void)
{
	struct stat status;

	for (int fd = 0; fd < 3; fd++)
		if (!fstat(fd, &status) && S_ISREG(status.st_mode)) {
			standard[fd].device = status.st_dev;
			standard[fd].inode = status.st_ino;
		}
}

bool file_is_standard(const struct stat *status)
{
	for (int fd = 0; fd < 3; fd++)
		if (standard[fd].inode && standard[fd].inode == status->st_ino &&
		    standard[fd].device == status->st_dev)
			return true;
	return false;
}

/* Returns 0 or an errno. */
static int unfit(int fd, const char *path, const struct stat *status)
{
	int error = file_why_no_log(path, status);

	if (error || !S_ISREG(status->st_mode))
		return error;
	/* What the program prints would be mixed with it, or overwrite it. */
	if (file_is_standard(status))
		return EBUSY;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return EBUSY;
	return 0;
}

enum { FLAGS = O_WRONLY | O_APPEND | O_NONBLOCK };

/* Returns true if the new descriptor no longer is the log: the program closes all descriptors, or
 * has reused the number. The library must not close it then. */
static bool is_taken(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return errno == EBADF;
	return (flags & (O_ACCMODE | O_APPEND | O_NONBLOCK)) != FLAGS;
}

static int empty(struct file *file)
{
	int error;

	if (!ftruncate(file->fd, 0))
		return 0;
	error = errno;
	file_close(file);
	errno = error;
	return -1;
}

static int open_with(struct file *file, const char *path, int more_flags, bool truncate)
{
	int flags = FLAGS | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC | more_flags;
	int lowest = file->lowest;
	int fd = tsan_open(path, flags);
	struct stat status = {0};
	int error;

	*file = FILE_CLOSED;
	if (fd < 0)
		return -1;
	/* If a sandbox forbids fstat, the file is used unchecked. */
	fstat(fd, &status);
	if (is_taken(fd)) {
		errno = EBADF;
		return -1;
	}
	error = status.st_ino ? unfit(fd, path, &status) : 0;
	if (error) {
		tsan_close(fd);
		errno = error;
		return -1;
	}
	if (take(file, fd, lowest, &status))
		return -1;
	return truncate && S_ISREG(status.st_mode) ? empty(file) : 0;
}

static int open_anew(struct file *file, const char *path, int more_flags, bool truncate)
{
	int result, tries = FILE_TRIES;

	do {
		*file = FILE_CLOSED;
		result = open_with(file, path, more_flags, truncate);
	} while (result && errno == EBADF && --tries);
	return result;
}

int file_open_log(struct file *file, const char *path, bool truncate)
{
	return open_anew(file, path, O_CREAT, truncate);
}

int file_open_existing(struct file *file, const char *path)
{
	return open_anew(file, path, 0, false);
}

int file_open_new(struct file *file, const char *path)
{
	return open_anew(file, path, O_CREAT | O_EXCL, false);
}

void file_close(struct file *file)
{
	if (file->fd >= 0 && file_is_intact(file))
		tsan_close(file->fd);
	file->fd = -1;
}

void file_release(struct file *file)
{
	if (file->fd >= 0 && file_is_intact(file))
		flock(file->fd, LOCK_UN);
	file_close(file);
}

bool file_is_intact(const struct file *file)
{
	struct stat status;

	if (file->fd < 0)
		return false;
	if (fstat(file->fd, &status))
		return errno == EPERM || errno == ENOSYS || errno == EACCES;
	return !file->inode || (status.st_dev == file->device && status.st_ino == file->inode);
}

int file_reopen(struct file *file, const char *path)
{
	struct file again;

	/* The program may be closing descriptors in ascending order, so the next one is higher. It
	 * is limited, since the kernel's descriptor table grows with the highest number. */
	if (file->fd >= 0)
		file->lowest = 2 * file->lowest <= FILE_HIGHEST ? 2 * file->lowest : FILE_LOWEST;
	file->fd = -1; /* the program owns this number now */
	again = *file;
	/* The file is not created again: a new file could reuse the inode number and would lack the
	 * earlier contents. */
	if (open_with(&again, path, 0, false))
		return -1;
	if (again.device != file->device || again.inode != file->inode) {
		file_close(&again);
		errno = ESTALE;
		return -1;
	}
	*file = again;
	return 0;
}

bool file_lacks_descriptors(int error)
{
	return error == EMFILE || error == ENFILE;
}

const char *file_reason(int error)
{
	switch (error) {
	case ELOOP:
		return "it is a symbolic link";
	case EMLINK:
		return "it has several hard links";
	case ENXIO:
		return "it is a FIFO without a reader, or a device that does not exist";
	case ENOTSUP:
		return "it is not a regular file";
	case EREMCHG:
		return "other users can change its directory";
	case EBUSY:
		return "another process, or the program itself, is writing it";
	case ETIMEDOUT:
		return "the file system does not answer";
	case ESTALE:
		return "it has been replaced by another file";
	default:
		return strerror(error);
	}
}

void file_stamp(const struct file *file, const char *path, int64_t time)
{
	struct timespec times[] = {
		{.tv_nsec = UTIME_OMIT},
		{.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000},
	};
	struct stat status;

	if (file_is_intact(file))
		futimens(file->fd, times);
	else if (!lstat(path, &status) && status.st_dev == file->device &&
		 status.st_ino == file->inode)
		utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

void file_keep_over_exec(const struct file *file, bool keep)
{
	if (file_is_intact(file))
		fcntl(file->fd, F_SETFD, keep ? 0 : FD_CLOEXEC);
}
