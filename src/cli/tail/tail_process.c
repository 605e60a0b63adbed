/* SPDX-License-Identifier: MIT */
#include "cli/tail/tail_process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/say.h"
#include "model/frames.h"
#include "session/ringfile_path.h"

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
	ringfile_live_close(&ring->file);
	free(ring->path);
}

void tail_processes_free(struct tail_processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		close_ring(&processes->rings[i]);
	free(processes->rings);
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
		if (ringfile_live_is_file(&processes->rings[i].file, status))
			return true;
	return false;
}

static int add_ring(struct tail_processes *processes, const struct tail_ring *ring)
{
	struct tail_ring *rings =
		memory_array(processes->rings, processes->count + 1, sizeof(*rings));

	if (rings)
		processes->rings = rings;
	if (!rings || !ring->path) {
		if (!processes->failed)
			say("out of memory");
		processes->failed = true;
		return -1;
	}
	rings[processes->count++] = *ring;
	return 0;
}

/* Adds the ring file at `path` if it is that of a wanted process. Until its header is complete it
 * is passed over. */
static void consider(struct tail_processes *processes, const char *path)
{
	struct tail_ring ring = {.path = NULL};
	struct strbuf reason = STRBUF_INIT;
	struct stat status;

	if (processes->count >= RINGS || lstat(path, &status) || is_known(processes, &status))
		return;
	if (!ringfile_live_open(&ring.file, path, &reason) &&
	    is_wanted(processes, &ring.file.header)) {
		ring.path = strdup(path);
		if (!add_ring(processes, &ring))
			return;
	}
	close_ring(&ring);
	strbuf_free(&reason);
}

/* Takes ownership of the paths, each followed by NUL. */
static void consider_all(struct tail_processes *processes, struct strbuf *paths)
{
	for (size_t at = 0; !paths->failed && at < paths->length;
	     at += strlen(paths->data + at) + 1)
		consider(processes, paths->data + at);
	strbuf_free(paths);
}

static void consider_directory(struct tail_processes *processes, const char *directory)
{
	struct strbuf paths = STRBUF_INIT;

	ringfile_path_find(directory, &paths);
	consider_all(processes, &paths);
}

/* The ring file may be beside a log in any directory, but the process has mapped it. Reading the
 * mappings takes a lock of the process for a moment, so it is done rarely. */
static void consider_mappings(struct tail_processes *processes)
{
	struct strbuf paths = STRBUF_INIT;

	ringfile_live_find(processes->pid, &paths);
	consider_all(processes, &paths);
}

/* After an exec, the new ring file of the process may be beside the old one. */
static void consider_beside(struct tail_processes *processes, const struct tail_ring *ring)
{
	char directory[PATH_MAX];

	if (!file_directory(directory, sizeof(directory), ring->path) &&
	    strcmp(directory, RINGFILE_SHARED_MEMORY) != 0)
		consider_directory(processes, directory);
}

/* Receives the logs that the frames of a ring file name. */
struct listener {
	const struct tail_ring *ring;
	tail_take_log *take;
	void *argument;
};

static int take_frame(void *argument, const struct frame *frame)
{
	const struct listener *listener = argument;
	const struct log_frame *log = (const void *)frame;
	char *path;

	if (frame->kind != FRAME_LOG)
		return 0;
	if (frame->flags & LOG_API) /* shown only if it is named: it has very many rows */
		return 0;
	if (frame->size < sizeof(*log) || log->path_length > frame->size - sizeof(*log))
		return -1;
	path = strndup(log->path, log->path_length);
	if (path && *path)
		listener->take(listener->argument, listener->ring, path);
	free(path);
	return 0;
}

static void read_frames(struct tail_ring *ring, const struct listener *listener)
{
	struct strbuf buffer = STRBUF_INIT;

	if (ring->frames.size)
		ringfile_live_frames(&ring->file, &ring->frames, &buffer, take_frame,
				     (void *)(uintptr_t)listener);
	strbuf_free(&buffer);
}

/* Frames are appended to the last segment only. So a segment is read again when the next one has
 * been found; then all of its frames have been read. */
static void read_ring(struct tail_ring *ring, tail_take_log *take, void *argument)
{
	const struct listener listener = {ring, take, argument};
	struct ringfile_live_segment next;

	while (ringfile_live_next(&ring->file, &next)) {
		if (next.kind != SEGMENT_FRAMES)
			continue;
		read_frames(ring, &listener);
		ring->frames = next;
	}
	read_frames(ring, &listener);
}

static bool ring_runs(const struct tail_ring *ring)
{
	return tail_process_runs(ring->file.header.pid, ring->file.header.process_start);
}

void tail_processes_look(struct tail_processes *processes, tail_take_log *take, void *argument)
{
	consider_directory(processes, RINGFILE_SHARED_MEMORY);
	if (!processes->pid)
		consider_directory(processes, ".");
	else if (!processes->count && processes->looks++ % PERIOD == 0)
		consider_mappings(processes);
	else if (processes->count)
		consider_beside(processes, &processes->rings[0]);
	for (size_t i = processes->count; i-- > 0;) {
		struct tail_ring *ring = &processes->rings[i];
		bool ended = !processes->pid && !ring_runs(ring);

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
		if (ring_runs(&processes->rings[i]))
			return true;
	return false;
}

bool tail_processes_left(const struct tail_processes *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		const struct tail_ring *ring = &processes->rings[i];
		struct ringfile_header header;
		struct stat status;

		if (!fstat(ring->file.fd, &status) && status.st_nlink &&
		    ringfile_live_read(&ring->file, &header, sizeof(header), 0) && !header.finished)
			return true;
	}
	return false;
}
