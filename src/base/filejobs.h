/* SPDX-License-Identifier: MIT */
#ifndef BASE_FILEJOBS_H
#define BASE_FILEJOBS_H

#include "base/file.h"
#include "base/filethread.h"

/*
 * Jobs of the file thread on open files. A `struct file` that was opened in a job may be used in
 * jobs only: its descriptor belongs to that thread's table.
 */

/* Appends bytes to a file. Until file_send returns true, the file, the path and the bytes must not
 * be changed. */
struct file_append {
	struct file_job job;
	struct file *file;
	const char *path;
	uint64_t size; /* file size before the append */
	const char *bytes;
	size_t length;
	/* Called after an error: returns the number of the `done` bytes to keep; the rest is
	 * truncated. */
	size_t (*whole)(const struct file_append *append, size_t done);
	uint64_t replaced; /* bytes after `size` that are cut off before */
	/* results */
	size_t done; /* bytes that were written and kept */
	int error;   /* errno if that is less than `length` */
	bool torn;   /* truncating the rest failed */
	bool kept;   /* cutting off `replaced` failed: they are in the file and in `size` */
};

/* Returns false while the file system does not respond; call again with the same contents. */
bool file_send(struct file_append *append);

static inline bool file_is_sending(const struct file_append *append)
{
	return filethread_is_sent(&append->job);
}

/* Replaces bytes in the middle of a file; same rules as for file_append. */
struct file_overwrite {
	struct file_job job;
	const struct file *file;
	const char *path;
	uint64_t at;
	const void *bytes;
	size_t size;
	bool done; /* result: all bytes were written */
};

bool file_send_overwrite(struct file_overwrite *overwrite);

static inline bool file_is_overwriting(const struct file_overwrite *overwrite)
{
	return filethread_is_sent(&overwrite->job);
}

/* What other programs have done to an open file. */
enum file_damage {
	FILE_UNDAMAGED,
	FILE_REMOVED,	/* it has no name, and `path` names another file or none */
	FILE_SHORTENED, /* it has less than `size` bytes */
	FILE_MOVED,	/* `path` names another file */
};

/* FILE_UNDAMAGED if that cannot be checked now, and for files that are not regular. */
enum file_damage file_look(const struct file *file, const char *path, uint64_t size);

/* file_release and file_stamp as jobs; the wait for them is limited. `path` must stay valid. If the
 * job cannot be sent (another one is in progress, or there is no memory), the file stays open: call
 * again. */
void file_send_close(struct file *file);
void file_send_stamp(const struct file *file, const char *path, int64_t time);

#endif
