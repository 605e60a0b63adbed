/* SPDX-License-Identifier: MIT */
#include "session/eventfile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/eventline.h"
#include "output/filetype.h"
#include "session/manifest.h"
#include "settings/filename.h"

enum {
	NAMES = 100,	  /* that are tried */
	TAG = 32,	  /* bytes of what a name gets */
	STREAM = 1 << 16, /* bytes that a socket gets at a time */
};

bool eventfile_may_open_later(int error)
{
	return error == ENXIO || error == ECONNREFUSED || error == EAGAIN || error == EBADF ||
	       error == EBUSY || file_lacks_descriptors(error);
}

/* Returns -1 with errno if the name does not fit. */
static int name(struct eventfile_job *write, int try)
{
	struct strbuf path = STRBUF_INIT;
	char tag[TAG];
	int result = 0;

	snprintf(tag, sizeof(tag), try > 1 ? "%u.%d" : "%u", write->pid, try - 1);
	if (try)
		filename_tag(&path, write->path, tag);
	else
		strbuf_string(&path, write->path);
	if (path.failed || path.length >= sizeof(write->used)) {
		errno = path.failed ? ENOMEM : ENAMETOOLONG;
		result = -1;
	} else {
		strcpy(write->used, strbuf_text(&path));
	}
	strbuf_free(&path);
	return result;
}

/* Sets `foreign` if there is a file that is no event stream and may be emptied (computeprof -f).
 * Returns -1 with errno: EEXIST if it is kept. */
static int look_at(const char *path, bool *foreign)
{
	struct stat status;
	int begins;

	*foreign = false;
	if (lstat(path, &status) || !S_ISREG(status.st_mode))
		return 0;
	begins = filetype_begins(path, EVENTLINE_START, false);
	if (begins > 0)
		return 0;
	if (begins < 0 && eventfile_may_open_later(errno))
		return -1;
	*foreign = manifest_overwrites() && !manifest_is_of_run(&status);
	if (!*foreign)
		errno = EEXIST;
	return *foreign ? 0 : -1;
}

/* Opens the file at `used`, for lines after those of an event stream. Returns as look_at. */
static int open_stream(struct eventfile_job *write)
{
	bool foreign;
	int error;

	if (look_at(write->used, &foreign) ||
	    linefile_open(&write->file, write->used, true, "{\"type\":"))
		return -1;
	if (!foreign)
		return 0;
	if (ftruncate(write->file.file.fd, 0)) {
		error = errno;
		file_close(&write->file.file);
		errno = error;
		return -1;
	}
	write->file.size = 0;
	return 0;
}

/* Opens the first name at which there is no other file, and that no other process has open. */
static int open_regular(struct eventfile_job *write)
{
	for (int try = write->tagged; try < NAMES; try++) {
		if (name(write, try))
			return -1;
		if (!open_stream(write)) {
			write->renamed = try > write->tagged;
			return 0;
		}
		if (errno != EBUSY && errno != EEXIST)
			return -1;
	}
	return -1;
}

/* The reader may have removed the FIFO or socket: no file is made in its place. */
static int open_other(struct eventfile_job *write, mode_t mode)
{
	enum filesocket kind;

	strcpy(write->used, write->path);
	if (S_ISSOCK(mode)) {
		if (filesocket_open(&write->file.file, write->path, &kind))
			return -1;
		write->kind = kind == FILESOCKET_STREAM ? EVENTFILE_STREAM : EVENTFILE_PACKETS;
		return 0;
	}
	if (linefile_open(&write->file, write->path, false, ""))
		return -1;
	write->kind = EVENTFILE_PIPE;
	return 0;
}

static int open_target(struct eventfile_job *write)
{
	struct stat status;
	bool is_there = !stat(write->path, &status);
	bool regular = is_there ? S_ISREG(status.st_mode) : errno == ENOENT;

	if (write->opened && regular != (write->last == EVENTFILE_REGULAR)) {
		errno = ENXIO;
		return -1;
	}
	/* Also what cannot be looked at: opening it gives the reason. */
	if (!is_there || regular) {
		if (open_regular(write))
			return -1;
		write->kind = EVENTFILE_REGULAR;
	} else if (open_other(write, status.st_mode)) {
		return -1;
	}
	if (!write->opened || write->kind != EVENTFILE_REGULAR)
		write->greeted = 0;
	write->last = write->kind;
	write->opened = true;
	return 0;
}

/* Returns the length of the line, or of its rest. */
static size_t line_length(const char *text, size_t size)
{
	const char *end = memchr(text, '\n', size);

	return end ? (size_t)(end + 1 - text) : size;
}

/* Returns how many bytes the next write has: whole lines, of which a pipe takes PIPE_BUF bytes as a
 * whole or not at all. */
static size_t next_size(enum eventfile_kind kind, const char *text, size_t size)
{
	size_t most = kind == EVENTFILE_PIPE ? PIPE_BUF : STREAM;
	size_t first = line_length(text, size), end = most;

	if (kind == EVENTFILE_PACKETS || first >= most)
		return first;
	if (size <= most)
		return size;
	while (text[end - 1] != '\n')
		end--;
	return end;
}

/* Returns 0, or the errno that ended it. */
static int send_bytes(struct eventfile_job *write, const struct strbuf *text, size_t *done)
{
	while (*done < text->length) {
		const char *at = text->data + *done;
		size_t size = next_size(write->kind, at, text->length - *done);
		size_t count = file_write_now(write->file.file.fd, at, size);

		*done += count;
		if (count)
			continue;
		if (errno != EMSGSIZE || write->kind != EVENTFILE_PACKETS)
			return errno;
		*done += size;
		write->dropped++;
	}
	return 0;
}

/* The next reader gets no rest of a line. */
static void end_line(struct eventfile_job *write)
{
	const struct strbuf *text = &write->text;

	if (!write->done || text->data[write->done - 1] == '\n')
		return;
	write->done += line_length(text->data + write->done, text->length - write->done);
	write->dropped++;
}

static int send_to_reader(struct eventfile_job *write)
{
	int error = EBADF; /* the program has closed or reused the descriptor */

	if (file_is_intact(&write->file.file)) {
		error = send_bytes(write, &write->hello, &write->greeted);
		if (!error)
			error = send_bytes(write, &write->text, &write->done);
	}
	if (error && error != EAGAIN && error != ENOBUFS) {
		file_close(&write->file.file);
		write->kind = EVENTFILE_CLOSED;
		end_line(write);
	}
	return error == ENOBUFS ? EAGAIN : error;
}

static int append(struct eventfile_job *write, const struct strbuf *text, size_t *done)
{
	size_t left = text->length - *done, count;

	if (!left)
		return 0;
	count = linefile_append(&write->file, write->used, text->data + *done, left);
	*done += count;
	return count < left ? errno : 0;
}

static int send_to_file(struct eventfile_job *write)
{
	int error = append(write, &write->hello, &write->greeted);

	return error ? error : append(write, &write->text, &write->done);
}

static void do_write(struct file_job *job)
{
	struct eventfile_job *write = (struct eventfile_job *)(void *)job;

	if (write->kind == EVENTFILE_CLOSED && open_target(write))
		write->error = errno;
	else if (write->kind == EVENTFILE_REGULAR)
		write->error = send_to_file(write);
	else
		write->error = send_to_reader(write);
}

bool eventfile_write(struct eventfile_job *write)
{
	if (!filethread_is_sent(&write->job))
		write->job.work = do_write;
	return filethread_run(&write->job);
}
