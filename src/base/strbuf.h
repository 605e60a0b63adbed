/* SPDX-License-Identifier: MIT */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A growing byte buffer. Its memory is from mmap, not malloc, so a thread that was interrupted
 * inside the host's allocator may use it. Not thread-safe.
 *
 * Without memory, `failed` is set and the append is dropped; later appends succeed if they fit. A
 * caller that must not lose bytes checks `failed` once at the end.
 */
struct strbuf {
	char *data; /* not NUL-terminated unless strbuf_text was called */
	size_t length;
	size_t capacity;
	bool failed;
};

#define STRBUF_INIT ((struct strbuf){0})

void strbuf_free(struct strbuf *buffer);

/* Returns space for `size` more bytes, or NULL. `length` is not changed. */
char *strbuf_reserve(struct strbuf *buffer, size_t size);

/* The same without a call, if there is space. */
static inline char *strbuf_reserve_fast(struct strbuf *buffer, size_t size)
{
	if (buffer->data && size <= buffer->capacity - buffer->length)
		return buffer->data + buffer->length;
	return strbuf_reserve(buffer, size);
}

void strbuf_append(struct strbuf *buffer, const void *bytes, size_t size);
void strbuf_string(struct strbuf *buffer, const char *string);
void strbuf_char(struct strbuf *buffer, char byte);
void strbuf_decimal(struct strbuf *buffer, uint64_t value);
/* For messages and headers, not for rows: it uses vsnprintf. */
void strbuf_printf(struct strbuf *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns the bytes as a NUL-terminated string, valid until the next append; "" without memory. */
const char *strbuf_text(struct strbuf *buffer);

#endif
