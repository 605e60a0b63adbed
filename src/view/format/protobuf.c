/* SPDX-License-Identifier: MIT */
#include "view/format/protobuf.h"

#include <string.h>

enum wire { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2 };

enum { VARINT_SIZE = 10 };

/* Seven bits per byte, lowest first; the eighth bit is set in all but the last byte. */
static size_t encode(char *to, uint64_t value)
{
	size_t size = 0;

	for (; value >= 0x80; value >>= 7)
		to[size++] = (char)(value | 0x80);
	to[size++] = (char)value;
	return size;
}

static void varint(struct strbuf *to, uint64_t value)
{
	char *at = strbuf_reserve(to, VARINT_SIZE);

	if (at)
		to->length += encode(at, value);
}

static void tag(struct strbuf *to, uint32_t field, enum wire wire)
{
	varint(to, (uint64_t)field << 3 | wire);
}

void protobuf_number(struct strbuf *to, uint32_t field, uint64_t value)
{
	tag(to, field, WIRE_VARINT);
	varint(to, value);
}

void protobuf_fixed(struct strbuf *to, uint32_t field, uint64_t value)
{
	char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (char)(value >> 8 * i);
	tag(to, field, WIRE_FIXED64);
	strbuf_append(to, bytes, sizeof(bytes));
}

void protobuf_double(struct strbuf *to, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	protobuf_fixed(to, field, bits);
}

void protobuf_bytes(struct strbuf *to, uint32_t field, const void *bytes, size_t size)
{
	tag(to, field, WIRE_LENGTH);
	varint(to, size);
	strbuf_append(to, bytes, size);
}

void protobuf_string(struct strbuf *to, uint32_t field, const char *string)
{
	protobuf_bytes(to, field, string, strlen(string));
}

/* One byte is reserved for the length; a message of 128 bytes or more is moved. */
size_t protobuf_begin(struct strbuf *to, uint32_t field)
{
	tag(to, field, WIRE_LENGTH);
	strbuf_char(to, 0);
	return to->length;
}

void protobuf_end(struct strbuf *to, size_t begun)
{
	size_t length = to->length - begun;
	char size[VARINT_SIZE];
	size_t more = encode(size, length) - 1;

	if (to->failed || !strbuf_reserve(to, more))
		return;
	if (more)
		memmove(to->data + begun + more, to->data + begun, length);
	memcpy(to->data + begun - 1, size, more + 1);
	to->length += more;
}
