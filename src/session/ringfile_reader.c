/* SPDX-License-Identifier: MIT */
#include "session/ringfile_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "model/frames.h"
#include "session/pending.h"
#include "session/state.h"
#include "session/untraced.h"

static enum recover_result refuse(struct strbuf *reason, const char *path, const char *why)
{
	strbuf_printf(reason, "%s %s", path, why);
	return RECOVER_FOREIGN;
}

bool ringfile_reader_has_owner(const struct ringfile_header *header, const struct stat *status)
{
	return header->owner == status->st_uid ||
	       (header->user_namespace && header->user_namespace != identity_user_namespace());
}

const char *ringfile_reader_distrust(const struct ringfile_header *header, int fd,
				     const struct stat *status)
{
	uint8_t boot[BOOT_ID], unknown[BOOT_ID] = {0};

	if (!ringfile_reader_has_owner(header, status))
		return "was created by another user";
	if (header->file_device != status->st_dev || header->file_inode != status->st_ino ||
	    header->file_born != identity_file_created(fd))
		return "is a copy or is from another machine";
	boot_id_read(boot);
	if (!memcmp(boot, unknown, sizeof(boot)) || !memcmp(header->boot, unknown, sizeof(boot)))
		return "may be from another boot of the machine (unknown without /proc)";
	if (memcmp(boot, header->boot, sizeof(boot)))
		return "is from another boot of the machine";
	return NULL;
}

static enum recover_result cannot_open(const char *path, struct strbuf *reason)
{
	int error = errno;
	struct stat status;

	if (!lstat(path, &status) && status.st_uid != geteuid())
		return refuse(reason, path, "belongs to another user");
	strbuf_printf(reason, "cannot open %s: %s", path, strerror(error));
	return RECOVER_FAILED;
}

static enum recover_result open_file(struct ringfile_reader *reader, const char *path,
				     struct strbuf *reason)
{
	struct stat status;

	const int how = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

	reader->fd = open(path, O_RDWR | how);
	/* That is enough to see whose logs it has, and to write their rows. */
	if (reader->fd < 0 && (errno == EROFS || errno == EACCES || errno == EPERM))
		reader->fd = open(path, O_RDONLY | how);
	if (reader->fd < 0 || fstat(reader->fd, &status))
		return cannot_open(path, reason);
	if (!S_ISREG(status.st_mode) || status.st_size < RINGFILE_PAGE)
		return refuse(reason, path, "is not a ring file of computeprof");
	if (status.st_uid != geteuid())
		return refuse(reason, path, "belongs to another user");
	reader->size = (uint64_t)status.st_size;
	reader->header = mmap(NULL, reader->size, PROT_READ, MAP_SHARED, reader->fd, 0);
	if (reader->header == MAP_FAILED) {
		reader->header = NULL;
		strbuf_printf(reason, "cannot read %s: %s", path, strerror(errno));
		return RECOVER_FAILED;
	}
	return RECOVER_DONE;
}

/* Returns true if the process runs; called if the lock is free. After an exec the process still
 * runs, but the profiled program and its memory do not exist any more. */
static bool is_alive(const struct ringfile_reader *reader)
{
	const struct ringfile_header *header = reader->header;

	if (header->executing && header->locked && !reader->unproven)
		return false;
	return header->process_start &&
	       identity_process_start(header->pid) == header->process_start;
}

/* The lock may be held by a child of the process that has ended, or by another recovery. */
static enum recover_result still_held(const struct ringfile_reader *reader, struct strbuf *reason)
{
	strbuf_string(reason,
		      is_alive(reader)
			      ? "its process still runs"
			      : "another process has locked it (its own, a child, or a recovery)");
	return RECOVER_ALIVE;
}

/* Another process may hold the lock for a moment to check whether it is free. */
static int lock(int fd)
{
	static const struct timespec pause = {.tv_nsec = 1000000};

	for (int tries = 10; flock(fd, LOCK_EX | LOCK_NB); nanosleep(&pause, NULL))
		if (!--tries)
			return -1;
	return 0;
}

