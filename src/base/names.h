/* SPDX-License-Identifier: MIT */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Interned texts: each distinct text has one id, counted from 1 and never reused. id 0 is no name.
 * names_intern takes a lock and may allocate (called when kernels are made, not when they are
 * launched); names_text is wait-free and may be called from any thread while others intern.
 */
struct names;

struct names *names_new(void);
void names_free(struct names *names);

/* The id of `text`; 0 when memory ran out. A copy of the text is kept. */
uint32_t names_intern(struct names *names, const char *text, size_t length);

/* What is left for the texts of one kind. */
struct names_room {
	uint32_t texts;
	uint64_t bytes; /* of memory */
};

/* As names_intern, for texts of which a program may make any number: a new one is taken out of
 * `room`, and gets 0 if it does not fit. The table's lock guards `room`. */
uint32_t names_intern_within(struct names *names, const char *text, size_t length,
			     struct names_room *room);

/* Gives `id` the text that a trace file says it has; -1 for id 0, an id in use or no memory. */
int names_set(struct names *names, uint32_t id, const char *text, size_t length);

/* The text of `id`, NUL-terminated, and its length; "" for 0 and for an unknown id. */
const char *names_text(const struct names *names, uint32_t id, size_t *length);

/* text_is_word of it, which is known without looking. */
bool names_is_word(const struct names *names, uint32_t id);

/* The text of `id` will be asked for soon: has the processor get it without waiting for it. */
void names_fetch(const struct names *names, uint32_t id);

/* The highest id given so far. */
uint32_t names_count(const struct names *names);

#endif
