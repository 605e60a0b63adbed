/* SPDX-License-Identifier: MIT */
#include "base/python_code.h"

#include <string.h>

#include "base/memory.h"
#include "base/python_lines.h"
#include "base/slots.h"

enum {
	TABLE_BYTES = 16 << 20,
	UNIT = 16, /* functions begin at multiples of it */
	HASH_BITS = 16,
	HASH_MOST = 1 << 15, /* functions */
	NAME_MOST = 255,     /* bytes of texts; the end of a file's name is kept */
	FILE_MOST = 767,
	LINE_BITS = 11,
	CODE_BITS = 11,
	CHARACTERS = 64, /* of a text, read at once */
};

static char *table;
static _Atomic uint32_t table_end = UNIT; /* offset of the first free byte: 0 is no function */
static _Atomic uint32_t count;
static _Atomic uint32_t places[1 << HASH_BITS]; /* functions, by their hash: offset / UNIT */
static struct slot lines[1 << LINE_BITS];
static struct slot codes[1 << CODE_BITS]; /* unit of the function that a code object last had */

static struct python_function *at_unit(uint32_t unit)
{
	return (void *)(table + (size_t)unit * UNIT);
}

/* A damaged stack may have any word for an address, so the function must be in the table. */
struct python_function *python_function_of(uintptr_t word)
{
	uint32_t unit = (uint32_t)(word >> PYTHON_LINE_BITS) & ((1 << PYTHON_FUNCTION_BITS) - 1);
	uint32_t found;

	if (!unit || unit >= atomic_load(&table_end) / UNIT)
		return NULL;
	for (uint64_t index = at_unit(unit)->hash;; index++) {
		found = atomic_load_explicit(&places[index % (1 << HASH_BITS)],
					     memory_order_acquire);
		if (!found || found == unit)
			return found ? at_unit(unit) : NULL;
	}
}

int python_code_start(void)
{
	if (!table)
		table = memory_map(TABLE_BYTES);
	return table ? 0 : -1;
}