const char *ringfile_reader_check(const struct ringfile_header *header)
{
	if (memcmp(header->magic, RINGFILE_MAGIC, sizeof(header->magic)))
		return "is not a ring file of computeprof";
	if (header->version && header->version < RINGFILE_VERSION)
		return "was written by an older version of computeprof; recover it with that "
		       "version";
	if (header->version != RINGFILE_VERSION || header->byte_order != 0x01020304 ||
	    header->record_size != sizeof(struct record))
		return "was written by another version of computeprof";
	return NULL;
}

static enum recover_result check(struct ringfile_reader *reader, const char *path,
				 struct strbuf *reason)
{
	const char *wrong = ringfile_reader_check(reader->header);
	struct stat status;

	if (wrong)
		return refuse(reason, path, wrong);
	if (lock(reader->fd))
		return still_held(reader, reason);
	/* Another process may have recovered the file while this one waited for the lock. */
	if (fstat(reader->fd, &status) || !status.st_nlink)
		return refuse(reason, path, "has been recovered already");
	reader->unproven = ringfile_reader_distrust(reader->header, reader->fd, &status);
	return is_alive(reader) ? still_held(reader, reason) : RECOVER_DONE;
}

const struct segment *ringfile_reader_next(const struct ringfile_reader *reader,
					   const struct segment *segment)
{
	const char *base = (const void *)reader->header;
	uint64_t at = RINGFILE_PAGE;

	if (segment)
		at = (uint64_t)((const char *)segment - base) + segment->size;
	if (at + sizeof(*segment) > reader->size)
		return NULL;
	segment = (const void *)(base + at);
	if (segment->magic != SEGMENT_MAGIC || segment->size < sizeof(*segment) ||
	    segment->size % RINGFILE_PAGE || segment->size > reader->size - at)
		return NULL;
	return segment;
}

static bool is_ring_empty(const struct segment *segment)
{
	const struct thread_ring *ring = (const void *)segment;

	return segment->size < sizeof(*ring) || !ring_used(&ring->ring);
}

static bool are_places_empty(const struct segment *segment)
{
	const char *at = (const char *)(segment + 1);
	uint64_t room = segment->size - sizeof(*segment);

	if (segment->stride < sizeof(struct frame) || segment->stride % 8)
		return true;
	for (; room >= segment->stride; room -= segment->stride, at += segment->stride)
		if (((const struct frame *)(const void *)at)->size)
			return false;
	return true;
}

bool ringfile_reader_is_empty(const struct ringfile_reader *reader)
{
	const struct segment *segment = NULL;

	while ((segment = ringfile_reader_next(reader, segment))) {
		if (segment->kind == SEGMENT_RING && !is_ring_empty(segment))
			return false;
		if (segment->kind == SEGMENT_PENDING && !are_places_empty(segment))
			return false;
	}
	return true;
}

int ringfile_reader_frames(struct ringfile_reader *reader,
			   int (*take)(void *argument, const struct frame *frame), void *argument)
{
	const struct segment *segment = NULL;

	while ((segment = ringfile_reader_next(reader, segment))) {
		const char *at = (const char *)(segment + 1);
		uint64_t room = segment->size - sizeof(*segment);
		uint64_t used = __atomic_load_n(&segment->used, __ATOMIC_ACQUIRE);
		uint64_t left = used < room ? used : room;
		const struct frame *frame;

		if (segment->kind != SEGMENT_FRAMES)
			continue;
		for (; left; left -= frame->size, at += frame->size) {
			frame = (const void *)at;
			if (!frames_valid(&reader->catalog, frame, left))
				break;
			if (take(argument, frame))
				return -1;
		}
	}
	return 0;
}

static int apply(void *argument, const struct frame *frame)
{
	struct ringfile_reader *reader = argument;

	frames_apply(&reader->catalog, frame);
	return 0;
}

