/* SPDX-License-Identifier: MIT */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A growing byte buffer. Its memory comes from mmap, never from malloc, so it may be used on a
 * thread that was interrupted inside the host's allocator. Not shared between threads.
 *
 * When memory runs out, `failed` is set, the append is dropped and later appends still work as far
 * as they fit; a caller that must not lose bytes checks `failed` once at the end.
 */
struct strbuf {
	char *data; /* not NUL-terminated unless strbuf_text was called */
	size_t length;
	size_t capacity;
	bool failed;
};

#define STRBUF_INIT ((struct strbuf){0})

void strbuf_free(struct strbuf *buffer);

/* Room for `size` more bytes: a pointer to the first of them, or NULL. `length` is not changed. */
char *strbuf_reserve(struct strbuf *buffer, size_t size);

void strbuf_append(struct strbuf *buffer, const void *bytes, size_t size);
void strbuf_string(struct strbuf *buffer, const char *string);
void strbuf_char(struct strbuf *buffer, char byte);
/* For messages and headers, not for rows: goes through vsnprintf. */
void strbuf_printf(struct strbuf *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The bytes as a NUL-terminated string, valid until the next append; "" when memory ran out. */
const char *strbuf_text(struct strbuf *buffer);

#endif
