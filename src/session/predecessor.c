/* SPDX-License-Identifier: MIT */
#include "session/predecessor.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"
#include "base/say.h"
#include "session/identity.h"
#include "session/manifest.h"
#include "session/ringfile_path.h"
#include "session/ringfile_reader.h"
#include "settings/environ.h"
#include "settings/filename.h"

/* Returns true if this process made the ring file before an exec. */
static bool is_own(const struct ringfile_header *header, const struct stat *status)
{
	uint32_t pid = (uint32_t)getpid();

	return !memcmp(header->magic, RINGFILE_MAGIC, sizeof(header->magic)) &&
	       header->version == RINGFILE_VERSION && header->executing && header->pid == pid &&
	       header->process_start && header->process_start == identity_process_start(pid) &&
	       header->file_device == status->st_dev && header->file_inode == status->st_ino &&
	       status->st_uid == geteuid();
}

static bool has_totals(const struct ringfile_reader *reader)
{
	const struct segment *segment = NULL;

	while ((segment = ringfile_reader_next(reader, segment)))
		if (segment->kind == SEGMENT_TOTALS)
			return true;
	return false;
}

/* Returns true if it has neither records nor totals that the tool reads. */
static bool is_empty(int fd, const struct stat *status)
{
	struct ringfile_reader reader = {.size = (uint64_t)status->st_size};
	void *file = mmap(NULL, reader.size, PROT_READ, MAP_SHARED, fd, 0);
	bool empty;

	if (file == MAP_FAILED)
		return false;
	reader.header = file;
	empty = ringfile_reader_is_empty(&reader) &&
		!(env_kept(MANIFEST_VARIABLE) && has_totals(&reader));
	munmap(file, reader.size);
	return empty;
}

static void remove_open(const char *path, int fd)
{
	struct ringfile_header header = {0};
	struct stat status;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size < RINGFILE_PAGE ||
	    pread(fd, &header, sizeof(header), 0) != sizeof(header) || !is_own(&header, &status))
		return;
	if (is_empty(fd, &status))
		unlink(path);
	else if (!env_kept(MANIFEST_VARIABLE)) /* the tool does it */
		say_new("rows of process %u from before an exec are only in %s; run 'computeprof "
			"recover' to add them to its log",
			header.pid, path);
}

/* Returns true if a ring file with this number exists, so the next number must be tried. */
static bool look_at(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return false;
	remove_open(path, fd);
	close(fd);
	return true;
}

static void look_in(const char *directory)
{
	size_t size = strlen(directory) + RINGFILE_NAME;
	char *path = malloc(size);

	for (int try = 0; path && try < 100; try++)
		if (ringfile_name(path, size, directory, try) || !look_at(path))
			break;
	free(path);
}

/* The default name of a log is in the working directory. */
static void look_beside(const char *pattern)
{
	struct strbuf log = STRBUF_INIT;
	char *path, *slash;

	filename_expand(&log, pattern ? pattern : "log", 0, (uint32_t)getpid());
	path = file_absolute_copy(strbuf_text(&log));
	slash = path ? strrchr(path, '/') : NULL;
	if (slash) {
		slash[slash == path] = '\0';
		look_in(path);
	}
	free(path);
	strbuf_free(&log);
}

void predecessor_remove(void)
{
	struct environ_values values;
	const char *log = NULL;

	for (int api = 0; api < API_COUNT; api++) {
		const char *last = log;

		environ_read(&values, (enum api)api);
		log = values.value[ENVIRON_LOG];
		if (log && values.value[ENVIRON_TRACE] && !strcmp(log, "/dev/null"))
			log = values.value[ENVIRON_TRACE]; /* see ringfile_open */
		if (!api || log != last)
			look_beside(log);
	}
	look_in(RINGFILE_SHARED_MEMORY);
}
