/* SPDX-License-Identifier: MIT */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Plain text helpers. ASCII only and never by the locale: the host may have set any. */

/* As strcmp, any letter case. */
int text_compare(const char *left, const char *right);

/* Whether both are the same word in any letter case. */
static inline bool text_same(const char *left, const char *right)
{
	/* Most are told apart by their first bytes, which differ in case by this bit at most. */
	return !((*left ^ *right) & ~0x20) && text_compare(left, right) == 0;
}

/* FNV-1a of 64 bits. */
static inline uint64_t text_hash(const char *bytes, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
	return hash;
}

/* The length of the UTF-8 sequence of several bytes at `at`, of which `left` are there; 0 if there
 * is none, or if it is a control character or ends a line for some readers. */
size_t text_sequence(const char *at, size_t left);

/* Whether the sequence is a character that nobody sees, or that changes the order of what is seen:
 * of no width, or an override of the direction of writing. */
bool text_is_hidden(const char *sequence, size_t size);

/*
 * Copies `size` bytes of `from` to `to`, control bytes, what is hidden and what is not UTF-8 as
 * \xNN, at most
 * `room` bytes and nothing after them (no NUL). Returns how many bytes were written; *taken (may be
 * NULL) is how many bytes of `from` they stand for.
 */
size_t text_visible(char *to, size_t room, const char *from, size_t size, size_t *taken);

/* Whether text_visible would change nothing. */
bool text_is_visible(const char *text, size_t size);

/* Whether there are only letters, digits, '_', '$' and '.' in it, as in most names. */
bool text_is_word(const char *text, size_t size);

#endif
