/* SPDX-License-Identifier: MIT */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Interned texts. Each distinct text has one id, counted from 1 and never reused; 0 is no name.
 * names_intern takes a lock and may allocate (called when kernels are made, not when they are
 * launched). names_text is wait-free on any thread, also while others intern.
 */
struct names;

struct names *names_new(void);
void names_free(struct names *names);

/* Returns the id of `text`; 0 without memory. The text is copied. */
uint32_t names_intern(struct names *names, const char *text, size_t length);

/* Returns a copy of `text` that is freed with the names, without an id: that of an interned text if
 * there is an equal one. Returns NULL without memory. */
const char *names_keep(struct names *names, const char *text, size_t length);

/* The remaining budget for the texts of one kind. */
struct names_room {
	uint32_t texts;
	uint64_t bytes; /* of memory */
};

/* As names_intern, with a budget, for texts of which a program may make any number. A new text is
 * charged to `room`; if it does not fit, the id is 0. The table's lock protects `room`. */
uint32_t names_intern_within(struct names *names, const char *text, size_t length,
			     struct names_room *room);

/* Assigns the text of `id` from a trace file. Returns -1 for id 0, an id in use, or without
 * memory. */
int names_set(struct names *names, uint32_t id, const char *text, size_t length);

/* Returns the NUL-terminated text of `id` and its length; "" for 0 and for an unknown id. */
const char *names_text(const struct names *names, uint32_t id, size_t *length);

/* Returns text_is_word of the text, which is stored. */
bool names_is_word(const struct names *names, uint32_t id);

/* Prefetches the text of `id`. */
void names_prefetch(const struct names *names, uint32_t id);

/* Returns the highest id. */
uint32_t names_count(const struct names *names);

#endif
