/* SPDX-License-Identifier: MIT */
#include "cli/run/memory_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/lines.h"

#define FOLDER "/proc/self/fd/"

static bool write_all(int file, const struct strbuf *bytes)
{
	return file_write(file, bytes->data, bytes->length) == bytes->length;
}

/* Returns the path of the open file, and closes it on failure. Half of the descriptors stay free: a
 * run may have any number of processes. */
static char *path_of(int file, const struct strbuf *bytes)
{
	struct rlimit limit;
	char path[64];

	snprintf(path, sizeof(path), FOLDER "%d", file);
	if (file >= 0 && !getrlimit(RLIMIT_NOFILE, &limit) && (rlim_t)file < limit.rlim_cur / 2 &&
	    write_all(file, bytes) && !access(path, R_OK))
		return strdup(path);
	if (file >= 0)
		close(file);
	return NULL;
}

/* Returns the path of a new file in `directory`. */
static char *make_in(const char *directory, const struct strbuf *bytes)
{
	struct strbuf name = STRBUF_INIT;
	char *path = NULL;
	int file;

	strbuf_printf(&name, "%s/computeprof.XXXXXX", directory);
	file = name.failed ? -1 : mkostemp(name.data, O_CLOEXEC);
	if (file >= 0 && write_all(file, bytes))
		path = strdup(name.data);
	if (file >= 0 && (close(file) || !path)) {
		unlink(name.data);
		free(path);
		path = NULL;
	}
	strbuf_free(&name);
	return path;
}

char *memory_file_make(const struct strbuf *bytes)
{
	const char *given = getenv("TMPDIR");
	const char *const directories[] = {"/dev/shm", given && *given ? given : "/tmp", "/tmp"};
	char *path = NULL;

	if (bytes->failed)
		return NULL;
	/* The C library has had memfd_create since 2.27 only. */
	path = path_of((int)syscall(SYS_memfd_create, "computeprof", MFD_CLOEXEC), bytes);
	for (size_t i = 0; !path && i < sizeof(directories) / sizeof(directories[0]); i++)
		path = make_in(directories[i], bytes);
	return path;
}

bool memory_file_is(const char *path)
{
	return !strncmp(path, FOLDER, sizeof(FOLDER) - 1);
}

char *memory_file_take(const char *path)
{
	struct strbuf bytes = STRBUF_INIT;
	char *made = NULL;

	if (!lines_read_file(&bytes, path))
		made = memory_file_make(&bytes);
	unlink(path);
	strbuf_free(&bytes);
	return made;
}

int memory_file_save(const char *path, const char *to)
{
	struct strbuf bytes = STRBUF_INIT;
	int file = -1, result = -1;

	if (!lines_read_file(&bytes, path))
		file = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file >= 0)
		result = write_all(file, &bytes) ? 0 : -1;
	if (file >= 0 && (close(file) || result)) {
		unlink(to);
		result = -1;
	}
	strbuf_free(&bytes);
	return result;
}

void memory_file_free(char *path)
{
	if (path && memory_file_is(path))
		close(atoi(path + sizeof(FOLDER) - 1));
	else if (path)
		unlink(path);
	free(path);
}
