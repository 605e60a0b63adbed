/* SPDX-License-Identifier: MIT */
#include "session/pflog_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES = 100 /* that are tried */ };

static const struct {
	char name[12];
	char extension[8];
} files[PFLOG_FILES] = {
	[PFLOG_TIMELINE] = {"timeline", ".log"},
	[PFLOG_METRICS] = {"metrics", ".log"},
	[PFLOG_PROMETHEUS] = {"metrics", ".prom"},
};

int pflog_files_path(const struct pflog_job *write, enum pflog_file file, const char *tag,
		     char *to)
{
	int length = snprintf(to, PFLOG_PATH, "%s/%s%s%s", write->directory, files[file].name, tag,
			      files[file].extension);

	if (length < PFLOG_PATH)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

/* Makes the directory and those above it. Errors are found when a file is opened in it. */
static void make_directory(struct pflog_job *write)
{
	char *path = strcpy(write->path, write->directory);

	for (char *slash = path; slash; *slash = '/') {
		slash = strchr(slash + 1, '/');
		if (!slash)
			break;
		*slash = '\0';
		mkdir(path, 0777);
	}
	mkdir(path, 0777);
}

/* Opens the first timeline.log that no other process has open. Returns -1 with errno. */
static int open_first(struct pflog_job *write)
{
	make_directory(write);
	for (int try = write->tagged; try < NAMES; try++) {
		*write->tag = '\0';
		if (try == 1)
			snprintf(write->tag, sizeof(write->tag), ".%u", write->pid);
		else if (try)
			snprintf(write->tag, sizeof(write->tag), ".%u.%d", write->pid, try - 1);
		if (pflog_files_path(write, PFLOG_TIMELINE, write->tag, write->path))
			return -1;
		if (!linefile_open(&write->timeline, write->path, true, "name:")) {
			write->renamed = try > write->tagged;
			return 0;
		}
		if (errno != EBUSY)
			return -1;
	}
	return -1;
}

static int append(struct pflog_job *write)
{
	const struct strbuf *text = &write->text[PFLOG_TIMELINE];

	if (pflog_files_path(write, PFLOG_TIMELINE, write->tag, write->path))
		return errno;
	write->done = linefile_append(&write->timeline, write->path, text->data, text->length);
	return write->done < text->length ? errno : 0;
}

/* Writes the file at `other` and renames it to `path`, so that a reader never sees a part. */
static int replace(struct pflog_job *write, const struct strbuf *text)
{
	struct file file = FILE_CLOSED;
	int error = 0;

	if (file_open_log(&file, write->other, true))
		return errno;
	if (file_append(&file, write->other, 0, text->data, text->length) < text->length)
		error = errno;
	file_close(&file);
	if (!error && rename(write->other, write->path))
		error = errno;
	if (error)
		unlink(write->other);
	return error;
}

static int replace_file(struct pflog_job *write, enum pflog_file file)
{
	int length;

	if (!write->text[file].length)
		return 0;
	if (pflog_files_path(write, file, write->tag, write->path))
		return errno;
	length = snprintf(write->other, PFLOG_PATH, "%s/.%s%s%s.new", write->directory,
			  files[file].name, write->tag, files[file].extension);
	return length < PFLOG_PATH ? replace(write, &write->text[file]) : ENAMETOOLONG;
}

static void do_write(struct file_job *job)
{
	struct pflog_job *write = (struct pflog_job *)(void *)job;

	write->done = 0;
	memset(write->errors, 0, sizeof(write->errors));
	if (!write->opened && open_first(write)) {
		write->errors[PFLOG_TIMELINE] = errno;
		return;
	}
	write->opened = true;
	if (write->text[PFLOG_TIMELINE].length)
		write->errors[PFLOG_TIMELINE] = append(write);
	for (int file = PFLOG_METRICS; file < PFLOG_FILES; file++)
		write->errors[file] = replace_file(write, (enum pflog_file)file);
}

bool pflog_files_write(struct pflog_job *write)
{
	if (!filethread_is_sent(&write->job))
		write->job.work = do_write;
	return filethread_run(&write->job);
}
