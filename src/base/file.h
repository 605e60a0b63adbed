/* SPDX-License-Identifier: MIT */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Files opened inside a foreign process. Descriptors are 200 and above and close-on-exec. Symbolic
 * links are not followed, a terminal does not become the controlling terminal, and opening a FIFO
 * does not block.
 */
enum {
	FILE_LOWEST = 200,
	FILE_HIGHEST = 4096,
	FILE_TRIES = 16, /* attempts to get or keep a descriptor that the program closes or
			  * reuses */
};

struct file {
	int fd;	    /* -1: not open */
	int lowest; /* lower bound of its number, within the process's limit */
	dev_t device;
	ino_t inode;
	bool regular;
};

#define FILE_CLOSED ((struct file){.fd = -1, .lowest = FILE_LOWEST})

struct stat;

/* Notes which files the standard input, output and error are. Call at the start of the process. */
void file_note_standard(void);

/* Returns true if the file is one of them, and a regular one. */
bool file_is_standard(const struct stat *status);

/*
 * Opens `path` for appending whole lines. A regular file must be writable by the caller, have
 * one link, not be locked by another process, and not be one that file_note_standard has noted.
 * It is locked and, with `truncate`, emptied. Character devices such as /dev/null, and FIFOs
 * with a reader, are used unchanged.
 * Returns 0, or -1 with errno: EBUSY when another process has locked it or it is a noted one,
 * ELOOP for a symbolic link, EMLINK for several links, ENXIO for a FIFO without a reader,
 * ENOTSUP for a block device, EBADF when the program closes or reuses every descriptor, and the
 * errors of open.
 */
int file_open_log(struct file *file, const char *path, bool truncate);

/* As file_open_log: file_open_existing for an existing file, which is not changed, file_open_new
 * for a file that must not exist. */
int file_open_existing(struct file *file, const char *path);
int file_open_new(struct file *file, const char *path);
void file_close(struct file *file);

/* As file_close, for the process that has opened the file: releases its lock even if a forked child
 * has a copy of the descriptor. */
void file_release(struct file *file);

/* Returns true if fd still is the file that was opened. The program may have closed or reused
 * it. */
bool file_is_intact(const struct file *file);

/* Returns true if `error`, an errno, is that of a full table of descriptors. */
bool file_lacks_descriptors(int error);

/* Returns 0 if an existing file may be used as a log, or an errno. Locks are not checked. */
int file_why_no_log(const char *path, const struct stat *status);

/* Returns true if another user may have put the file there, in order to read or change it: it is
 * theirs, and in a sticky directory that others can write to. */
bool file_is_planted(const char *path, const struct stat *file);

/* Returns a description of `error`, an errno of opening a log. */
const char *file_reason(int error);

/* Sets the modification time of the file at `path` to `time` (CLOCK_REALTIME ns). */
void file_stamp(const struct file *file, const char *path, int64_t time);

/* Sets whether the descriptor, and its lock, survive an exec. */
void file_keep_over_exec(const struct file *file, bool keep);

/* Opens `path` again if it exists and is the same file, at another number if the program took the
 * old one. Returns 0, or -1 with errno: ESTALE for another file; EBADF, or EBUSY while the lock
 * outlives the descriptor for a moment, may succeed later; also the errors of file_open_log. */
int file_reopen(struct file *file, const char *path);

/* Writes all bytes unless an error occurs. Returns the number of bytes written; errno is set if it
 * is short. EINTR is retried, EAGAIN waits for up to a second, SIGPIPE and SIGXFSZ do not reach the
 * program. */
size_t file_write(int fd, const char *bytes, size_t size);

/* Writes what a FIFO or socket takes at once, and never waits; a packet is taken as a whole.
 * Returns the number of bytes, 0 with errno (EAGAIN: it is full). Signals as in file_write. */
size_t file_write_now(int fd, const char *bytes, size_t size);

/* Appends to the file that file_open_log opened at `path`, whose size is `size` bytes. Opens it
 * again if the program has closed or reused the descriptor. Returns as file_write. */
size_t file_append(struct file *file, const char *path, uint64_t size, const char *bytes,
		   size_t length);

/* Allocates disk space for `size` bytes from offset `from` on. Returns 0, or -1 with errno. A file
 * size limit gives an error without a signal. */
int file_allocate(int fd, uint64_t from, uint64_t size);

/* Takes ownership of `fd`, which was just opened at `path`, or is a socket (NULL). Moves it to
 * FILE_LOWEST or above and sets close-on-exec where possible. Returns 0, or -1 with EBADF if the
 * program has closed or reused the number, which is then left alone. */
int file_adopt(struct file *file, int fd, const char *path);

/* Writes the directory part of `path` to `to` of `size` bytes; -1 if it does not fit. */
int file_directory(char *to, size_t size, const char *path);

/* Returns true if `directory` is the one that `path` is in. The file need not exist. */
bool file_is_in(const char *path, const char *directory);

/* Stores the current working directory as the base of relative paths. Call once and early. */
void file_remember_directory(void);

/* Writes the absolute form of `path` to `to` of `size` bytes; -1 with errno if it does not fit. */
int file_absolute(char *to, size_t size, const char *path);

/* As file_absolute, in malloc'ed memory, since threads may have small stacks. NULL with errno. */
char *file_absolute_copy(const char *path);

/* Returns a name, malloc'ed, for a relative `path` whose working directory was removed: Linux shows
 * the directory as "/former/path (deleted)". No file can be created there. NULL with errno. */
char *file_in_removed(const char *path);

#endif
