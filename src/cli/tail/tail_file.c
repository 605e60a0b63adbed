/* SPDX-License-Identifier: MIT */
#include "cli/tail/tail_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void tail_file_init(struct tail_file *file, const char *path)
{
	*file = (struct tail_file){.path = path, .fd = -1};
}

static void close_fd(struct tail_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

void tail_file_close(struct tail_file *file)
{
	close_fd(file);
	free(file->bytes);
}

static ssize_t read_at(int fd, char *to, size_t size, uint64_t at)
{
	ssize_t got;

	do
		got = pread(fd, to, size, (off_t)at);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Returns true if `bytes` begin with the last bytes that were read. */
static bool has_mark(const struct tail_file *file, const char *bytes, ssize_t got)
{
	return got >= (ssize_t)file->mark_size && !memcmp(bytes, file->mark, file->mark_size);
}

/* The size alone is not sufficient: another run may have written more bytes than were read. */
static bool is_rewritten(const struct tail_file *file)
{
	char now[TAIL_FILE_MARK];
	ssize_t got = read_at(file->fd, now, file->mark_size, file->marked - file->mark_size);

	return got >= 0 && !has_mark(file, now, got);
}

enum tail_change tail_file_check(struct tail_file *file)
{
	struct stat status;

	if (stat(file->path, &status)) {
		if (file->fd < 0)
			return TAIL_ABSENT;
	} else if (file->fd < 0 || status.st_dev != file->device || status.st_ino != file->inode) {
		return TAIL_OTHER;
	}
	return is_rewritten(file) ? TAIL_REWRITTEN : TAIL_SAME;
}

static const char *why_unusable(const struct stat *status)
{
	struct stat output;

	if (!S_ISREG(status->st_mode))
		return "is not a regular file";
	if (!fstat(STDOUT_FILENO, &output) && output.st_dev == status->st_dev &&
	    output.st_ino == status->st_ino)
		return "is also the output";
	return NULL;
}

int tail_file_open(struct tail_file *file, const char **reason)
{
	struct stat status;

	close_fd(file);
	file->at = file->marked = file->mark_size = 0;
	file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file->fd < 0 || fstat(file->fd, &status)) {
		*reason = NULL;
		close_fd(file);
		return -1;
	}
	file->device = status.st_dev;
	file->inode = status.st_ino;
	*reason = why_unusable(&status);
	if (!*reason)
		return 0;
	close_fd(file);
	return -1;
}

/* Doubles the buffer. Returns -1 with errno. */
static int grow(struct tail_file *file)
{
	size_t room = file->room ? 2 * file->room : TAIL_FILE_BLOCK;
	char *bytes;

	errno = EFBIG;
	if (room > TAIL_FILE_LINE)
		return -1;
	bytes = realloc(file->bytes, room);
	if (!bytes)
		return -1;
	file->bytes = bytes;
	file->room = room;
	return 0;
}

static void set_mark(struct tail_file *file, const char *end, size_t size)
{
	file->mark_size = size < TAIL_FILE_MARK ? size : TAIL_FILE_MARK;
	memcpy(file->mark, end - file->mark_size, file->mark_size);
	file->marked = file->at;
}

/* The mark is read again together with what follows it: the file may be rewritten at any moment. */
ssize_t tail_file_lines(struct tail_file *file, const char **lines)
{
	size_t before = file->at == file->marked ? file->mark_size : 0;

	if (!file->room && grow(file))
		return -1;
	for (;;) {
		ssize_t got = read_at(file->fd, file->bytes, file->room, file->at - before);
		const char *start = file->bytes + before, *end;

		if (got < 0)
			return -1;
		if (before && !has_mark(file, file->bytes, got))
			return 0;
		end = memrchr(start, '\n', (size_t)got - before);
		if (end) {
			size_t size = (size_t)(end - start) + 1;

			*lines = start;
			file->at += size;
			set_mark(file, end + 1, size);
			return (ssize_t)size;
		}
		if ((size_t)got < file->room)
			return 0;
		if (grow(file))
			return -1;
	}
}
