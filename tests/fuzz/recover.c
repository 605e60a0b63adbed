/* SPDX-License-Identifier: MIT */
/*
 * The input is a ring file and the other files of a killed program, packed in pieces: a letter, a
 * length of two bytes (low byte first), and that many bytes. S: the next pages of the ring file,
 * padded with zeros. L, T: the contents of the log /log and the trace /trace. D: the disk has no
 * room for files that are longer than the length, in units of 256 bytes.
 */
#include "fuzz.h"
#include "machine.h"
#include "recovery.h"
#include "session/ringfile.h"

enum { HEAD = 3 };

static void put_pages(struct strbuf *to, const uint8_t *bytes, size_t size)
{
	static const char zeros[RINGFILE_PAGE];

	strbuf_append(to, bytes, size);
	if (!to->length || to->length % RINGFILE_PAGE)
		strbuf_append(to, zeros, RINGFILE_PAGE - to->length % RINGFILE_PAGE);
}

static void unpack(struct left *left, const uint8_t *data, size_t size)
{
	while (size >= HEAD) {
		size_t length = data[1] | (size_t)data[2] << 8;
		const uint8_t *bytes = data + HEAD;

		length = length < size - HEAD ? length : size - HEAD;
		if (*data == 'S')
			put_pages(&left->ring, bytes, length);
		if (*data == 'L')
			strbuf_append(&left->log, bytes, length);
		if (*data == 'T')
			strbuf_append(&left->trace, bytes, length);
		if (*data == 'D')
			machine_fill_disk(length << 8);
		left->full |= *data == 'D';
		data += HEAD + length;
		size -= HEAD + length;
	}
}

void fuzz_recover(const uint8_t *data, size_t size)
{
	struct left left = {0};

	unpack(&left, data, size);
	recovery_check(&left);
	left_free(&left);
}
