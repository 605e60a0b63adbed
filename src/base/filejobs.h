/* SPDX-License-Identifier: MIT */
#ifndef BASE_FILEJOBS_H
#define BASE_FILEJOBS_H

#include "base/file.h"
#include "base/filethread.h"

/*
 * What is done to open files, by the file thread. A `struct file` that was opened in a job is used
 * in jobs only: its number is one of that thread's table.
 */

/* Bytes on their way to the end of a file. Until file_send returns true nobody touches the file,
 * the path or the bytes. */
struct file_append {
	struct file_job job;
	struct file *file;
	const char *path;
	uint64_t size; /* of the file before */
	const char *bytes;
	size_t length;
	/* How many of `done` bytes are to stay where an error stopped it: the rest is cut off. */
	size_t (*whole)(const struct file_append *append, size_t done);
	/* results */
	size_t done; /* bytes that went out and stay */
	int error;   /* errno, if these are not all */
	bool torn;   /* the rest could not be cut off */
};

/* False while the file system does not answer: to be called again, with the same contents. */
bool file_send(struct file_append *append);

static inline bool file_is_sending(const struct file_append *append)
{
	return filethread_is_sent(&append->job);
}

/* Bytes that replace some in the middle of a file, as with file_append. */
struct file_overwrite {
	struct file_job job;
	const struct file *file;
	const char *path;
	uint64_t at;
	const void *bytes;
	size_t size;
	bool done; /* result: all of them are in the file */
};

bool file_send_overwrite(struct file_overwrite *overwrite);

static inline bool file_is_overwriting(const struct file_overwrite *overwrite)
{
	return filethread_is_sent(&overwrite->job);
}

/* Whether the open file has no name any more, and `path` is none of it. Where that cannot be asked
 * now, false. */
bool file_was_removed(const struct file *file, const char *path);

/* file_close, and file_stamp; they wait for it, but with a bound. `path` stays. A file that cannot
 * be sent (another job is on its way, or there is no memory) stays open: to be called again. */
void file_send_close(struct file *file);
void file_send_stamp(const struct file *file, const char *path, int64_t time);

#endif
