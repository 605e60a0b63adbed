/* SPDX-License-Identifier: MIT */
#include "cli/tail/tail_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/lines.h"
#include "model/frames.h"
#include "session/recover.h"
#include "session/ringfile.h"
#include "session/ringfile_path.h"

#define SHARED_MEMORY "/dev/shm"

enum { RINGS = 1024 /* at most */, PERIOD = 8 /* looks between two at the mappings */ };

int tail_processes_init(struct tail_processes *processes, uint64_t pid)
{
	char name[32];
	struct stat status;

	*processes = (struct tail_processes){.pid = (uint32_t)pid};
	if (!pid)
		return 0;
	processes->start = pid > INT32_MAX ? 0 : identity_process_start((uint32_t)pid);
	snprintf(name, sizeof(name), "/proc/%u", (unsigned)pid);
	if (!processes->start || stat(name, &status)) {
		say("there is no process %llu", (unsigned long long)pid);
		return -1;
	}
	if (status.st_uid == geteuid())
		return 0;
	say("process %u belongs to another user", (unsigned)pid);
	return -1;
}

static void close_ring(struct tail_ring *ring)
{
	close(ring->fd);
	free(ring->path);
}

void tail_processes_free(struct tail_processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		close_ring(&processes->rings[i]);
	free(processes->rings);
}

/* Reads exactly `size` bytes; false at the end of the file. */
static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
	return pread(fd, to, size, (off_t)at) == (ssize_t)size;
}

static bool is_ring(const struct ringfile_header *header, const struct stat *status)
{
	return !memcmp(header->magic, RINGFILE_MAGIC, sizeof(header->magic)) &&
	       header->version == RINGFILE_VERSION && header->byte_order == 0x01020304 &&
	       header->record_size == sizeof(struct record) && header->owner == geteuid() &&
	       header->file_device == status->st_dev && header->file_inode == status->st_ino;
}

static bool is_wanted(const struct tail_processes *processes, const struct ringfile_header *header)
{
	if (processes->pid)
		return header->pid == processes->pid && header->process_start == processes->start;
	return header->process_start &&
	       header->process_start == identity_process_start(header->pid);
}

static bool is_known(const struct tail_processes *processes, const struct stat *status)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->rings[i].device == status->st_dev &&
		    processes->rings[i].inode == status->st_ino)
			return true;
	return false;
}

static int add_ring(struct tail_processes *processes, const struct tail_ring *ring)
{
	struct tail_ring *rings =
		reallocarray(processes->rings, processes->count + 1, sizeof(*rings));

	if (!rings || !ring->path) {
		processes->failed = true;
		if (rings)
			processes->rings = rings;
		return -1;
	}
	processes->rings = rings;
	rings[processes->count++] = *ring;
	return 0;
}

/* Adds the ring file at `path` if it is that of a wanted process. Until its header is complete it
 * is passed over. */
static void consider(struct tail_processes *processes, const char *path)
{
	struct ringfile_header header;
	struct tail_ring ring = {.next = RINGFILE_PAGE};
	struct stat status;

	if (lstat(path, &status) || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
	    is_known(processes, &status) || processes->count >= RINGS)
		return;
	ring.fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (ring.fd < 0)
		return;
	if (!fstat(ring.fd, &status) && read_at(ring.fd, &header, sizeof(header), 0) &&
	    is_ring(&header, &status) && is_wanted(processes, &header)) {
		ring.path = strdup(path);
		ring.device = status.st_dev;
		ring.inode = status.st_ino;
		ring.pid = header.pid;
		ring.start = header.process_start;
		if (!add_ring(processes, &ring))
			return;
		free(ring.path);
	}
	close(ring.fd);
}

static void consider_directory(struct tail_processes *processes, const char *directory)
{
	struct strbuf paths = STRBUF_INIT;

	recover_find(directory, &paths);
	for (size_t at = 0; !paths.failed && at < paths.length; at += strlen(paths.data + at) + 1)
		consider(processes, paths.data + at);
	strbuf_free(&paths);
}

/* The ring file may be beside a log in any directory, but the process has mapped it. Reading the
 * mappings takes a lock of the process for a moment, so it is done rarely. */
static void consider_mappings(struct tail_processes *processes)
{
	char name[32];
	struct strbuf maps = STRBUF_INIT;
	const char *at, *line;
	size_t length;

	snprintf(name, sizeof(name), "/proc/%u/maps", (unsigned)processes->pid);
	lines_read_file(&maps, name);
	at = strbuf_text(&maps);
	while ((line = lines_next(&at, &length))) {
		const char *path = memchr(line, '/', length);
		char *copy = path ? strndup(path, (size_t)(line + length - path)) : NULL;

		if (copy && ringfile_path_has_name(strrchr(copy, '/') + 1))
			consider(processes, copy);
		free(copy);
	}
	strbuf_free(&maps);
}

