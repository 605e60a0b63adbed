/* SPDX-License-Identifier: MIT */
#include "base/unwind_entry.h"

#include <stddef.h>
#include <string.h>

/* The formats are in the Linux Standard Base, "Exception Frames". */
enum { LONGEST = 1 << 20 /* bytes of an entry */ };

enum encoding {
	ENCODED_POINTER = 0x00,
	ENCODED_UDATA2 = 0x02,
	ENCODED_UDATA4 = 0x03,
	ENCODED_UDATA8 = 0x04,
	ENCODED_SDATA2 = 0x0a,
	ENCODED_SDATA4 = 0x0b,
	ENCODED_SDATA8 = 0x0c,
	ENCODED_FORMAT = 0x0f,
	ENCODED_RELATIVE = 0x10, /* to its own address */
	ENCODED_INDIRECT = 0x80,
	ENCODED_BASE = 0x70,
	ENCODED_TABLE = 0x3b, /* of rows: 4 bytes, signed, relative to the header */
};

uint64_t unwind_take(struct unwind_reader *reader, unsigned size)
{
	uint64_t value = 0;

	if ((size_t)(reader->end - reader->at) < size) {
		reader->failed = true;
		reader->at = reader->end;
		return 0;
	}
	memcpy(&value, reader->at, size); /* both architectures are little endian */
	reader->at += size;
	return value;
}

static int64_t take_signed(struct unwind_reader *reader, unsigned size)
{
	unsigned unused = 64 - 8 * size;

	return (int64_t)(unwind_take(reader, size) << unused) >> unused;
}

static uint64_t take_leb(struct unwind_reader *reader, bool is_signed)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = (uint8_t)unwind_take(reader, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= ~UINT64_C(0) << shift;
	return value;
}

uint64_t unwind_take_leb(struct unwind_reader *reader)
{
	return take_leb(reader, false);
}

int64_t unwind_take_signed_leb(struct unwind_reader *reader)
{
	return (int64_t)take_leb(reader, true);
}

struct unwind_reader unwind_take_block(struct unwind_reader *reader, uint64_t size)
{
	struct unwind_reader block = {reader->at, reader->at, false};

	if (size > (size_t)(reader->end - reader->at)) {
		reader->failed = true;
		reader->at = reader->end;
	} else {
		reader->at += size;
		block.end = reader->at;
	}
	return block;
}

uint64_t unwind_take_encoded(struct unwind_reader *reader, uint8_t encoding)
{
	uintptr_t own = (uintptr_t)reader->at;
	uint64_t value;

	switch (encoding & ENCODED_FORMAT) {
	case ENCODED_POINTER:
	case ENCODED_UDATA8:
	case ENCODED_SDATA8:
		value = unwind_take(reader, 8);
		break;
	case ENCODED_UDATA4:
		value = unwind_take(reader, 4);
		break;
	case ENCODED_SDATA4:
		value = (uint64_t)take_signed(reader, 4);
		break;
	case ENCODED_UDATA2:
		value = unwind_take(reader, 2);
		break;
	case ENCODED_SDATA2:
		value = (uint64_t)take_signed(reader, 2);
		break;
	default:
		reader->failed = true;
		return 0;
	}
	if ((encoding & ENCODED_BASE) == ENCODED_RELATIVE)
		value += own;
	else if (encoding & ENCODED_BASE)
		reader->failed = true;
	return value;
}

/* Returns a reader of the CIE or FDE at `at` without its length, or one that has failed. */
static struct unwind_reader open_entry(const struct unwind_section *section, const uint8_t *at)
{
	struct unwind_reader reader = {at, section->end, false};
	uint64_t length;

	if (at < section->begin || at > section->end) {
		reader.at = reader.end;
		reader.failed = true;
		return reader;
	}
	length = unwind_take(&reader, 4);
	if (!length || length > LONGEST || length > (size_t)(reader.end - reader.at))
		reader.failed = true;
	else
		reader.end = reader.at + length;
	return reader;
}

static void read_augmentation(struct unwind_reader *reader, const char *letters,
			      struct unwind_entry *entry)
{
	uint64_t size = unwind_take_leb(reader);
	struct unwind_reader data = unwind_take_block(reader, size);