static int keep(struct ringfile_reader *reader, const struct frame *frame, uint64_t remaining)
{
	if (!frames_valid(&reader->catalog, frame, remaining) || !frames_is_slot(frame))
		return 0;
	if (reader->count == reader->room) {
		uint64_t room = reader->room ? reader->room * 2 : 4096;
		const struct record **records =
			memory_array(reader->records, room, sizeof(*records));

		if (!records)
			return -1;
		reader->records = records;
		reader->room = room;
	}
	reader->records[reader->count++] = (const void *)frame;
	return 0;
}

static int keep_ring(struct ringfile_reader *reader, const struct segment *segment)
{
	const struct thread_ring *ring = (const void *)segment;
	uint64_t room = segment->size - offsetof(struct thread_ring, ring);
	uint64_t at;
	const struct frame *frame;

	if (segment->size < sizeof(*ring))
		return 0;
	at = atomic_load(&ring->ring.tail);
	while ((frame = ring_walk(&ring->ring, room, &at)))
		if (keep(reader, frame, frame->size))
			return -1;
	return 0;
}

static int keep_pending(struct ringfile_reader *reader, const struct segment *segment)
{
	const char *at = (const char *)(segment + 1);
	uint64_t room = segment->size - sizeof(*segment);

	if (segment->stride < sizeof(struct frame) || segment->stride % 8)
		return 0;
	for (; room >= segment->stride; room -= segment->stride, at += segment->stride)
		if (keep(reader, (const void *)at, segment->stride))
			return -1;
	return 0;
}

/* Returns true if a record has times. Events do not have the member `known`. */
static bool has_times(const struct record *record)
{
	return frames_is_record(&record->frame) && record->known & KNOWN_TIMES;
}

/* Launch order. Of two copies of a record, the one with times comes first. */
static int compare(const void *left, const void *right)
{
	const struct record *a = *(const struct record *const *)left;
	const struct record *b = *(const struct record *const *)right;

	if (launched_before(a, b))
		return -1;
	if (launched_before(b, a))
		return 1;
	return (int)has_times(b) - (int)has_times(a);
}

/* Removes second copies: a record is in its ring and in its pending place while it is moved. Of two
 * copies of an event, the one with FRAME_UNTRACED is kept; only the place may have that flag. */
static void drop_doubles(struct ringfile_reader *reader)
{
	uint64_t kept = 0;

	qsort(reader->records, reader->count, sizeof(*reader->records), compare);
	for (uint64_t i = 0; i < reader->count; i++)
		if (!kept || reader->records[kept - 1]->frame.correlation !=
				     reader->records[i]->frame.correlation)
			reader->records[kept++] = reader->records[i];
		else if (reader->records[i]->frame.flags & FRAME_UNTRACED)
			reader->records[kept - 1] = reader->records[i];
	reader->count = kept;
}

static int collect(struct ringfile_reader *reader)
{
	const struct segment *segment = NULL;

	reader->end = RINGFILE_PAGE;
	while ((segment = ringfile_reader_next(reader, segment))) {
		reader->end += segment->size;
		if (segment->kind == SEGMENT_RING && keep_ring(reader, segment))
			return -1;
		if (segment->kind == SEGMENT_PENDING && keep_pending(reader, segment))
			return -1;
	}
	if (reader->count)
		drop_doubles(reader);
	return 0;
}

enum recover_result ringfile_reader_open(struct ringfile_reader *reader, const char *path,
					 struct strbuf *reason)
{
	enum recover_result result;

	*reader = (struct ringfile_reader){.fd = -1};
	result = open_file(reader, path, reason);
	if (result == RECOVER_DONE)
		result = check(reader, path, reason);
	if (result == RECOVER_DONE &&
	    (catalog_init(&reader->catalog) || ringfile_reader_frames(reader, apply, reader) ||
	     collect(reader))) {
		strbuf_string(reason, "out of memory");
		result = RECOVER_FAILED;
	}
	if (result != RECOVER_DONE)
		ringfile_reader_close(reader);
	return result;
}

void ringfile_reader_close(struct ringfile_reader *reader)
{
	free(reader->records);
	catalog_free(&reader->catalog);
	if (reader->header)
		munmap((void *)(uintptr_t)reader->header, reader->size);
	if (reader->fd >= 0)
		close(reader->fd);
}
