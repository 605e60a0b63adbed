/* SPDX-License-Identifier: MIT */
#include "session/spool.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "session/identity.h"
#include "session/spoolfile.h"

int64_t spool_process_birth(const struct spool *spool)
{
	const uint64_t second = 1000000000, hertz = (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t ticks = spool->header->process_start;

	if (!ticks)
		return 0;
	/* The end of the tick, since another process may have ended within it. */
	ticks += !spool->followed;
	return (int64_t)(ticks * (second / hertz)) + clock_offset(CLOCK_REALTIME, CLOCK_BOOTTIME);
}

static void fill_header(struct spool_header *header, const struct spool *spool)
{
	const struct file *file = &spool->file;

	*header = (struct spool_header){
		.version = SPOOL_VERSION,
		.byte_order = 0x01020304,
		.pid = (uint32_t)getpid(),
		.record_size = 168,
		.process_start = identity_process_start((uint32_t)getpid()),
		.end = SPOOL_PAGE,
		.file_device = file->device,
		.file_inode = file->inode,
		.owner = geteuid(),
		.file_born = identity_born(file->fd),
		.locked = spool->lock != NULL,
	};
	identity_boot(header->boot);
	memcpy(header->magic, SPOOL_MAGIC, sizeof(header->magic));
}

int spool_create(struct spool *spool, const char *log, enum ring_place place)
{
	*spool = (struct spool){.file = FILE_CLOSED, .growth = PTHREAD_MUTEX_INITIALIZER};
	if (spoolfile_create(spool, log, place)) {
		spool->path[0] = '\0';
		spool->header = memory_map(SPOOL_PAGE);
	}
	if (!spool->header)
		return -1;
	fill_header(spool->header, spool);
	return 0;
}

/* A segment that recovery has added. */
struct added {
	void *memory;
	uint64_t size;
};

/* With the lock held. */
static struct segment *add_segment(struct spool *spool, enum segment_kind kind, uint64_t size)
{
	struct segment *in_file, *segment;

	size = (size + SPOOL_PAGE - 1) / SPOOL_PAGE * SPOOL_PAGE;
	in_file = spoolfile_grow(spool, size);
	/* In recovery the segment must be in the file, since the next recovery cannot find it in
	 * memory. */
	segment = in_file || spool->resumed ? in_file : memory_map(size);
	if (!segment)
		return NULL;
	if (spool->resumed)
		strbuf_append(&spool->added, &(struct added){segment, size}, sizeof(struct added));
	/* When recovery continues in a damaged file, it may contain any bytes. */
	segment->used = 0;
	segment->stride = 0;
	segment->kind = kind;
	segment->size = size;
	__atomic_store_n(&segment->magic, SEGMENT_MAGIC, __ATOMIC_RELEASE);
	/* Last, so that `end` is never after a segment that a reader cannot skip. */
	if (in_file)
		__atomic_store_n(&spool->header->end, spool->header->end + size, __ATOMIC_RELEASE);
	return segment;
}

struct segment *spool_segment(struct spool *spool, enum segment_kind kind, uint64_t size)
{
	struct segment *segment;

	pthread_mutex_lock(&spool->growth);
	segment = add_segment(spool, kind, size);
	pthread_mutex_unlock(&spool->growth);
	return segment;
}

/* With the lock held. */
static void *add_frames(struct spool *spool, const struct strbuf *frames)
{
	struct segment *segment = spool->frames;
	char *to;

	if (!segment || segment->size - sizeof(*segment) - segment->used < frames->length) {
		uint64_t size = sizeof(*segment) + frames->length;

		segment = add_segment(spool, SEGMENT_FRAMES,
				      size > SPOOL_SEGMENT ? size : SPOOL_SEGMENT);
		if (!segment)
			return NULL;
		spool->frames = segment;
	}
	to = (char *)(segment + 1) + segment->used;
	memcpy(to, frames->data, frames->length);
	__atomic_store_n(&segment->used, segment->used + frames->length, __ATOMIC_RELEASE);
	return to;
}

void *spool_frames(struct spool *spool, const struct strbuf *frames)
{
	void *place;

	pthread_mutex_lock(&spool->growth);
	place = add_frames(spool, frames);
	pthread_mutex_unlock(&spool->growth);
	return place;
}

int spool_resume(struct spool *spool, const char *path, int fd, uint64_t end)
{
	void *header = MAP_FAILED;

	*spool = (struct spool){
		.file = FILE_CLOSED, .growth = PTHREAD_MUTEX_INITIALIZER, .resumed = true};
	if (strlen(path) < sizeof(spool->path))
		header = mmap(NULL, SPOOL_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (header == MAP_FAILED)
		return -1;
	strcpy(spool->path, path);
	spool->header = header;
	spool->header->end = end;
	return 0;
}

void spool_release(struct spool *spool)
{
	const struct added *added = (const void *)spool->added.data;

	for (size_t left = spool->added.length; left; left -= sizeof(*added), added++)
		memory_unmap(added->memory, added->size);
	strbuf_free(&spool->added);
	if (spool->header) {
		munmap(spool->header, SPOOL_PAGE);
		file_close(&spool->file);
	}
	if (spool->lock)
		munmap(spool->lock, SPOOL_PAGE);
	*spool = (struct spool){.file = FILE_CLOSED};
}

/* The owner of the lock may wait for a file system, so the attempts are limited. */
static bool lock_growth(struct spool *spool)
{
	static const struct timespec pause = {.tv_nsec = 1000000};

	for (int tries = 1000; tries; tries--) {
		if (!pthread_mutex_trylock(&spool->growth))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

void spool_unlink(struct spool *spool)
{
	/* A thread that adds a segment uses the path and the descriptor. */
	bool locked = lock_growth(spool);

	/* For recovery, if the file cannot be removed. */
	if (spool->header)
		__atomic_store_n(&spool->header->finished, 1, __ATOMIC_RELEASE);
	if (spool->path[0])
		unlink(spool->path);
	if (!locked)
		return;
	spool->path[0] = '\0';
	file_close(&spool->file);
	pthread_mutex_unlock(&spool->growth);
}

void spool_forget(struct spool *spool)
{
	file_close(&spool->file);
	*spool = (struct spool){.file = FILE_CLOSED, .growth = PTHREAD_MUTEX_INITIALIZER};
}