	for (letters++; *letters; letters++)
		switch (*letters) {
		case 'R':
			entry->encoding = (uint8_t)unwind_take(&data, 1);
			break;
		case 'L':
			unwind_take(&data, 1);
			break;
		case 'P': {
			uint8_t encoding = (uint8_t)unwind_take(&data, 1);

			unwind_take_encoded(&data, encoding & (ENCODED_FORMAT | ENCODED_RELATIVE));
			break;
		}
		case 'S':
			entry->signal = true;
			break;
		case 'B': /* of aarch64: which key signs pointers, and tags memory */
		case 'G':
			break;
		default:
			reader->failed = true;
		}
	reader->failed |= data.failed;
}

static bool read_common(const struct unwind_section *section, const uint8_t *at,
			struct unwind_entry *entry)
{
	struct unwind_reader reader = open_entry(section, at);
	const char *letters;
	uint64_t version;

	if (reader.failed || unwind_take(&reader, 4))
		return false;
	version = unwind_take(&reader, 1);
	letters = (const char *)reader.at;
	while (unwind_take(&reader, 1))
		;
	if (reader.failed || (version != 1 && version != 3))
		return false;
	entry->code_unit = unwind_take_leb(&reader);
	entry->data_unit = unwind_take_signed_leb(&reader);
	entry->return_register = version == 1 ? unwind_take(&reader, 1) : unwind_take_leb(&reader);
	entry->has_augmentation = *letters == 'z';
	if (entry->has_augmentation)
		read_augmentation(&reader, letters, entry);
	else if (*letters)
		return false;
	entry->common = reader;
	return !reader.failed;
}

static bool read_entry(const struct unwind_section *section, const uint8_t *at,
		       struct unwind_entry *entry)
{
	struct unwind_reader reader = open_entry(section, at);
	const uint8_t *own = reader.at;
	uint64_t back = unwind_take(&reader, 4);

	if (reader.failed || !back || back > (size_t)(own - section->begin) ||
	    !read_common(section, own - back, entry))
		return false;
	entry->start = unwind_take_encoded(&reader, entry->encoding);
	entry->size = unwind_take_encoded(&reader, entry->encoding & ENCODED_FORMAT);
	if (entry->has_augmentation) {
		uint64_t size = unwind_take_leb(&reader);

		unwind_take_block(&reader, size);
	}
	entry->own = reader;
	return !reader.failed && !(entry->encoding & ENCODED_INDIRECT);
}

/* Returns the FDE that the binary search table names for the address, or NULL. */
static const uint8_t *find_entry(const struct unwind_section *section, uintptr_t pc)
{
	const uint8_t *header = section->header;
	struct unwind_reader reader = {header, section->end, false};
	uint64_t low = 0, high, offset;
	const uint8_t *table;
	uint32_t form;
	int32_t row[2];

	if (header < section->begin || header > section->end)
		return NULL;
	form = (uint32_t)unwind_take(&reader, 4); /* version and three encodings */
	unwind_take_encoded(&reader, (uint8_t)(form >> 8));
	high = unwind_take_encoded(&reader, (uint8_t)(form >> 16));
	table = reader.at;
	if (reader.failed || (form & 0xff) != 1 || form >> 24 != ENCODED_TABLE || !high ||
	    high > (size_t)(section->end - table) / sizeof(row))
		return NULL;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		memcpy(row, table + middle * sizeof(row), sizeof(row));
		if ((uintptr_t)header + (uintptr_t)(intptr_t)row[0] <= pc)
			low = middle;
		else
			high = middle;
	}
	memcpy(row, table + low * sizeof(row), sizeof(row));
	offset = (uintptr_t)header + (uintptr_t)(intptr_t)row[1] - (uintptr_t)section->begin;
	if (offset > (size_t)(section->end - section->begin))
		return NULL;
	return section->begin + offset;
}

bool unwind_entry_find(const struct unwind_section *section, uintptr_t pc,
		       struct unwind_entry *entry)
{
	const uint8_t *at = find_entry(section, pc);

	memset(entry, 0, sizeof(*entry));
	entry->encoding = ENCODED_POINTER;
	return at && read_entry(section, at, entry) && pc - entry->start < entry->size;
}
