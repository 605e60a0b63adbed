/* SPDX-License-Identifier: MIT */
#include "view/stream/spill_queue.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "view/stream/spill_file.h"

enum { CHUNK = 1 << 18 /* bytes of one read or write, after the first write */ };

struct spill_queue {
	char *memory;
	size_t budget; /* its bytes */
	size_t room;   /* its bytes that are in use: whole items */
	size_t size;   /* of an item */
	size_t used;   /* bytes, when adding: that are filled; when reading: that were given */
	size_t filled; /* when reading */
	int file;      /* -1: none */
	uint64_t written, read; /* bytes of the file */
	bool is_read;  /* the first item was read */
};

struct spill_queue *spill_queue_new(size_t size)
{
	struct spill_queue *queue = size <= SPILL_ITEM_MOST ? calloc(1, sizeof(*queue)) : NULL;

	if (!queue)
		return NULL;
	queue->file = -1;
	queue->size = size;
	queue->budget = spill_file_budget(0);
	queue->room = queue->budget / size * size;
	queue->memory = memory_map(queue->budget);
	if (queue->memory)
		return queue;
	free(queue);
	return NULL;
}

void spill_queue_free(struct spill_queue *queue)
{
	if (!queue)
		return;
	if (queue->file >= 0)
		close(queue->file);
	memory_unmap(queue->memory, queue->budget);
	free(queue);
}

/* Later items use only the start of the memory, which stays in the processor's cache. */
static int spill(struct spill_queue *queue, struct strbuf *error)
{
	if (queue->file < 0)
		queue->file = spill_file_open();
	if (queue->file < 0)
		return spill_file_fail("write", error);
	if (spill_file_write(queue->file, queue->memory, queue->used, error))
		return -1;
	queue->written += queue->used;
	queue->used = 0;
	if (queue->room > CHUNK)
		queue->room = CHUNK / queue->size * queue->size;
	return 0;
}

int spill_queue_add(struct spill_queue *queue, const void *item, struct strbuf *error)
{
	if (queue->used == queue->room && spill(queue, error))
		return -1;
	memcpy(queue->memory + queue->used, item, queue->size);
	queue->used += queue->size;
	return 0;
}

/* Reads the next whole items of the file. */
static int fill(struct spill_queue *queue, struct strbuf *error)
{
	queue->used = queue->filled = 0;
	while (queue->filled < queue->room && queue->read < queue->written) {
		size_t wanted = queue->room - queue->filled;
		ssize_t got;

		if (wanted > queue->written - queue->read)
			wanted = (size_t)(queue->written - queue->read);
		got = pread(queue->file, queue->memory + queue->filled, wanted,
			    (off_t)queue->read);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got ? errno : EIO;
			return spill_file_fail("read", error);
		}
		queue->filled += (size_t)got;
		queue->read += (uint64_t)got;
	}
	return 0;
}

static int begin_reading(struct spill_queue *queue, struct strbuf *error)
{
	queue->is_read = true;
	if (queue->file >= 0)
		return spill(queue, error) || fill(queue, error) ? -1 : 0;
	queue->filled = queue->used;
	queue->used = 0;
	return 0;
}

int spill_queue_next(struct spill_queue *queue, const void **item, struct strbuf *error)
{
	if (!queue->is_read && begin_reading(queue, error))
		return -1;
	if (queue->used == queue->filled && queue->read < queue->written && fill(queue, error))
		return -1;
	if (queue->used == queue->filled)
		return 0;
	*item = queue->memory + queue->used;
	queue->used += queue->size;
	return 1;
}

bool spill_queue_has_spilled(const struct spill_queue *queue)
{
	return queue->file >= 0;
}
