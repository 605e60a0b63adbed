/* SPDX-License-Identifier: MIT */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Text functions for ASCII, independent of the locale, which the host may have set. */

static inline char text_lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* Returns true if the text ends in `end`, and has something before it. */
static inline bool text_ends(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && !strcmp(text + length - tail, end);
}

/* As strcmp, ignoring letter case. */
int text_compare(const char *left, const char *right);

/* Returns true if both are equal, ignoring letter case. */
static inline bool text_same(const char *left, const char *right)
{
	/* Fast path: first bytes that are equal but for case differ in this bit at most. */
	return !((*left ^ *right) & ~0x20) && text_compare(left, right) == 0;
}

/* 64-bit FNV-1a. */
static inline uint64_t text_hash(const char *bytes, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
	return hash;
}

/* Returns the length of the multi-byte UTF-8 sequence at `at`, with `left` bytes available; 0 if
 * there is none, or if it is a control character or a line end for some readers. */
size_t text_sequence(const char *at, size_t left);

/* Returns true if the sequence is an invisible character, or one that changes the order of the
 * displayed text: of no width, or a direction override. */
bool text_is_hidden(const char *sequence, size_t size);

/*
 * Copies `size` bytes of `from` to `to`, at most `room` bytes and without a NUL. Control bytes,
 * hidden characters and invalid UTF-8 are written as \xNN. Returns the number of bytes written;
 * *taken (may be NULL) is set to the number of bytes of `from` that were consumed.
 */
size_t text_visible(char *to, size_t room, const char *from, size_t size, size_t *taken);

/* Returns true if text_visible would change nothing. */
bool text_is_visible(const char *text, size_t size);

/* Returns true if the text has only letters, digits, '_', '$' and '.', as most names do. */
bool text_is_word(const char *text, size_t size);

#endif
