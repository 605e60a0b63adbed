/* SPDX-License-Identifier: MIT */
#include "base/python_lines.h"

enum { TABLE_MOST = 1 << 20, CHUNK = 64, UNIT = 2 /* bytes of an instruction */ };

/* The bytes of a table, one after the other. */
struct lines_reader {
	struct python_memory *memory;
	uintptr_t next;
	size_t left; /* after the chunk */
	unsigned position, filled;
	bool ended;
	uint8_t chunk[CHUNK];
};

static uint8_t take(struct lines_reader *reader)
{
	if (reader->position == reader->filled) {
		size_t part = reader->left < CHUNK ? reader->left : CHUNK;

		if (!part ||
		    !python_memory_copy(reader->memory, reader->chunk, reader->next, part)) {
			reader->ended = true;
			return 0;
		}
		reader->next += part;
		reader->left -= part;
		reader->filled = (unsigned)part;
		reader->position = 0;
	}
	return reader->chunk[reader->position++];
}

/* Six bits a byte, the least significant ones first; bit 6: another one follows. */
static uint32_t take_varint(struct lines_reader *reader)
{
	uint32_t value = 0, byte = 0x40;

	for (unsigned shift = 0; byte & 0x40 && shift < 32; shift += 6) {
		byte = take(reader);
		value |= (byte & 0x3f) << shift;
	}
	return value;
}

static int32_t take_signed(struct lines_reader *reader)
{
	uint32_t value = take_varint(reader);

	return value & 1 ? -(int32_t)(value >> 1) : (int32_t)(value >> 1);
}

static void skip(struct lines_reader *reader, unsigned count)
{
	while (count--)
		take(reader);
}

/* An entry of 3.11 and later: its kind and the number of instructions, then columns in a form that
 * depends on the kind. Adds to *line. Returns false if its instructions have no line. */
static bool take_entry(struct lines_reader *reader, int64_t *line, int64_t *units)
{
	enum { ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14, NO_LINE = 15 };
	uint8_t byte = take(reader);
	unsigned kind = byte >> 3 & 15;

	*units = (byte & 7) + 1;
	if (!(byte & 0x80))
		reader->ended = true;
	if (kind < ONE_LINE) {
		skip(reader, 1);
	} else if (kind < NO_COLUMNS) {
		*line += kind - ONE_LINE;
		skip(reader, 2);
	} else if (kind < NO_LINE) {
		*line += take_signed(reader);
		for (int i = 0; kind == LONG && i < 3; i++)
			take_varint(reader);
	}
	return kind != NO_LINE;
}

/* An entry of 3.10: the number of bytes, and the difference of lines; -128: they have none. */
static bool take_pair(struct lines_reader *reader, int64_t *line, int64_t *units)
{
	int8_t difference;

	*units = take(reader) / UNIT;
	difference = (int8_t)take(reader);
	if (difference != INT8_MIN)
		*line += difference;
	return difference != INT8_MIN;
}

uint32_t python_lines_find(const struct python_interpreter *interpreter,
			   struct python_memory *memory, uintptr_t table, uint32_t first,
			   int64_t at)
{
	const struct python_layout *layout = &interpreter->layout;
	struct lines_reader reader = {.memory = memory, .next = table + layout->bytes_data};
	int64_t end = 0, line = first, units;
	bool has_line = false;

	if (!table ||
	    python_memory_word(memory, table + layout->object_type) != interpreter->bytes_type)
		return first;
	reader.left = python_memory_word(memory, table + layout->bytes_length);
	if (at < 0 || reader.left > TABLE_MOST)
		return first;
	while (end <= at) {
		has_line = layout->kind == PYTHON_SINGLE ? take_pair(&reader, &line, &units)
							 : take_entry(&reader, &line, &units);
		if (reader.ended)
			return first;
		end += units * UNIT;
	}
	return has_line && line > 0 && line <= UINT32_MAX ? (uint32_t)line : first;
}
