/* SPDX-License-Identifier: MIT */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Files opened inside somebody else's process. Descriptors lie at 200 and above and are
 * close-on-exec; no link is followed, no terminal taken, no FIFO waited for.
 */
enum {
	FILE_LOWEST = 200,
	FILE_HIGHEST = 4096,
	FILE_TRIES = 16, /* to get or to keep a number that the program takes away meanwhile */
};

struct file {
	int fd;	    /* -1: not open */
	int lowest; /* its number is this or higher, where the process may have so many */
	dev_t device;
	ino_t inode;
	bool regular;
};

#define FILE_CLOSED ((struct file){.fd = -1, .lowest = FILE_LOWEST})

/*
 * Opens `path` to append whole lines. A regular file must be the caller's to write, have one link
 * and be locked by nobody else; it is locked and, with `truncate`, emptied. /dev/null and other
 * character devices and a FIFO with a reader are taken as they are.
 * 0, or -1 with errno: EBUSY when another process has it locked, ELOOP for a symbolic link, EMLINK
 * for several links, ENXIO for a FIFO without a reader, ENOTSUP for a disk, EBADF when the program
 * takes every number that it gets, and what open gives.
 */
int file_open_log(struct file *file, const char *path, bool truncate);

/* The same for a file that is there and is not changed, and for one that is not there yet. */
int file_open_existing(struct file *file, const char *path);
int file_open_new(struct file *file, const char *path);
void file_close(struct file *file);

/* Whether fd is still the file that was opened (the program may have closed or reused it). */
bool file_is_intact(const struct file *file);

struct stat;

/* What makes a file that is there unfit to be a log, but for a lock; 0 or an errno. */
int file_unfit(const char *path, const struct stat *status);

/* What `error`, from opening a log, means in words. */
const char *file_reason(int error);

/* Makes `time` (CLOCK_REALTIME ns) the moment at which the file at `path` was last written. */
void file_stamp(const struct file *file, const char *path, int64_t time);

/* Whether the descriptor, and with it the lock, outlives an exec. */
void file_keep_over_exec(const struct file *file, bool keep);

/* Opens `path` again if it is there and still the same file; at another number, if the program took
 * that away. 0, or -1 with errno: ESTALE for another file; EBADF, or EBUSY while the lock outlives
 * the descriptor by a moment, when it may be there the next time; and what file_open_log gives. */
int file_reopen(struct file *file, const char *path);

/* Writes everything unless an error stops it; returns how many bytes went out. EINTR is retried,
 * EAGAIN waited for up to a second, SIGPIPE and SIGXFSZ kept away from the program. errno says why
 * it stopped. */
size_t file_write(int fd, const char *bytes, size_t size);

/* Appends to the file that file_open_log opened at `path` and that is `size` bytes long, opening it
 * again where the program has closed the descriptor or put something else in its place; returns as
 * file_write. */
size_t file_append(struct file *file, const char *path, uint64_t size, const char *bytes,
		   size_t length);

/* Gives the file disk space for `size` bytes from `from` on. 0, or -1 with errno; a limit on file
 * sizes is an error and no signal. */
int file_allocate(int fd, uint64_t from, uint64_t size);

/* Takes over `fd`, which was opened at `path` a moment ago, moved to FILE_LOWEST or above and
 * close-on-exec where that can be. 0; or -1 with EBADF where the program has closed the number or
 * taken it for a file of its own: then it is left alone. */
int file_adopt(struct file *file, int fd, const char *path);

/* The directory that `path` lies in, into `to` of `size` bytes; -1 if that is too small. */
int file_directory(char *to, size_t size, const char *path);

/* Makes the working directory of now the one that relative paths start from, whatever the program
 * does later. To be called once, early. */
void file_remember_directory(void);

/* `path` made absolute into `to` of `size` bytes; -1 with errno if it does not fit. */
int file_absolute(char *to, size_t size, const char *path);

#endif
