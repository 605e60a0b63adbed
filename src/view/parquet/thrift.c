/* SPDX-License-Identifier: MIT */
#include "view/parquet/thrift.h"

#include <string.h>

enum { TYPE_TRUE = 1, TYPE_FALSE = 2, TYPE_LIST = 9, SHORT_LIST = 15 };

static void put_varint(struct strbuf *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		strbuf_char(to, (char)(value | 0x80));
	strbuf_char(to, (char)value);
}

/* Small negative numbers become small numbers. */
static void put_signed(struct strbuf *to, int64_t value)
{
	put_varint(to, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void put_field(struct thrift *thrift, int field, int type)
{
	strbuf_char(thrift->to, (char)((field - thrift->last) << 4 | type));
	thrift->last = field;
}

void thrift_number(struct thrift *thrift, int field, enum thrift_type type, int64_t value)
{
	put_field(thrift, field, type);
	put_signed(thrift->to, value);
}

void thrift_bool(struct thrift *thrift, int field, bool value)
{
	put_field(thrift, field, value ? TYPE_TRUE : TYPE_FALSE);
}

void thrift_binary(struct thrift *thrift, int field, const void *bytes, size_t size)
{
	put_field(thrift, field, THRIFT_BINARY);
	put_varint(thrift->to, size);
	strbuf_append(thrift->to, bytes, size);
}

void thrift_string(struct thrift *thrift, int field, const char *text)
{
	thrift_binary(thrift, field, text, strlen(text));
}

struct thrift thrift_struct(struct thrift *thrift, int field)
{
	put_field(thrift, field, THRIFT_STRUCT);
	return (struct thrift){.to = thrift->to};
}

void thrift_end(struct thrift *thrift)
{
	strbuf_char(thrift->to, 0);
}

void thrift_list(struct thrift *thrift, int field, enum thrift_type type, size_t count)
{
	put_field(thrift, field, TYPE_LIST);
	if (count < SHORT_LIST) {
		strbuf_char(thrift->to, (char)(count << 4 | type));
		return;
	}
	strbuf_char(thrift->to, (char)(SHORT_LIST << 4 | type));
	put_varint(thrift->to, count);
}

void thrift_element_number(struct thrift *thrift, int64_t value)
{
	put_signed(thrift->to, value);
}

void thrift_element_string(struct thrift *thrift, const char *text)
{
	put_varint(thrift->to, strlen(text));
	strbuf_string(thrift->to, text);
}
