/* SPDX-License-Identifier: MIT */
#include "backend/opencl/lines_included.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend/opencl/lines_table.h"
#include "base/file.h"

enum { FILE_MOST = 64 << 20, PART = 1 << 16 };

/* At the first build of a program. The kernel stamps changes of files with this clock. */
static struct timespec began;
static struct stat folder; /* the working directory */
static bool has_began, has_moved;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Notes another working directory: names of files, and PoCL's -I., start there. */
static void look_at_folder(void)
{
	struct stat now;

	has_moved |= stat(".", &now) || now.st_dev != folder.st_dev || now.st_ino != folder.st_ino;
}

void lines_included_build(void)
{
	int error = errno;

	pthread_mutex_lock(&lock);
	if (!has_began) {
		has_began = !clock_gettime(CLOCK_REALTIME_COARSE, &began);
		has_moved = stat(".", &folder) != 0;
	}
	look_at_folder();
	pthread_mutex_unlock(&lock);
	errno = error;
}

static bool is_before(const struct timespec *time, const struct timespec *limit)
{
	return time->tv_sec < limit->tv_sec ||
	       (time->tv_sec == limit->tv_sec && time->tv_nsec < limit->tv_nsec);
}

static bool read_all(struct strbuf *to, int fd)
{
	ssize_t size;
	char *room;

	do {
		room = strbuf_reserve(to, PART);
		size = room && to->length < FILE_MOST ? read(fd, room, PART) : -1;
		to->length += size > 0 ? (size_t)size : 0;
	} while (size > 0 || (size < 0 && room && errno == EINTR));
	return !size;
}

/* Reads a file. Returns what is the matter with it, or NULL. */
static const char *read_file(struct lines_included *file)
{
	const char *path = strbuf_text(&file->path), *matter = "cannot be read again";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct file opened = FILE_CLOSED;
	struct stat status;

	if (fd < 0 || file_adopt(&opened, fd, path))
		return matter;
	if (!fstat(opened.fd, &status) && S_ISREG(status.st_mode) &&
	    read_all(&file->text, opened.fd))
		matter = is_before(&status.st_ctim, &began)
				 ? NULL
				 : "has changed since the program built the first source";
	file_close(&opened);
	return matter;
}

static const char *read_files(struct lines_included **list, const char *rewritten,
			      struct strbuf *room)
{
	struct lines_included *file;
	const char *path, *matter;
	size_t length;

	while ((path = lines_table_included(&rewritten, &length))) {
		file = calloc(1, sizeof(*file));
		if (!file)
			return "there is no memory";
		file->next = *list;
		*list = file;
		strbuf_append(&file->path, path, length);
		matter = read_file(file);
		if (matter) {
			strbuf_printf(room, "the included file %s %s", strbuf_text(&file->path),
				      matter);
			return strbuf_text(room);
		}
	}
	return NULL;
}

const char *lines_included_read(struct lines_included **list, const char *rewritten,
				struct strbuf *room)
{
	const char *reason = NULL, *at = rewritten;
	size_t length;

	if (!lines_table_included(&at, &length))
		return NULL;
	pthread_mutex_lock(&lock);
	look_at_folder();
	if (!has_began)
		reason = "its source includes files, and was built before recording began";
	else if (has_moved)
		reason = "its source includes files, and the program has changed its working "
			 "directory";
	else
		reason = read_files(list, rewritten, room);
	pthread_mutex_unlock(&lock);
	return reason;
}

void lines_included_free(struct lines_included *list)
{
	struct lines_included *next;

	for (; list; list = next) {
		next = list->next;
		strbuf_free(&list->path);
		strbuf_free(&list->text);
		free(list);
	}
}

const char *lines_included_text(struct lines_included *list, const char *path, size_t length)
{
	for (; list; list = list->next)
		if (list->path.length == length && !memcmp(list->path.data, path, length))
			return strbuf_text(&list->text);
	return NULL;
}
