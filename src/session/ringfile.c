/* SPDX-License-Identifier: MIT */
#include "session/ringfile.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/file.h"
#include "base/filethread.h"
#include "base/memory.h"
#include "base/say.h"
#include "session/identity.h"
#include "session/manifest.h"
#include "session/ringfile_storage.h"

int64_t ringfile_process_start(const struct ringfile *ringfile)
{
	const uint64_t second = 1000000000, hertz = (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t ticks = ringfile->header->process_start;

	if (!ticks)
		return 0;
	/* The end of the tick, since another process may have ended within it. */
	ticks += !ringfile->followed;
	return (int64_t)(ticks * (second / hertz)) + clock_offset(CLOCK_REALTIME, CLOCK_BOOTTIME);
}

static void fill_header(struct ringfile_header *header, const struct ringfile *ringfile)
{
	const struct file *file = &ringfile->file;
	const char *keeper = env_kept(MANIFEST_VARIABLE);

	*header = (struct ringfile_header){
		.version = RINGFILE_VERSION,
		.byte_order = 0x01020304,
		.pid = (uint32_t)getpid(),
		.record_size = 168,
		.process_start = identity_process_start((uint32_t)getpid()),
		.end = RINGFILE_PAGE,
		.file_device = file->device,
		.file_inode = file->inode,
		.owner = geteuid(),
		.user_namespace = identity_user_namespace(),
		.file_born = identity_file_created(file->fd),
		.locked = ringfile->lock != NULL,
	};
	if (keeper && strlen(keeper) < sizeof(header->keeper))
		strcpy(header->keeper, keeper);
	boot_id_read(header->boot);
	memcpy(header->magic, RINGFILE_MAGIC, sizeof(header->magic));
}

/* Makes the file; 0, or -1 with errno. */
static int create(struct ringfile *ringfile, const char *log, enum ring_place place)
{
	if (ringfile_storage_create(ringfile, log, place))
		return -1;
	fill_header(ringfile->header, ringfile);
	return 0;
}

/* A job that makes the file. */
struct creation {
	struct file_job job;
	struct ringfile ringfile;
	enum ring_place place;
	int result, error;
	char log[];
};

static size_t size_of(const struct creation *creation)
{
	return sizeof(*creation) + strlen(creation->log) + 1;
}

static void do_create(struct file_job *job)
{
	struct creation *creation = (struct creation *)(void *)job;

	creation->result = create(&creation->ringfile, creation->log, creation->place);
	creation->error = errno;
	file_close(&creation->ringfile.file);
}

static void dispose(struct file_job *job)
{
	struct creation *creation = (struct creation *)(void *)job;

	if (!creation->result) {
		unlink(creation->ringfile.path);
		ringfile_free(&creation->ringfile);
	}
	memory_unmap(creation, size_of(creation));
}

/* As create, if the program's descriptor table is full: the file thread has its own. */
static int create_in_file_thread(struct ringfile *ringfile, const char *log, enum ring_place place)
{
	struct creation *creation = memory_map(sizeof(*creation) + strlen(log) + 1);
	enum file_job_state state;
	int result, error;

	if (!creation)
		return -1;
	filethread_start(true);
	creation->job.work = do_create;
	creation->job.dispose = dispose;
	creation->ringfile = *ringfile;
	creation->place = place;
	creation->result = -1;
	strcpy(creation->log, log);
	state = filethread_try(&creation->job);
	if (state == JOB_ABANDONED)
		return -1;
	result = creation->result;
	error = state == JOB_DONE ? creation->error : ETIMEDOUT;
	if (!result)
		*ringfile = creation->ringfile;
	memory_unmap(creation, size_of(creation));
	errno = error;
	return result;
}

int ringfile_create(struct ringfile *ringfile, const char *log, enum ring_place place)
{
	int result;

	*ringfile = (struct ringfile){RINGFILE_CLOSED};
	errno = 0;
	result = place == RING_NONE ? -1 : create(ringfile, log, place);
	if (result && place != RING_NONE && file_lacks_descriptors(errno))
		result = create_in_file_thread(ringfile, log, place);
	if (!result)
		return 0;
	*ringfile = (struct ringfile){RINGFILE_CLOSED, .anonymous = true,
				      .unseen = place != RING_NONE, .error = errno};
	ringfile->header = memory_map(RINGFILE_PAGE);
	if (!ringfile->header)
		return -1;
	fill_header(ringfile->header, ringfile);
	return 0;
}

/* A segment that recovery has added. */
struct added {
	void *memory;
	uint64_t size;
};

void ringfile_tell_growth(struct ringfile *ringfile)
{
	int error = __atomic_exchange_n(&ringfile->growth_error, 0, __ATOMIC_ACQUIRE);

	if (error)
		say("if this process is killed, rows will be missing: the ring file %s cannot "
		    "grow: %s",
		    ringfile->path, file_reason(error));
}

/* With the lock held. After ringfile_move, a seccomp filter may forbid the thread that grows the
 * file to print. */
static void note_no_growth(struct ringfile *ringfile, int error)
{
	if (__atomic_exchange_n(&ringfile->header->in_memory, 1, __ATOMIC_RELEASE))
		return;
	__atomic_store_n(&ringfile->growth_error, error, __ATOMIC_RELEASE);
	if (!ringfile->by_thread)
		ringfile_tell_growth(ringfile);
}

void ringfile_move(struct ringfile *ringfile)
{
	pthread_mutex_lock(&ringfile->growth);
	ringfile_storage_move(ringfile);
	pthread_mutex_unlock(&ringfile->growth);
}

/* With the lock held. */
static struct segment *add_segment(struct ringfile *ringfile, enum segment_kind kind, uint64_t size)
{
	struct segment *in_file, *segment;

	size = memory_in_pages(size);
	in_file = ringfile_storage_grow(ringfile, size);
	/* In recovery the segment must be in the file, since the next recovery cannot find it in
	 * memory; and totals are read from the file only. */
	if (!in_file && !ringfile->resumed && kind != SEGMENT_TOTALS && ringfile->path[0])
		note_no_growth(ringfile, errno);
	segment = in_file || ringfile->resumed || kind == SEGMENT_TOTALS ? in_file
									 : memory_map(size);
	if (!segment)
		return NULL;
	ringfile->frames_lost |= kind == SEGMENT_FRAMES && !in_file;
	if (ringfile->resumed)
		strbuf_append(&ringfile->added, &(struct added){segment, size},
			      sizeof(struct added));
	/* When recovery continues in a damaged file, it may contain any bytes. */
	segment->used = 0;
	segment->stride = 0;
	segment->kind = kind;
	segment->size = size;
	__atomic_store_n(&segment->magic, SEGMENT_MAGIC, __ATOMIC_RELEASE);
	/* Last, so that `end` is never after a segment that a reader cannot skip. */
	if (in_file)
		__atomic_store_n(&ringfile->header->end,
				 memory_in_pages(ringfile->header->end) + size, __ATOMIC_RELEASE);
	return segment;
}

struct segment *ringfile_segment(struct ringfile *ringfile, enum segment_kind kind, uint64_t size)
{
	struct segment *segment;

	pthread_mutex_lock(&ringfile->growth);
	segment = add_segment(ringfile, kind, size);
	pthread_mutex_unlock(&ringfile->growth);
	return segment;
}

/* With the lock held. */
static void *add_frames(struct ringfile *ringfile, const struct strbuf *frames)
{
	struct segment *segment = ringfile->frames;
	char *to;

	if (!segment || segment->size - sizeof(*segment) - segment->used < frames->length) {
		uint64_t size = sizeof(*segment) + frames->length;

		segment = add_segment(ringfile, SEGMENT_FRAMES,
				      size > RINGFILE_SEGMENT ? size : RINGFILE_SEGMENT);
		if (!segment)
			return NULL;
		ringfile->frames = segment;
	}
	to = (char *)(segment + 1) + segment->used;
	memcpy(to, frames->data, frames->length);
	__atomic_store_n(&segment->used, segment->used + frames->length, __ATOMIC_RELEASE);
	return to;
}

void *ringfile_frames(struct ringfile *ringfile, const struct strbuf *frames)
{
	void *place;

	pthread_mutex_lock(&ringfile->growth);
	place = add_frames(ringfile, frames);
	pthread_mutex_unlock(&ringfile->growth);
	return place;
}

int ringfile_resume(struct ringfile *ringfile, const char *path, int fd, uint64_t end)
{
	void *header = MAP_FAILED;

	*ringfile = (struct ringfile){RINGFILE_CLOSED, .resumed = true};
	if (strlen(path) < sizeof(ringfile->path))
		header = mmap(NULL, RINGFILE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (header == MAP_FAILED)
		return -1;
	strcpy(ringfile->path, path);
	ringfile->header = header;
	ringfile->header->end = end;
	return 0;
}

void ringfile_free(struct ringfile *ringfile)
{
	const struct added *added = (const void *)ringfile->added.data;

	for (size_t left = ringfile->added.length; left; left -= sizeof(*added), added++)
		memory_unmap(added->memory, added->size);
	strbuf_free(&ringfile->added);
	if (ringfile->header) {
		munmap(ringfile->header, RINGFILE_PAGE);
		file_close(&ringfile->file);
	}
	if (ringfile->lock)
		munmap(ringfile->lock, RINGFILE_PAGE);
	*ringfile = (struct ringfile){RINGFILE_CLOSED};
}

/* The owner of the lock may wait for a file system, so the attempts are limited. */
static bool lock_growth(struct ringfile *ringfile)
{
	static const struct timespec pause = {.tv_nsec = 1000000};

	for (int tries = 1000; tries; tries--) {
		if (!pthread_mutex_trylock(&ringfile->growth))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* The program has changed its user, or a sandbox forbids it. The tool removes the files that are in
 * its list. */
static void tell_left(const char *path)
{
	if (errno != ENOENT && !env_kept(MANIFEST_VARIABLE))
		say("cannot remove the ring file %s: %s; it is not needed any more", path,
		    file_reason(errno));
}

void ringfile_unlink(struct ringfile *ringfile)
{
	/* A thread that adds a segment uses the path and the descriptor. */
	bool locked = lock_growth(ringfile);

	/* For recovery, if the file cannot be removed. */
	if (ringfile->header)
		__atomic_store_n(&ringfile->header->finished, 1, __ATOMIC_RELEASE);
	if (ringfile->path[0] && unlink(ringfile->path))
		tell_left(ringfile->path);
	if (!locked)
		return;
	ringfile->path[0] = '\0';
	file_close(&ringfile->file);
	pthread_mutex_unlock(&ringfile->growth);
}

void ringfile_make_hole(void *segment, uint64_t from, uint64_t to)
{
	/* Whole pages only: the kernel rounds the size up. */
	from = memory_in_pages(from);
	to = memory_in_pages(to + 1) - memory_in_pages(1);
	if (from < to)
		madvise((char *)segment + from, to - from, MADV_REMOVE);
}

void ringfile_finish(struct ringfile *ringfile)
{
	struct ringfile_header *header = ringfile->header;

	__atomic_store_n(&header->finished, 1, __ATOMIC_RELEASE);
	if (!lock_growth(ringfile))
		return;
	ringfile->path[0] = '\0';
	file_close(&ringfile->file);
	if (ringfile->frames)
		ringfile_make_hole(ringfile->frames,
				   sizeof(struct segment) + ringfile->frames->used,
				   ringfile->frames->size);
	ringfile->frames = NULL;
	pthread_mutex_unlock(&ringfile->growth);
}

void ringfile_forget(struct ringfile *ringfile)
{
	file_close(&ringfile->file);
	*ringfile = (struct ringfile){RINGFILE_CLOSED};
}
