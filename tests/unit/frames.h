/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FRAMES_H
#define TESTS_FRAMES_H

/* A small ring, and frames for it. */

#include "base/ring.h"

enum { DATA = 1024, WHOLE = sizeof(struct ring) + DATA, KIND = 7 };

struct frame_head {
	uint32_t size;
	uint16_t kind;
	uint16_t flags;
	uint64_t value;
};

static struct ring *new_ring(size_t size)
{
	struct ring *ring = calloc(1, size);

	assert_non_null(ring);
	ring_init(ring, size);
	return ring;
}

/* Returns false while there is no room. */
static int put(struct ring *ring, uint32_t size, uint64_t value)
{
	struct frame_head *frame = ring_reserve(ring, size);

	if (frame)
		assert_ptr_equal(ring_reserved(ring), frame);

	if (!frame)
		return 0;
	memset(frame, (int)(value & 0xff), size);
	*frame = (struct frame_head){.size = size, .kind = KIND, .value = value};
	ring_commit(ring, size);
	return 1;
}

static void expect(struct ring *ring, uint32_t size, uint64_t value)
{
	const struct frame_head *frame = ring_peek(ring);
	const unsigned char *bytes = (const void *)frame;

	assert_non_null(frame);
	assert_int_equal(frame->size, size);
	assert_int_equal(frame->kind, KIND);
	assert_int_equal(frame->value, value);
	for (uint32_t i = sizeof(*frame); i < size; i++)
		assert_int_equal(bytes[i], value & 0xff);
	ring_consume(ring);
}

#endif
