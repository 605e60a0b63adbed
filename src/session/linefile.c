/* SPDX-License-Identifier: MIT */
#include "session/linefile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BLOCK = 512,  /* bytes that are read at a time, backwards from the end, */
	BLOCKS = 128, /* and how often at most */
};

/* Opens the file once more, since its own descriptor is for writing only. Returns -1 if another one
 * is at `path`. */
static int open_for_reading(const struct linefile *line, const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &status) && status.st_dev == line->file.device &&
	    status.st_ino == line->file.inode)
		return fd;
	close(fd);
	return -1;
}

/* Returns the offset after the last newline; `size` if it is not found. */
static uint64_t find_end_of_lines(int fd, uint64_t size)
{
	char block[BLOCK];
	uint64_t end = size;

	for (int i = 0; i < BLOCKS && end; i++) {
		size_t want = end < BLOCK ? (size_t)end : BLOCK;

		if (pread(fd, block, want, (off_t)(end - want)) != (ssize_t)want)
			return size;
		for (size_t at = want; at; at--)
			if (block[at - 1] == '\n')
				return end - want + at;
		end -= want;
	}
	return end ? size : 0;
}

/* Returns true if the bytes from `from` to `to` are a part of a line, or the start of one. */
static bool is_part(int fd, uint64_t from, uint64_t to, const char *start)
{
	size_t length = strlen(start);
	char found[BLOCK];

	if (from == to)
		return false;
	if (length > to - from)
		length = (size_t)(to - from);
	return pread(fd, found, length, (off_t)from) == (ssize_t)length &&
	       !memcmp(found, start, length);
}

static void cut_last_line(struct linefile *line, const char *path, const char *start)
{
	int fd = line->size ? open_for_reading(line, path) : -1;
	uint64_t end;

	if (fd < 0)
		return;
	end = find_end_of_lines(fd, line->size);
	if (is_part(fd, end, line->size, start) && !ftruncate(line->file.fd, (off_t)end))
		line->size = end;
	close(fd);
}

int linefile_open(struct linefile *line, const char *path, bool create, const char *start)
{
	struct stat status;

	if (create ? file_open_log(&line->file, path, false)
		   : file_open_existing(&line->file, path))
		return -1;
	line->size = 0;
	if (line->file.regular && !fstat(line->file.fd, &status))
		line->size = (uint64_t)status.st_size;
	cut_last_line(line, path, start);
	return 0;
}

size_t linefile_append(struct linefile *line, const char *path, const char *bytes, size_t length)
{
	size_t done = file_append(&line->file, path, line->size, bytes, length);
	size_t whole = done;
	int error = errno;

	while (whole && done < length && bytes[whole - 1] != '\n')
		whole--;
	if (done > whole && ftruncate(line->file.fd, (off_t)(line->size + whole)))
		whole = done;
	line->size += whole;
	errno = error;
	return whole;
}
