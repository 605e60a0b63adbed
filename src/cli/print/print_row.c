/* SPDX-License-Identifier: MIT */
/*
 * Converts rows between the two formats. A slot is the content of one key=[ value ] pair: one
 * column of the column line or, for gridsizeX,gridsizeY, several.
 */
#include "cli/print/print.h"

#include <string.h>

#include "base/text.h"
#include "model/api.h"
#include "model/column.h"
#include "output/logheader.h"

struct print_slot {
	const struct column *column; /* NULL for counters and unknown names */
	const struct log_text *names;
	size_t count;
	const char *key; /* NULL: the key is the name */
};

static struct log_text as_text(const char *string)
{
	return (struct log_text){.text = string, .length = strlen(string)};
}

static struct log_text cut(struct log_text *rest)
{
	return text_trimmed(text_cut(rest, ','));
}

/* Returns true if the next columns are all those of `header`, such as "gridsizeX,gridsizeY". */
static bool begins_with(const struct log_text *names, size_t left, const char *header)
{
	struct log_text rest = as_text(header);

	while (rest.length) {
		struct log_text name = cut(&rest);

		if (!left || !text_same_as(*names, name))
			return false;
		names++;
		left--;
	}
	return true;
}

/* The longest match: gridsize3d begins as gridsize does. */
static const struct column *find_column(const struct log_text *names, size_t left, enum terms terms)
{
	const struct column *best = NULL;

	for (int i = 0; i < COLUMN_COUNT; i++) {
		const struct column *column = &columns[i];

		if (column->header[terms] && (!best || column->count > best->count) &&
		    begins_with(names, left, column->header[terms]))
			best = column;
	}
	return best;
}

void print_slots(struct strbuf *slots, const struct print_style *style)
{
	enum terms terms = api_rows[style->reader->header.api].terms;
	size_t left;
	const struct log_text *names = logreader_columns(style->reader, &left);

	while (left) {
		struct print_slot slot = {.names = names, .count = 1};

		slot.column = find_column(names, left, terms);
		if (slot.column) {
			slot.count = slot.column->count;
			slot.key = slot.column->key[terms][style->dialect].name;
		}
		strbuf_append(slots, &slot, sizeof(slot));
		names += slot.count;
		left -= slot.count;
	}
}

static const struct print_slot *slots_of(const struct strbuf *slots, size_t *count)
{
	*count = slots->length / sizeof(struct print_slot);
	return (const void *)slots->data;
}

struct log_text print_slot_key(const struct strbuf *slots, size_t index)
{
	size_t count;
	const struct print_slot *slot = slots_of(slots, &count);

	if (index >= count)
		return (struct log_text){0};
	return slot[index].key ? as_text(slot[index].key) : *slot[index].names;
}

void print_columns(struct strbuf *to, const struct strbuf *slots)
{
	size_t count, printed = 0;
	const struct print_slot *slot = slots_of(slots, &count);

	for (; count; count--, slot++)
		for (size_t i = 0; i < slot->count; i++) {
			if (printed++)
				strbuf_char(to, ',');
			strbuf_append(to, slot->names[i].text, slot->names[i].length);
		}
	if (printed)
		strbuf_char(to, '\n');
}

/* Logs of different versions differ in the letter case of gridSize. */
static bool same_key(struct log_text key, const struct print_slot *slot)
{
	char word[64];

	if (!slot->key || key.length >= sizeof(word))
		return text_same_as(key, *slot->names);
	memcpy(word, key.text, key.length);
	word[key.length] = '\0';
	return text_same(word, slot->key);
}

/*
 * Finds the first field with the slot's key or, if `name` is given, with that name. Fields have the
 * order of the columns, so the search starts after the last field found.
 */
static bool find_field(const struct print_style *style, const struct print_slot *slot,
		       const struct log_text *name, struct log_text *value)
{
	size_t count, at = *style->at;
	const struct log_field *fields = logreader_fields(style->reader, &count);

	for (size_t i = 0; i < count; i++, at++) {
		const struct log_field *field = &fields[at < count ? at : (at = 0)];

		if (name ? !text_same_as(field->key, *name) : !same_key(field->key, slot))
			continue;
		*value = field->value;
		*style->at = at + 1;
		return true;
	}
	return false;
}

