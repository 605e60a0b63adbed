/* SPDX-License-Identifier: MIT */
#include "view/format/label.h"

#include <stdlib.h>
#include <string.h>

#include "model/api.h"
#include "model/method.h"
#include "output/escape.h"
#include "view/format/demangle.h"

enum { DOTS = 3, KEPT = 256 };

struct label_cache {
	struct {
		uint32_t name;
		struct strbuf text;
	} kept[2][KEPT]; /* without and with parameters, by the low bits of `name` */
};

#define ROW(from)                                                                                  \
	{                                                                                          \
		[MEMORY_HOST] = from "toH", [MEMORY_DEVICE] = from "toD",                          \
		[MEMORY_ARRAY] = from "toA",                                                       \
	}

static const char *const directions[MEMORY_COUNT][MEMORY_COUNT] = {
	[MEMORY_HOST] = ROW("H"),
	[MEMORY_DEVICE] = ROW("D"),
	[MEMORY_ARRAY] = ROW("A"),
	[MEMORY_PEER] = {[MEMORY_PEER] = "PtoP"},
};

const char *label_direction(const struct record *record)
{
	const char *text;

	if (record->source >= MEMORY_COUNT || record->target >= MEMORY_COUNT)
		return "";
	text = directions[record->source][record->target];
	return text ? text : "";
}

/* Escapes the bytes of `to` from `start` on. */
static void escape_tail(struct strbuf *to, size_t start)
{
	size_t length = to->length - start;
	char *at = strbuf_reserve(to, ESCAPE_SIZE(length)), *end;

	if (!at)
		return;
	end = escape_name(at, to->data + start, length, ESCAPE_SHOWN);
	memmove(to->data + start, at, (size_t)(end - at));
	to->length = start + (size_t)(end - at);
}

static void put_text(struct strbuf *to, const struct record *record, const struct label *shown,
		     bool parameters)
{
	size_t length, start = to->length;
	const char *name = method_text(record, DIALECT_CLASSIC, shown->names, &length);

	if (shown->demangled && demangle(to, name, length, parameters))
		escape_tail(to, start);
	else
		escape_put(to, name, length, ESCAPE_SHOWN);
}

static void put_kernel(struct strbuf *to, const struct record *record, struct label *shown,
		       bool parameters)
{
	uint32_t *name;
	struct strbuf *text;

	if (!shown->cache)
		shown->cache = calloc(1, sizeof(*shown->cache));
	if (!shown->cache) {
		to->failed = true;
		return;
	}
	name = &shown->cache->kept[parameters][record->name % KEPT].name;
	text = &shown->cache->kept[parameters][record->name % KEPT].text;
	if (*name != record->name || !text->length) {
		*name = record->name;
		text->length = 0;
		put_text(text, record, shown, parameters);
	}
	strbuf_append(to, text->data, text->length);
	to->failed |= text->failed;
}

void label_free(struct label *shown)
{
	for (int i = 0; shown->cache && i < 2; i++)
		for (int j = 0; j < KEPT; j++)
			strbuf_free(&shown->cache->kept[i][j].text);
	free(shown->cache);
	shown->cache = NULL;
}

static void put_function(struct strbuf *to, const struct record *record, const struct names *names)
{
	size_t length;
	const char *name = names_text(names, record->name, &length);

	if (length)
		escape_put(to, name, length, ESCAPE_SHOWN);
	else
		strbuf_string(to, "unknown");
}

static void put_words(struct strbuf *to, enum api api, const char *what, const char *direction)
{
	strbuf_char(to, '[');
	strbuf_string(to, api_row(api)->name);
	strbuf_string(to, what);
	strbuf_string(to, direction);
	strbuf_char(to, ']');
}

static void put_name(struct strbuf *to, enum api api, const struct record *record,
		     struct label *shown, bool parameters)
{
	if (record->frame.flags & LABEL_OTHER) {
		strbuf_string(to, LABEL_OTHER_NAME);
		return;
	}
	if (record->frame.kind == FRAME_KERNEL) {
		put_kernel(to, record, shown, parameters);
		return;
	}
	if (record->frame.kind == FRAME_CALL) {
		put_function(to, record, shown->names);
		return;
	}
	if (record->frame.kind == FRAME_COPY) {
		const char *direction = label_direction(record);

		put_words(to, api, *direction ? " memcpy " : " memcpy", direction);
		return;
	}
	put_words(to, api, " memset", "");
}

