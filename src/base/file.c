/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quiet.h"

static int move_high(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, FILE_LOWEST);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

/* `status` is all zero where a sandbox forbids fstat. */
static void take(struct file *file, int fd, const struct stat *status)
{
	file->fd = move_high(fd);
	file->device = status->st_dev;
	file->inode = status->st_ino;
}

void file_adopt(struct file *file, int fd)
{
	struct stat status = {0};

	fstat(fd, &status);
	take(file, fd, &status);
}

/* What makes a regular file unfit to be a log; 0 or an errno. */
static int unfit(int fd, const struct stat *status)
{
	if (S_ISDIR(status->st_mode))
		return EISDIR;
	if (!S_ISREG(status->st_mode))
		return S_ISCHR(status->st_mode) || S_ISFIFO(status->st_mode) ? 0 : ENOTSUP;
	if (status->st_nlink > 1)
		return EMLINK;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return EBUSY;
	return 0;
}

static int open_with(struct file *file, const char *path, int more_flags, bool truncate)
{
	int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd = open(path, flags | more_flags, 0666);
	struct stat status = {0};
	int error;

	*file = FILE_CLOSED;
	if (fd < 0)
		return -1;
	/* Without fstat the file is ours to write all the same. */
	error = fstat(fd, &status) ? 0 : unfit(fd, &status);
	if (!error && truncate && S_ISREG(status.st_mode) && ftruncate(fd, 0))
		error = errno;
	if (error) {
		close(fd);
		errno = error;
		return -1;
	}
	take(file, fd, &status);
	return 0;
}

int file_open_log(struct file *file, const char *path, bool truncate)
{
	return open_with(file, path, O_CREAT, truncate);
}

void file_close(struct file *file)
{
	if (file->fd >= 0 && file_is_intact(file))
		close(file->fd);
	file->fd = -1;
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

	file->fd = -1; /* whatever it is now, it is the program's */
	/* Not made anew: its number may be the old file's, and it would lack what that one had. */
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

/* Whether fd may be written on within a second; signals that come in between do not count. */
static bool wait_writable(int fd)
{
	struct pollfd writable = {.fd = fd, .events = POLLOUT};
	int count;

	do
		count = poll(&writable, 1, 1000);
	while (count < 0 && errno == EINTR);
	errno = EAGAIN;
	return count == 1 && !(writable.revents & (POLLERR | POLLHUP | POLLNVAL));
}

static size_t write_all(int fd, const char *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t count = write(fd, bytes + done, size - done);

		if (count > 0)
			done += (size_t)count;
		else if (count < 0 && errno == EINTR)
			continue;
		else if (count < 0 && errno == EAGAIN && wait_writable(fd))
			continue;
		else
			break;
	}
	return done;
}

size_t file_write(int fd, const char *bytes, size_t size)
{
	struct quiet quiet;
	size_t done;

	quiet_begin(&quiet);
	done = write_all(fd, bytes, size);
	quiet_end(&quiet, done < size ? errno : 0);
	return done;
}

/* What was written since the file had `size` bytes is not known: away with it. */
static int cut_back(const struct file *file, uint64_t size)
{
	struct stat status;

	if (fstat(file->fd, &status) || !S_ISREG(status.st_mode))
		return 0;
	return (uint64_t)status.st_size > size ? ftruncate(file->fd, (off_t)size) : 0;
}

size_t file_append(struct file *file, const char *path, const char *bytes, size_t size,
		   uint64_t before)
{
	for (int try = 0; try < 10; try++) {
		size_t done;
		int error;

		if (!file_is_intact(file) && file_reopen(file, path))
			return 0;
		if (try && cut_back(file, before))
			return 0;
		done = file_write(file->fd, bytes, size);
		error = errno;
		if (file_is_intact(file)) {
			errno = error;
			return done;
		}
	}
	errno = EBADF;
	return 0;
}

const char *file_reason(int error)
{
	switch (error) {
	case ELOOP:
		return "it is a symbolic link";
	case EMLINK:
		return "it has several names (hard links)";
	case ENXIO:
		return "it is a FIFO that nobody reads";
	case EBUSY:
		return "another process writes it";
	default:
		return strerror(error);
	}
}

void file_keep_over_exec(const struct file *file, bool keep)
{
	if (file_is_intact(file))
		fcntl(file->fd, F_SETFD, keep ? 0 : FD_CLOEXEC);
}

static char start[4096]; /* "" while no directory is remembered */

void file_remember_directory(void)
{
	if (!getcwd(start, sizeof(start)))
		start[0] = '\0';
}

static const char *directory(char *to, size_t size)
{
	size_t length = strlen(start);

	if (!length)
		return getcwd(to, size);
	if (length < size)
		return strcpy(to, start);
	errno = ENAMETOOLONG;
	return NULL;
}

int file_allocate(int fd, uint64_t from, uint64_t size)
{
	struct quiet quiet;
	int error;

	quiet_begin(&quiet);
	do
		error = posix_fallocate(fd, (off_t)from, (off_t)size);
	while (error == EINTR);
	quiet_end(&quiet, error);
	return error ? -1 : 0;
}

int file_absolute(char *to, size_t size, const char *path)
{
	size_t length = 0;
	size_t tail = strlen(path);

	if (path[0] != '/') {
		if (!directory(to, size))
			return -1;
		length = strlen(to);
	}
	if (length + 1 + tail >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (length && to[length - 1] != '/')
		to[length++] = '/';
	memcpy(to + length, path, tail + 1);
	return 0;
}