/* Gets the value of the slot's column `index`; false if the row has none. */
static bool find_cell(const struct print_style *style, const struct print_slot *slot, size_t index,
		      struct log_text *value)
{
	struct log_text vector;

	if (find_field(style, slot, &slot->names[index], value))
		return true;
	if (!find_field(style, slot, NULL, &vector))
		return false;
	if (slot->count == 1) {
		*value = vector;
		return true;
	}
	for (size_t i = 0; i <= index; i++)
		*value = cut(&vector);
	return value->length != 0;
}

/* As find_cell, in the requested dialect. */
static bool get_cell(const struct print_style *style, const struct print_slot *slot, size_t index,
		     struct log_text *value)
{
	if (!find_cell(style, slot, index, value))
		return false;
	if (slot->column == &columns[COLUMN_ID_METHOD])
		*value = print_method(style, *value);
	return true;
}

/* A value of a KVP row may contain a comma, which separates fields in CSV. A row must not start
 * like a header or a warning. */
static void put_csv(struct strbuf *to, struct log_text value, bool first)
{
	bool forges = text_starts(value, "#") || text_starts(value, "\"") ||
		      text_starts(value, "NV_Warning") || text_starts(value, "NV_Error");

	if (first && forges) {
		strbuf_printf(to, "\\x%02x", *value.text);
		value.text++;
		value.length--;
	}
	for (size_t i = 0; i < value.length; i++)
		if (value.text[i] == ',')
			strbuf_string(to, "\\x2c");
		else
			strbuf_char(to, value.text[i]);
}

/* A value of a CSV row may contain the characters that end a value in KVP. */
static void put_word(struct strbuf *to, struct log_text value)
{
	for (size_t i = 0; i < value.length; i++) {
		bool last = i + 1 == value.length;

		if (value.text[i] == ' ')
			strbuf_string(to, "\\x20");
		else if (value.text[i] == ']' && (last || value.text[i + 1] == ' '))
			strbuf_string(to, "\\x5d");
		else
			strbuf_char(to, value.text[i]);
	}
}

static void put_row_csv(struct strbuf *to, const struct strbuf *slots,
			const struct print_style *style)
{
	size_t count, commas = 0, start = to->length;
	const struct print_slot *slot = slots_of(slots, &count);
	struct log_text value;

	for (; count; count--, slot++)
		for (size_t i = 0; i < slot->count; i++, commas++) {
			if (!get_cell(style, slot, i, &value))
				continue;
			for (; commas; commas--)
				strbuf_char(to, ',');
			put_csv(to, value, to->length == start && !style->reader->header.csv);
		}
	if (to->length > start)
		strbuf_char(to, '\n');
}

/* Appends the row's values for one key, separated as in KVP; false if it has none. */
static bool put_vector(struct strbuf *to, const struct print_style *style,
		       const struct print_slot *slot)
{
	struct log_text value;
	size_t found = 0;

	for (size_t i = 0; i < slot->count; i++) {
		if (!get_cell(style, slot, i, &value))
			continue;
		strbuf_string(to, found++ ? ", " : "");
		if (style->reader->header.csv)
			put_word(to, value);
		else
			strbuf_append(to, value.text, value.length);
	}
	return found;
}

static void put_row_keyval(struct strbuf *to, const struct strbuf *slots,
			   const struct print_style *style)
{
	size_t count, row = to->length;
	const struct print_slot *slot = slots_of(slots, &count);

	for (; count; count--, slot++) {
		size_t start = to->length;

		if (slot->key)
			strbuf_string(to, slot->key);
		else
			strbuf_append(to, slot->names->text, slot->names->length);
		strbuf_string(to, "=[ ");
		if (put_vector(to, style, slot))
			strbuf_string(to, " ] ");
		else
			to->length = start;
	}
	if (to->length > row)
		strbuf_char(to, '\n');
}

void print_row(struct strbuf *to, const struct strbuf *slots, const struct print_style *style)
{
	if (style->format == FORMAT_CSV)
		put_row_csv(to, slots, style);
	else
		put_row_keyval(to, slots, style);
}
