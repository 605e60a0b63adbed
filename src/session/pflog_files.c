/* SPDX-License-Identifier: MIT */
#include "session/pflog_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/filetype.h"
#include "session/manifest.h"

enum { NAMES = 100 /* that are tried */, OF_RUN = 2 };

/* How the files of earlier runs begin (output/pflog.c, output/prometheus.c). */
static const struct {
	char name[12];
	char extension[8];
	char start[20];
	char other_start[8]; /* in another form; "" if there is none */
} files[PFLOG_FILES] = {
	[PFLOG_TIMELINE] = {"timeline", ".log", "name:", ""},
	[PFLOG_METRICS] = {"metrics", ".log", "name:mem_used,", "pid:"},
	[PFLOG_PROMETHEUS] = {"metrics", ".prom", "# HELP computeprof_", ""},
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

/* Returns true if the error may be gone later: the program has all descriptors, or closed one. */
static bool is_passing(int error)
{
	return file_lacks_descriptors(error) || error == EBADF;
}

/* Returns 1 if there is a file at `path` that no process of this kind has written; OF_RUN if one of
 * the same run has, or the program prints to it; 0 if there is none, or it is of an earlier run; -1
 * with errno. An error of a directory is reported when the file is written. */
static int is_foreign(const char *path, enum pflog_file file)
{
	bool in_place = file == PFLOG_TIMELINE; /* also a FIFO or a device */
	const char *other = files[file].other_start;
	struct stat status;
	int begins;

	if (lstat(path, &status) || S_ISDIR(status.st_mode))
		return 0;
	if (!S_ISREG(status.st_mode))
		return !in_place;
	if (file_is_standard(&status))
		return OF_RUN;
	begins = filetype_begins(path, files[file].start, in_place);
	if (!begins && *other)
		begins = filetype_begins(path, other, false);
	if (begins < 0)
		return is_passing(errno) ? -1 : 1;
	if (!begins)
		return 1;
	return manifest_is_of_run(&status) ? OF_RUN : 0;
}

/* Returns as is_foreign for the first of the names that is taken, to which `file` is set. */
static int find_foreign(struct pflog_job *write, enum pflog_file *file)
{
	int found = 0;

	for (int i = 0; i < PFLOG_FILES && !found; i++) {
		if (i != PFLOG_TIMELINE && !write->text[i].length)
			continue;
		if (pflog_files_path(write, (enum pflog_file)i, write->tag, write->path))
			return -1;
		found = is_foreign(write->path, (enum pflog_file)i);
		*file = (enum pflog_file)i;
	}
	return found;
}

/* Opens timeline.log with this tag in its name. Returns -1 with errno: EBUSY if another process has
 * it open, EEXIST if there is a foreign file, at the name of `taken`. */
static int open_tagged(struct pflog_job *write, enum pflog_file *taken)
{
	int foreign = find_foreign(write, taken);
	bool empties = foreign > 0 && *taken == PFLOG_TIMELINE;

	if (foreign == OF_RUN || (foreign > 0 && !manifest_overwrites())) {
		errno = EEXIST;
		return -1;
	}
	*taken = PFLOG_TIMELINE;
	if (foreign < 0 || pflog_files_path(write, PFLOG_TIMELINE, write->tag, write->path) ||
	    linefile_open(&write->timeline, write->path, true, files[PFLOG_TIMELINE].start))
		return -1;
	if (empties && !ftruncate(write->timeline.file.fd, 0))
		write->timeline.size = 0;
	return 0;
}

/* Opens the first timeline.log that no other process has open, with names that no foreign file has.
 * Returns -1 with errno. */
static int open_first(struct pflog_job *write)
{
	enum pflog_file taken;

	make_directory(write);
	for (int try = write->tagged; try < NAMES; try++) {
		*write->tag = '\0';
		if (try == 1)
			snprintf(write->tag, sizeof(write->tag), ".%u", write->pid);
		else if (try)
			snprintf(write->tag, sizeof(write->tag), ".%u.%d", write->pid, try - 1);
		if (!open_tagged(write, &taken)) {
			write->renamed = try > write->tagged;
			return 0;
		}
		if (errno != EBUSY && errno != EEXIST)
			return -1;
		if (try == write->tagged)
			write->taken = taken;
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