/* After an exec, the new ring file of the process may be beside the old one. */
static void consider_beside(struct tail_processes *processes, const struct tail_ring *ring)
{
	const char *slash = strrchr(ring->path, '/');
	char *directory = slash ? strndup(ring->path, (size_t)(slash - ring->path) + 1) : NULL;

	if (directory && strcmp(directory, SHARED_MEMORY "/") != 0)
		consider_directory(processes, directory);
	free(directory);
}

/* Reads the frame at offset `at` if it names a log. Returns its whole size, 0 if it is damaged. */
static uint64_t read_frame(const struct tail_ring *ring, uint64_t at, uint64_t left,
			   struct strbuf *log)
{
	struct log_frame frame;
	uint64_t room;
	char *path;

	log->length = 0;
	if (left < sizeof(frame.frame) || !read_at(ring->fd, &frame.frame, sizeof(frame.frame), at))
		return 0;
	if (frame.frame.size < sizeof(frame.frame) || frame.frame.size % 8 ||
	    frame.frame.size > left)
		return 0;
	if (frame.frame.kind != FRAME_LOG)
		return frame.frame.size;
	if (frame.frame.size < sizeof(frame) || !read_at(ring->fd, &frame, sizeof(frame), at))
		return 0;
	if (frame.frame.flags & LOG_API) /* shown only if it is named: it has very many rows */
		return frame.frame.size;
	room = frame.frame.size - offsetof(struct log_frame, path);
	if (frame.path_length > room || frame.path_length >= PATH_MAX)
		return 0;
	path = strbuf_reserve(log, frame.path_length);
	if (path &&
	    read_at(ring->fd, path, frame.path_length, at + offsetof(struct log_frame, path)))
		log->length = frame.path_length;
	return frame.frame.size;
}

/* Reads the frames of the current segment that are complete. */
static void read_frames(struct tail_ring *ring, tail_take_log *take, void *argument)
{
	struct segment segment;
	struct strbuf log = STRBUF_INIT;
	uint64_t size, room;

	if (!ring->segment || !read_at(ring->fd, &segment, sizeof(segment), ring->segment))
		return;
	room = segment.size - sizeof(segment);
	if (segment.used > room)
		segment.used = room;
	while (ring->used < segment.used) {
		size = read_frame(ring, ring->segment + sizeof(segment) + ring->used,
				  segment.used - ring->used, &log);
		if (!size)
			break;
		ring->used += size;
		if (log.length)
			take(argument, ring, strbuf_text(&log));
	}
	strbuf_free(&log);
}

/* Moves to the next segment of frames; false if there is none. */
static bool find_segment(struct tail_ring *ring, uint64_t *found)
{
	struct segment segment;

	while (read_at(ring->fd, &segment, sizeof(segment), ring->next)) {
		uint64_t at = ring->next;

		if (segment.magic != SEGMENT_MAGIC || segment.size < sizeof(segment) ||
		    segment.size % RINGFILE_PAGE || segment.size > INT64_MAX - at)
			return false;
		ring->next += segment.size;
		*found = at;
		if (segment.kind == SEGMENT_FRAMES)
			return true;
	}
	return false;
}

/* Before a segment is left, it is read again: frames are appended to the last one only, so nothing
 * can come to it once there is another one. */
static void read_ring(struct tail_ring *ring, tail_take_log *take, void *argument)
{
	uint64_t found;

	while (find_segment(ring, &found)) {
		read_frames(ring, take, argument);
		ring->segment = found;
		ring->used = 0;
	}
	read_frames(ring, take, argument);
}

void tail_processes_look(struct tail_processes *processes, tail_take_log *take, void *argument)
{
	consider_directory(processes, SHARED_MEMORY);
	if (!processes->pid)
		consider_directory(processes, ".");
	else if (!processes->count && processes->looks++ % PERIOD == 0)
		consider_mappings(processes);
	else if (processes->count)
		consider_beside(processes, &processes->rings[0]);
	for (size_t i = processes->count; i-- > 0;) {
		struct tail_ring *ring = &processes->rings[i];
		bool ended = !processes->pid && !tail_process_runs(ring->pid, ring->start);

		read_ring(ring, take, argument);
		if (ended) {
			close_ring(ring);
			*ring = processes->rings[--processes->count];
		}
	}
}

bool tail_process_runs(uint32_t pid, uint64_t start)
{
	return identity_process_start(pid) == start;
}

bool tail_processes_run(const struct tail_processes *processes)
{
	if (processes->pid)
		return tail_process_runs(processes->pid, processes->start);
	for (size_t i = 0; i < processes->count; i++)
		if (tail_process_runs(processes->rings[i].pid, processes->rings[i].start))
			return true;
	return false;
}

bool tail_processes_left(const struct tail_processes *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		const struct tail_ring *ring = &processes->rings[i];
		struct ringfile_header header;
		struct stat status;

		if (!fstat(ring->fd, &status) && status.st_nlink &&
		    read_at(ring->fd, &header, sizeof(header), 0) && !header.finished)
			return true;
	}
	return false;
}
