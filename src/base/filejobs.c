/* SPDX-License-Identifier: MIT */
#include "base/filejobs.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/overwrite.h"

/* Cuts off an incomplete last line; not after EPIPE, since a FIFO cannot be truncated. */
static void cut(struct file_append *append)
{
	size_t whole = append->whole(append, append->done);

	append->torn = append->done > whole && append->file->fd >= 0 && append->error != EPIPE &&
		       ftruncate(append->file->fd, (off_t)(append->size + whole));
	append->done = whole;
}

static void replace(struct file_append *append)
{
	const struct file *file = append->file;

	if (!file_is_intact(file))
		file_reopen(append->file, append->path);
	append->kept = !file_is_intact(file) || ftruncate(file->fd, (off_t)append->size);
	if (append->kept)
		append->size += append->replaced;
	append->replaced = 0;
}

static void do_append(struct file_job *job)
{
	struct file_append *append = (struct file_append *)(void *)job;

	append->torn = false;
	if (append->replaced)
		replace(append);
	append->done = file_append(append->file, append->path, append->size, append->bytes,
				   append->length);
	append->error = errno;
	if (append->done < append->length)
		cut(append);
}

bool file_send(struct file_append *append)
{
	if (!file_is_sending(append)) /* otherwise the file thread reads it */
		append->job.work = do_append;
	return filethread_run(&append->job);
}

static void do_overwrite(struct file_job *job)
{
	struct file_overwrite *overwrite = (struct file_overwrite *)(void *)job;

	overwrite->done = !overwrite_bytes(overwrite->file, overwrite->path, overwrite->at,
					   overwrite->bytes, overwrite->size);
}

bool file_send_overwrite(struct file_overwrite *overwrite)
{
	if (!file_is_overwriting(overwrite))
		overwrite->job.work = do_overwrite;
	return filethread_run(&overwrite->job);
}

/* A job whose caller does not wait for the result. */
struct detached_job {
	struct file_job job;
	struct file file;
	const char *path;
	int64_t time;
	uint64_t size;		 /* of do_look: the least size, and the result */
	enum file_damage damage;
};

static void do_close(struct file_job *job)
{
	file_release(&((struct detached_job *)(void *)job)->file);
}

static void do_stamp(struct file_job *job)
{
	const struct detached_job *errand = (const struct detached_job *)(const void *)job;

	file_stamp(&errand->file, errand->path, errand->time);
}

/* Some file systems always report a link count of 0. */
static void do_look(struct file_job *job)
{
	struct detached_job *errand = (struct detached_job *)(void *)job;
	struct stat status, named;
	bool none, other;

	if (!file_is_intact(&errand->file) || fstat(errand->file.fd, &status) ||
	    !S_ISREG(status.st_mode))
		return;
	none = lstat(errand->path, &named);
	other = !none && (named.st_dev != status.st_dev || named.st_ino != status.st_ino);
	if (!status.st_nlink && (none || other))
		errand->damage = FILE_REMOVED;
	else if ((uint64_t)status.st_size < errand->size)
		errand->damage = FILE_SHORTENED;
	else if (other)
		errand->damage = FILE_MOVED;
}

static void dispose(struct file_job *job)
{
	memory_unmap(job, sizeof(struct detached_job));
}

/* Runs a copy of the job, which gets the results if it is done. */
static enum file_job_state run(struct detached_job *wish)
{
	struct detached_job *errand = memory_map(sizeof(*errand));
	enum file_job_state state;

	if (!errand)
		return JOB_IDLE;
	*errand = *wish;
	errand->job.dispose = dispose;
	state = filethread_try(&errand->job);
	if (state == JOB_ABANDONED)
		return state;
	wish->damage = errand->damage;
	dispose(&errand->job);
	return state;
}

enum file_damage file_look(const struct file *file, const char *path, uint64_t size)
{
	struct detached_job look = {
		.job.work = do_look, .file = *file, .path = path, .size = size};

	return run(&look) == JOB_DONE ? look.damage : FILE_UNDAMAGED;
}

void file_send_close(struct file *file)
{
	struct detached_job closing = {.job.work = do_close, .file = *file};

	if (file->fd >= 0 && run(&closing) != JOB_IDLE)
		file->fd = -1;
}

void file_send_stamp(const struct file *file, const char *path, int64_t time)
{
	struct detached_job stamp = {
		.job.work = do_stamp, .file = *file, .path = path, .time = time};

	run(&stamp);
}
