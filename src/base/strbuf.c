/* SPDX-License-Identifier: MIT */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

enum { SMALLEST = 1 << 12 };

void strbuf_free(struct strbuf *buffer)
{
	memory_unmap(buffer->data, buffer->capacity);
	*buffer = STRBUF_INIT;
}

/* Returns a power of two that is at least `size`, or 0. */
static size_t rounded_up(size_t size)
{
	size_t capacity = SMALLEST;

	if (size > SIZE_MAX / 2)
		return 0;
	while (capacity < size)
		capacity *= 2;
	return capacity;
}

static int grow(struct strbuf *buffer, size_t size)
{
	size_t capacity = size > SIZE_MAX - buffer->length ? 0 : rounded_up(buffer->length + size);
	void *data = NULL;

	if (capacity && buffer->data)
		data = memory_grow(buffer->data, buffer->capacity, capacity);
	else if (capacity)
		data = memory_map(capacity);
	if (!data) {
		buffer->failed = true;
		return -1;
	}
	buffer->data = data;
	buffer->capacity = capacity;
	return 0;
}

char *strbuf_reserve(struct strbuf *buffer, size_t size)
{
	if ((!buffer->data || size > buffer->capacity - buffer->length) && grow(buffer, size) < 0)
		return NULL;
	return buffer->data + buffer->length;
}

void strbuf_append(struct strbuf *buffer, const void *bytes, size_t size)
{
	char *to = size ? strbuf_reserve(buffer, size) : NULL;

	if (!to)
		return;
	memcpy(to, bytes, size);
	buffer->length += size;
}

void strbuf_string(struct strbuf *buffer, const char *string)
{
	strbuf_append(buffer, string, strlen(string));
}

void strbuf_char(struct strbuf *buffer, char byte)
{
	strbuf_append(buffer, &byte, 1);
}

void strbuf_decimal(struct strbuf *buffer, uint64_t value)
{
	char *to = strbuf_reserve(buffer, NUMBER_SIZE);

	if (to)
		buffer->length += (size_t)(number_decimal(to, value) - to);
}

void strbuf_printf(struct strbuf *buffer, const char *format, ...)
{
	va_list arguments;
	char *to = NULL;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length >= 0)
		to = strbuf_reserve(buffer, (size_t)length + 1);
	if (!to) {
		buffer->failed = true;
		return;
	}
	va_start(arguments, format);
	vsnprintf(to, (size_t)length + 1, format, arguments);
	va_end(arguments);
	buffer->length += (size_t)length;
}

const char *strbuf_text(struct strbuf *buffer)
{
	char *end = strbuf_reserve(buffer, 1);

	if (!end)
		return "";
	*end = '\0';
	return buffer->data;
}