static size_t put_utf8(char *to, uint32_t character)
{
	if (character < 0x80) {
		to[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		to[0] = (char)(0xc0 | character >> 6);
		to[1] = (char)(0x80 | (character & 0x3f));
		return 2;
	}
	if (character < 0x10000) {
		to[0] = (char)(0xe0 | character >> 12);
		to[1] = (char)(0x80 | (character >> 6 & 0x3f));
		to[2] = (char)(0x80 | (character & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | (character >> 18 & 7));
	to[1] = (char)(0x80 | (character >> 12 & 0x3f));
	to[2] = (char)(0x80 | (character >> 6 & 0x3f));
	to[3] = (char)(0x80 | (character & 0x3f));
	return 4;
}

static uint32_t character_at(const uint8_t *bytes, size_t index, unsigned width)
{
	uint32_t wide;
	uint16_t half;

	if (width == 1)
		return bytes[index];
	if (width == 2) {
		memcpy(&half, bytes + index * width, sizeof(half));
		return half;
	}
	memcpy(&wide, bytes + index * width, sizeof(wide));
	return wide;
}

/* Copies `length` characters, at most `room`, of `width` bytes as UTF-8. Returns the number of
 * bytes, at most `room`; 0 if they cannot be read. */
static size_t copy_characters(struct python_memory *memory, uintptr_t from, size_t length,
			      unsigned width, bool ascii, char *to, size_t room)
{
	uint8_t bytes[CHARACTERS];
	size_t used = 0, part;
	char utf8[4];

	if (ascii)
		return python_memory_copy(memory, to, from, length) ? length : 0;
	for (; length; length -= part, from += part * width) {
		part = length < CHARACTERS / width ? length : CHARACTERS / width;
		if (!python_memory_copy(memory, bytes, from, part * width))
			return 0;
		for (size_t i = 0; i < part; i++) {
			size_t size = put_utf8(utf8, character_at(bytes, i, width));

			if (size > room - used)
				return used;
			memcpy(to + used, utf8, size);
			used += size;
		}
	}
	return used;
}

struct text {
	uintptr_t characters;
	size_t length;
	unsigned width;
	bool ascii;
};

/* The members of the word `state`: interned:2, kind:3 (bytes of a character), compact:1, ascii:1.
 */
static bool find_text(const struct python_interpreter *interpreter, struct python_memory *memory,
		      uintptr_t object, struct text *text)
{
	const struct python_layout *layout = &interpreter->layout;
	uint32_t state;

	if (!object || object % sizeof(object) ||
	    !python_memory_has(memory, object, layout->text_size) ||
	    python_word_at(object + layout->object_type) != interpreter->text_type)
		return false;
	state = python_u32_at(object + layout->text_state);
	text->length = python_word_at(object + layout->text_length);
	text->width = state >> 2 & 7;
	text->ascii = state >> 6 & 1;
	text->characters = object + (text->ascii ? layout->text_ascii : layout->text_other);
	return state >> 5 & 1 && (text->width == 1 || text->width == 2 || text->width == 4) &&
	       text->length <= 1 << 20;
}

static size_t copy_text(const struct python_interpreter *interpreter, struct python_memory *memory,
			uintptr_t object, char *to, size_t room, bool end)
{
	struct text text;
	size_t skip = 0;

	if (!find_text(interpreter, memory, object, &text))
		return 0;
	if (text.length > room) {
		skip = end ? text.length - room : 0;
		text.length = room;
	}
	return copy_characters(memory, text.characters + skip * text.width, text.length, text.width,
			       text.ascii, to, room);
}

/* Returns true if copy_text would copy these bytes, and all characters are ASCII. */
static inline bool is_text(const struct python_interpreter *interpreter,
			   struct python_memory *memory, uintptr_t object, const char *bytes,
			   size_t length)
{
	enum { MEMBERS = 7 << 2 | 1 << 5 | 1 << 6, COMPACT_ASCII = 1 << 2 | 1 << 5 | 1 << 6 };
	const struct python_layout *layout = &interpreter->layout;

	return object && object % sizeof(object) == 0 &&
	       python_memory_has(memory, object, layout->text_size) &&
	       python_word_at(object + layout->object_type) == interpreter->text_type &&
	       (python_u32_at(object + layout->text_state) & MEMBERS) == COMPACT_ASCII &&
	       python_word_at(object + layout->text_length) == length &&
	       python_memory_is(memory, object + layout->text_ascii, bytes, length);
}

static bool is_same(const struct python_function *function, const struct python_function *other)
{
	return function->hash == other->hash && function->first_line == other->first_line &&
	       function->name_length == other->name_length &&
	       function->file_length == other->file_length &&
	       !memcmp(function->text, other->text,
		       (size_t)function->name_length + function->file_length);
}

/* Returns the unit of a copy of the function, 0 without room. */
static uint32_t add(const struct python_function *function)
{
	uint32_t size = (uint32_t)(sizeof(*function) + function->name_length +
				   function->file_length + UNIT - 1) /
			UNIT * UNIT;
	uint32_t offset = atomic_load(&table_end);

	if (atomic_load(&count) >= HASH_MOST)
		return 0;
	do {
		if (size > TABLE_BYTES - offset)
			return 0;
	} while (!atomic_compare_exchange_weak(&table_end, &offset, offset + size));
	memcpy(table + offset, function,
	       sizeof(*function) + function->name_length + function->file_length);
	atomic_fetch_add(&count, 1);
	return offset / UNIT;
}

/* Two threads may add the same function: the second one's copy stays unused. */
static uint32_t intern(const struct python_function *function)
{
	uint32_t own = 0, unit;

	for (uint64_t index = function->hash;; index++) {
		_Atomic uint32_t *place = &places[index % (1 << HASH_BITS)];

		unit = atomic_load_explicit(place, memory_order_acquire);
		if (!unit) {
			own = own ? own : add(function);
			if (!own || atomic_compare_exchange_strong(place, &unit, own))
				return own;
		}
		if (is_same(at_unit(unit), function))
			return unit;
	}
}

/* Eight bytes at a time: it is made for each frame of each stack. */
static uint64_t hash_of(const struct python_function *function)
{
	size_t length = (size_t)function->name_length + function->file_length;
	uint64_t hash = function->first_line + 1, word;

	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = 0;
		memcpy(&word, function->text + i,
		       length - i < sizeof(word) ? length - i : sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* Copies what is known of the code object. Returns false if that is not valid. */
static bool read_function(const struct python_interpreter *interpreter,
			  struct python_memory *memory, uintptr_t code,
			  struct python_function *function)
{
	const struct python_layout *layout = &interpreter->layout;
	uintptr_t name = python_word_at(code + layout->code_name);
	uintptr_t file = python_word_at(code + layout->code_file);
	size_t length;

	*function = (struct python_function){0};
	length = copy_text(interpreter, memory, name, function->text, NAME_MOST, false);
	function->name_length = (uint16_t)length;
	length = copy_text(interpreter, memory, file, function->text + length, FILE_MOST, true);
	function->file_length = (uint16_t)length;
	function->first_line = python_u32_at(code + layout->code_first_line);
	function->hash = hash_of(function);
	return function->name_length && length;
}

/* A key has two slots, so that two keys of one stack may have the same first one. */
static uint64_t find_in(struct slot *slots, unsigned bits, uint64_t key, uint64_t salt)
{
	struct slot *slot = slot_of(slots, bits, key);
	uint64_t word = slot_read(slot, key, salt);

	return word ? word : slot_read(&slots[(slot - slots) ^ 1], key, salt);
}

static void put_in(struct slot *slots, unsigned bits, uint64_t key, uint64_t salt, uint64_t word)
{
	struct slot *slot = slot_of(slots, bits, key), *second = &slots[(slot - slots) ^ 1];
	bool is_free = !atomic_load_explicit(&second->word, memory_order_relaxed);

	if (is_free && atomic_load_explicit(&slot->word, memory_order_relaxed))
		slot = second;
	slot_write(slot, key, salt, word);
}

/* Returns the unit of the function of the code object, 0 if it is not known. Code objects end, and
 * others may be at their place, so all that a function has is compared. */
static uint32_t known_unit(const struct python_interpreter *interpreter,
			   struct python_memory *memory, uintptr_t code)
{
	const struct python_layout *layout = &interpreter->layout;
	uint32_t unit = (uint32_t)find_in(codes, CODE_BITS, code, 0);
	const struct python_function *function;

	if (!unit)
		return 0;
	function = at_unit(unit);
	if (python_u32_at(code + layout->code_first_line) != function->first_line ||
	    !is_text(interpreter, memory, python_word_at(code + layout->code_name), function->text,
		     function->name_length) ||
	    !is_text(interpreter, memory, python_word_at(code + layout->code_file),
		     function->text + function->name_length, function->file_length))
		return 0;
	return unit;
}

static uint32_t find_unit(const struct python_interpreter *interpreter,
			  struct python_memory *memory, uintptr_t code)
{
	union {
		struct python_function function;
		char room[sizeof(struct python_function) + NAME_MOST + FILE_MOST];
	} found;
	uint32_t unit;

	if (!read_function(interpreter, memory, code, &found.function))
		return 0;
	unit = intern(&found.function);
	if (unit)
		put_in(codes, CODE_BITS, code, 0, unit);
	return unit;
}

/* Returns a hash of parts of a table of lines, to distinguish it from a later one at the same
 * address. */
static uint64_t sample_of(const struct python_layout *layout, struct python_memory *memory,
			  uintptr_t bytes)
{
	enum { WORD = sizeof(uint64_t) };
	uintptr_t data = bytes + layout->bytes_data, length, first, last;
	uint64_t sample;

	if (!python_memory_has(memory, bytes, layout->bytes_data + WORD))
		return bytes;
	length = python_word_at(bytes + layout->bytes_length);
	first = python_word_at(data);
	last = python_memory_word(memory, data + length - WORD);
	sample = (bytes ^ length << 48) * UINT64_C(0xd6e8feb86659fd93);

	sample = (sample ^ sample >> 32 ^ first) * UINT64_C(0x9e3779b97f4a7c15);
	return (sample ^ sample >> 32 ^ last) * UINT64_C(0xd6e8feb86659fd93);
}

/* Returns the line, from the cache if it was looked up before. The cache may hold a line of another
 * version of the function only if that was at the same place, and so were its lines, with the same
 * number of bytes, the same first ones and the same last ones. */
static uint32_t line_of(const struct python_interpreter *interpreter, struct python_memory *memory,
			uintptr_t code, uintptr_t instruction, uint32_t unit, uint32_t first)
{
	const struct python_layout *layout = &interpreter->layout;
	uintptr_t bytes = python_word_at(code + layout->code_lines);
	uint64_t salt = sample_of(layout, memory, bytes) + unit;
	uint64_t key = code ^ instruction << 24;
	uint64_t line = find_in(lines, LINE_BITS, key, salt);

	if (line)
		return (uint32_t)line;
	line = python_lines_find(interpreter, memory, bytes, first,
				 layout->kind == PYTHON_SINGLE ? (int64_t)(int32_t)instruction * 2
							       : (int64_t)(instruction - code) -
									 layout->code_instructions);
	if (line >= 1 << PYTHON_LINE_BITS)
		line = 0;
	if (line)
		put_in(lines, LINE_BITS, key, salt, line);
	return (uint32_t)line;
}

uintptr_t python_code_frame(const struct python_interpreter *interpreter,
			    struct python_memory *memory, uintptr_t code, uintptr_t instruction)
{
	uint32_t unit, line;

	if (!code || code % sizeof(code) ||
	    !python_memory_has(memory, code, interpreter->layout.code_size) ||
	    python_word_at(code + interpreter->layout.object_type) != interpreter->code_type)
		return 0;
	unit = known_unit(interpreter, memory, code);
	if (!unit)
		unit = find_unit(interpreter, memory, code);
	if (!unit)
		return 0;
	line = line_of(interpreter, memory, code, instruction, unit, at_unit(unit)->first_line);
	return PYTHON_UNKNOWN | (uintptr_t)unit << PYTHON_LINE_BITS | line;
}
