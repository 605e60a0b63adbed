/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_WINDOW_H
#define VIEW_STREAM_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Values by 64-bit keys, only so many: for each one that is added the one that was added so many
 * before it has to go, if it is still there. Memory is mapped lazily.
 */
struct window_place;

struct window {
	uint32_t size;	   /* how many it has room for, a power of two */
	size_t value_size; /* a multiple of 8 */
	uint64_t added;	   /* so far: the next one's place is this, modulo size */
	uint64_t first;	   /* none that was added before this one is there */
	uint32_t *heads;   /* 1 + place of the first one of a hash, 0: none */
	struct window_place *places;
	char *values;
};

/* 0, or -1 without memory. window_close is for a zeroed one, too. */
int window_open(struct window *window, uint32_t size, size_t value_size);
void window_close(struct window *window);

/* NULL where there is none. Of several the newest. */
void *window_find(const struct window *window, uint64_t key);

/* Whether one has to go before the next may come. */
bool window_is_full(const struct window *window);

/* The new one's value, which the caller sets. When it is full the oldest goes. */
void *window_add(struct window *window, uint64_t key);

/* Each returns the value that is there no longer, valid until the next window_add: that of the key,
 * and the oldest of all; NULL where there is none. */
void *window_take(struct window *window, uint64_t key);
void *window_shift(struct window *window);

#endif
