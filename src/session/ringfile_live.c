/* SPDX-License-Identifier: MIT */
#include "session/ringfile_live.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/frames.h"
#include "session/ringfile_path.h"
#include "session/ringfile_reader.h"

enum { CHUNK = 4 << 20 /* bytes of frames at a time, and of the largest one */ };

/* Returns the reason why the open file is not read, or NULL. */
static const char *why_not(struct ringfile_live *ring, const struct stat *status)
{
	const char *why;

	if (!S_ISREG(status->st_mode) || status->st_size < RINGFILE_PAGE ||
	    !ringfile_live_read(ring, &ring->header, sizeof(ring->header), 0))
		return "is not a ring file of computeprof";
	if (status->st_uid != geteuid())
		return "belongs to another user";
	why = ringfile_reader_check(&ring->header);
	return why ? why : ringfile_reader_distrust(&ring->header, ring->fd, status);
}

int ringfile_live_open(struct ringfile_live *ring, const char *path, struct strbuf *reason)
{
	const char *why = NULL;
	struct stat status;

	*ring = (struct ringfile_live){.end = RINGFILE_PAGE};
	ring->fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (ring->fd >= 0 && !fstat(ring->fd, &status)) {
		why = why_not(ring, &status);
		if (!why)
			return 0;
		strbuf_printf(reason, "%s %s", path, why);
	} else {
		strbuf_printf(reason, "cannot open %s: %s", path, strerror(errno));
	}
	ringfile_live_close(ring);
	return -1;
}

void ringfile_live_close(struct ringfile_live *ring)
{
	if (ring->fd >= 0)
		close(ring->fd);
	ring->fd = -1;
}

bool ringfile_live_is_file(const struct ringfile_live *ring, const struct stat *status)
{
	return ring->header.file_device == status->st_dev &&
	       ring->header.file_inode == status->st_ino;
}

bool ringfile_live_read(const struct ringfile_live *ring, void *to, uint64_t size, uint64_t at)
{
	char *place = to;

	while (size) {
		ssize_t got = pread(ring->fd, place, size, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		place += got;
		at += (uint64_t)got;
		size -= (uint64_t)got;
	}
	return true;
}

bool ringfile_live_next(struct ringfile_live *ring, struct ringfile_live_segment *segment)
{
	struct segment header;
	struct stat status;

	if (!ringfile_live_read(ring, &header, sizeof(header), ring->end) ||
	    header.magic != SEGMENT_MAGIC || header.size < sizeof(header) ||
	    header.size % RINGFILE_PAGE || fstat(ring->fd, &status) ||
	    (uint64_t)status.st_size < ring->end ||
	    header.size > (uint64_t)status.st_size - ring->end)
		return false;
	*segment = (struct ringfile_live_segment){
		.at = ring->end, .size = header.size, .kind = header.kind};
	ring->end += header.size;
	return true;
}

/* Takes the whole frames at `at`. Returns their bytes; `damaged` is set at an invalid one. */
static uint64_t take_frames(const char *at, uint64_t size,
			    int (*take)(void *argument, const struct frame *frame), void *argument,
			    bool *damaged)
{
	uint64_t left = size;
	const struct frame *frame;

	for (; left >= sizeof(*frame); left -= frame->size, at += frame->size) {
		frame = (const void *)at;
		if (frame->size > left && frame->size <= CHUNK)
			break;
		if (frame->size < sizeof(*frame) || frame->size % 8 || frame->size > left ||
		    take(argument, frame)) {
			*damaged = true;
			break;
		}
	}
	return size - left;
}

int ringfile_live_frames(const struct ringfile_live *ring, struct ringfile_live_segment *segment,
			 struct strbuf *buffer,
			 int (*take)(void *argument, const struct frame *frame), void *argument)
{
	uint64_t room = segment->size - sizeof(struct segment), done = 1;
	struct segment header;
	bool damaged = false;

	if (segment->applied == UINT64_MAX ||
	    !ringfile_live_read(ring, &header, sizeof(header), segment->at))
		return 0;
	if (header.used > room)
		header.used = room;
	while (done && !damaged && segment->applied < header.used) {
		uint64_t size = header.used - segment->applied;
		char *frames;

		if (size > CHUNK)
			size = CHUNK;
		buffer->length = 0;
		frames = strbuf_reserve(buffer, size);
		if (!frames)
			return -1;
		if (!ringfile_live_read(ring, frames, size,
					segment->at + sizeof(header) + segment->applied))
			return 0;
		done = take_frames(frames, size, take, argument, &damaged);
		segment->applied += done;
	}
	if (damaged || !done)
		segment->applied = UINT64_MAX;
	return 0;
}

static FILE *open_mappings(uint32_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	return fopen(path, "re");
}

void ringfile_live_find(uint32_t pid, struct strbuf *paths)
{
	char line[PATH_MAX + 128];
	FILE *maps = open_mappings(pid);
	size_t last = paths->length;

	while (maps && fgets(line, sizeof(line), maps)) {
		const char *path, *slash = strrchr(line, '/');

		line[strcspn(line, "\n")] = '\0';
		if (!slash || !ringfile_path_has_name(slash + 1))
			continue;
		path = strchr(line, '/');
		/* A file has a line for each of its mappings, one after another. */
		if (last < paths->length && !strcmp(paths->data + last, path))
			continue;
		last = paths->length;
		strbuf_append(paths, path, strlen(path) + 1);
	}
	if (maps)
		fclose(maps);
}

/* Returns true if the process has a mapping of the file. An exec ends them. */
static bool is_mapped(const struct ringfile_live *ring)
{
	char line[8192];
	unsigned long long inode;
	bool found = false;
	FILE *maps = open_mappings(ring->header.pid);

	while (maps && !found && fgets(line, sizeof(line), maps))
		found = sscanf(line, "%*s %*s %*s %*s %llu", &inode) == 1 &&
			inode == ring->header.file_inode;
	if (maps)
		fclose(maps);
	return found;
}

bool ringfile_live_is_alive(struct ringfile_live *ring)
{
	struct ringfile_header header;

	if (!ringfile_live_read(ring, &header, sizeof(header), 0) ||
	    memcmp(header.magic, RINGFILE_MAGIC, sizeof(header.magic)) ||
	    header.pid != ring->header.pid || header.process_start != ring->header.process_start)
		return false;
	ring->header = header;
	return !header.finished && header.process_start &&
	       identity_process_start(header.pid) == header.process_start &&
	       (!header.executing || is_mapped(ring));
}