void label_name(struct strbuf *to, enum api api, const struct record *record, struct label *shown)
{
	put_name(to, api, record, shown, true);
}

static bool is_first_byte(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

size_t label_columns(const char *text, size_t length)
{
	size_t width = 0;

	for (size_t i = 0; i < length; i++)
		width += is_first_byte(text[i]);
	return width;
}

static size_t columns_of(const struct strbuf *text, size_t start)
{
	return label_columns(text->data + start, text->length - start);
}

/* Returns the offset of character number `wanted`. */
static size_t place_of(const struct strbuf *text, size_t start, size_t wanted)
{
	size_t at = start;

	for (; at < text->length; at++)
		if (is_first_byte(text->data[at]) && !wanted--)
			break;
	return at;
}

void label_cut(struct strbuf *to, size_t start, size_t room)
{
	to->length = place_of(to, start, room);
}

void label_left(struct strbuf *to, size_t start, size_t width)
{
	for (size_t taken = columns_of(to, start); taken < width; taken++)
		strbuf_char(to, ' ');
}

void label_right(struct strbuf *to, size_t start, size_t width)
{
	size_t taken = columns_of(to, start), length = to->length - start, missing;

	missing = taken < width ? width - taken : 0;
	if (!missing || !strbuf_reserve(to, missing))
		return;
	memmove(to->data + start + missing, to->data + start, length);
	memset(to->data + start, ' ', missing);
	to->length += missing;
}

static void take_middle(struct strbuf *to, size_t start, size_t room)
{
	size_t all = columns_of(to, start), kept = room - DOTS;
	size_t head = place_of(to, start, kept - kept / 2);
	size_t tail = place_of(to, start, all - kept / 2);

	memmove(to->data + head + DOTS, to->data + tail, to->length - tail);
	memcpy(to->data + head, "...", DOTS);
	to->length = head + DOTS + (to->length - tail);
}

void label_shorten(struct strbuf *to, size_t start, size_t room)
{
	if (!room || columns_of(to, start) <= room)
		return;
	if (room > DOTS)
		take_middle(to, start, room);
	else
		label_cut(to, start, room);
}

void label_short(struct strbuf *to, enum api api, const struct record *record, struct label *shown,
		 size_t room)
{
	size_t start = to->length;

	put_name(to, api, record, shown, true);
	if (!room || columns_of(to, start) <= room || record->frame.kind != FRAME_KERNEL)
		return;
	to->length = start;
	put_name(to, api, record, shown, false);
	label_shorten(to, start, room);
}

/* Filled from the end, since the field is longer than the text. */
void label_quote(struct strbuf *to, size_t start)
{
	static const char digits[] = "0123456789abcdef";
	size_t length = to->length - start, more = 2;
	bool formula = length && strchr("=+-@", to->data[start]);
	char first = length ? to->data[start] : '\0', *end;

	for (size_t i = start; i < to->length; i++)
		more += to->data[i] == '"';
	more += formula ? 3 : 0;
	if (!strbuf_reserve(to, more))
		return;
	end = to->data + to->length + more;
	*--end = '"';
	for (size_t i = to->length; i > start + formula; i--) {
		*--end = to->data[i - 1];
		if (*end == '"')
			*--end = '"';
	}
	to->length += more;
	to->data[start] = '"';
	if (formula) {
		to->data[start + 1] = '\\';
		to->data[start + 2] = 'x';
		to->data[start + 3] = digits[first >> 4];
		to->data[start + 4] = digits[first & 15];
	}
}

void label_device(struct strbuf *to, const struct catalog *catalog, uint32_t device)
{
	const struct device *on = catalog_device(catalog, device);

	if (!on) {
		strbuf_string(to, "unknown");
		return;
	}
	escape_put(to, on->name, strlen(on->name), ESCAPE_SHOWN);
	strbuf_string(to, " (");
	strbuf_decimal(to, on->number);
	strbuf_char(to, ')');
}
