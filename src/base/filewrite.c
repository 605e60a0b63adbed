/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sigmask.h"

/* Writes to files, although the program may close or reuse the descriptors meanwhile. */

/* Returns true if fd becomes writable within a second. Signals do not extend or end the wait. */
static bool wait_writable(int fd)
{
	struct pollfd writable = {.fd = fd, .events = POLLOUT};
	int count;

	do
		count = poll(&writable, 1, 1000);
	while (count < 0 && errno == EINTR);
	errno = EAGAIN;
	/* The next write reports errors, such as a missing reader. */
	return count == 1;
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

	sigmask_begin(&quiet);
	done = write_all(fd, bytes, size);
	sigmask_end(&quiet, done < size ? errno : 0);
	return done;
}

size_t file_write_now(int fd, const char *bytes, size_t size)
{
	struct quiet quiet;
	ssize_t count;

	sigmask_begin(&quiet);
	do
		count = write(fd, bytes, size);
	while (count < 0 && errno == EINTR);
	sigmask_end(&quiet, count < 0 ? errno : 0);
	return count < 0 ? 0 : (size_t)count;
}

/* Returns the number of the last `done` bytes that are in the file, which was `size` bytes long
 * before the write. For files that are not regular, all count. */
static size_t arrived(const struct file *file, uint64_t size, size_t done)
{
	struct stat status;
	uint64_t now;

	if (fstat(file->fd, &status) || !S_ISREG(status.st_mode))
		return done;
	now = (uint64_t)status.st_size;
	return now < size || now > size + done ? done : (size_t)(now - size);
}

enum { MOST_PAUSES = 1000 }; /* of 1 ms, while a file is locked */

/* Returns true after a pause if the lock may be released later: a child between fork and exec, or a
 * close that has not returned yet, may hold it. */
static bool wait_for_lock(int *pauses)
{
	int error = errno;

	if (error != EBUSY || *pauses == MOST_PAUSES)
		return false;
	++*pauses;
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	errno = error;
	return true;
}

/* A log that the library closed was not locked meanwhile, so another process may have replaced its
 * contents. */
static int open_closed(struct file *file, const char *path, uint64_t size)
{
	struct stat status;

	if (file_reopen(file, path))
		return -1;
	if (!file->regular || fstat(file->fd, &status) || (uint64_t)status.st_size == size)
		return 0;
	file_close(file);
	errno = ESTALE;
	return -1;
}

/* The program may replace the descriptor at any moment, also between two statements. The file is
 * checked before and after the write: if it is the same, the write went to it. */
size_t file_append(struct file *file, const char *path, uint64_t size, const char *bytes,
		   size_t length)
{
	size_t done = 0;
	int pauses = 0;

	for (int try = 0; try < FILE_TRIES; try++) {
		int error;

		if (!file_is_intact(file)) {
			bool was_closed = file->fd < 0 && !done;

			if (!(was_closed ? open_closed(file, path, size) : file_reopen(file, path)))
				done = arrived(file, size, done);
			else if (wait_for_lock(&pauses))
				try--;
			else if (errno != EBADF)
				break;
			continue;
		}
		if (done == length)
			break;
		done += file_write(file->fd, bytes + done, length - done);
		error = errno;
		if (done < length && file_is_intact(file)) {
			errno = error;
			break;
		}
	}
	return done;
}

int file_allocate(int fd, uint64_t from, uint64_t size)
{
	struct quiet quiet;
	int error;

	sigmask_begin(&quiet);
	do
		error = posix_fallocate(fd, (off_t)from, (off_t)size);
	while (error == EINTR);
	sigmask_end(&quiet, error);
	if (error)
		errno = error;
	return error ? -1 : 0;
}
