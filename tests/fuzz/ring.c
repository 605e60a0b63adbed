/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * The input describes the ring file and the other files of a killed program. The ring file that is
 * made from it has a valid header and whole segments, so that every input reaches the frames. It
 * has pieces: a letter, a length of one byte, and that many bytes:
 *
 *	U  rules: other API or not, dialect, format, forked (2: totals), traced, limits of records
 *	   and of 256 bytes; warnings
 *	F  any frame: its kind, the bytes after its header
 *	L  the log: other API or not, flags, rows in its commit, missing bytes of its hashes; its
 *	   text
 *	T  the trace: the numbers of its samples, one per byte
 *	R  a slot of the ring: the number of a sample, an offset in it; the bytes to write there
 *	P  a pending place: the same
 *	K  a row of totals: its kind (128: of others), an offset in it; the bytes to write there
 *	J  the head of the segment of totals: an offset after struct segment; the bytes to write
 *	   there
 *	O  in the end, the ring's tail and head, 2 bytes each
 *	B  in the end: an offset in the file (2 bytes); the bytes to write there
 *	H  the file is a copy
 *	D  the disk has no room for longer files, in units of 1 KiB
 */
/* clang-format on */
#include <string.h>

#include "fuzz.h"
#include "machine.h"
#include "output/trace.h"
#include "recovery.h"
#include "samples.h"
#include "session/rules.h"
#include "session/state.h"
#include "session/totals_table.h"

enum {
	FRAMES = 8 * RINGFILE_PAGE,
	RING_SEGMENT = 2 * RINGFILE_PAGE,
	PLACES = 8,
	PENDING = RINGFILE_PAGE,
	TOTALS = 2 * RINGFILE_PAGE,
	ROWS = (TOTALS - sizeof(struct totals_segment)) / sizeof(struct totals_row),
	BODY = 256, /* of a piece, at most */
};

struct piece {
	char letter;
	uint8_t bytes[BODY]; /* zeros after the input */
	size_t size;
};

struct maker {
	struct left left;
	struct ringfile_header header;
	struct strbuf frames;
	enum api api;
	bool has_log, has_trace;
	char ring[RING_SEGMENT] __attribute__((aligned(64)));
	struct {
		struct segment segment;
		struct record places[PLACES];
	} pending;
	uint32_t pending_count;
	struct {
		struct totals_segment head;
		struct totals_row rows[ROWS];
	} totals;
	uint32_t row_count;
	struct piece offsets;
	struct strbuf bends;
};

static void put_rules(struct maker *maker, const struct piece *piece)
{
	const uint8_t *at = piece->bytes;
	struct rules_frame rules = {
		.api = (at[0] + (uint32_t)maker->api) % API_COUNT,
		.dialect = at[1] % DIALECT_COUNT,
		.format = at[2] % FORMAT_COUNT,
		.columns = UINT32_MAX,
		.forked = at[3] & 1,
		.record_limit = at[5],
		.byte_limit = (uint64_t)at[6] << 8,
	};
	char warnings[BODY];
	size_t length = piece->size > 7 ? piece->size - 7 : 0;

	memcpy(warnings, at + 7, length);
	warnings[length] = '\0';
	rules.frame.flags = at[3] & 2 ? RULES_TOTALS : 0;
	rules.columns = column_set(UINT32_MAX, (enum api)rules.api, (enum dialect)rules.dialect);
	frames_put_rules(&maker->frames, &rules, "/log", at[4] & 1 ? "/trace" : "", warnings);
}

static void put_frame(struct maker *maker, const struct piece *piece)
{
	size_t length = piece->size ? piece->size - 1 : 0;
	struct frame frame = {.kind = piece->bytes[0] % (FRAME_KINDS + 2)};
	static const char zeros[8];

	frame.size = (uint32_t)(sizeof(frame) + (length + 7) / 8 * 8);
	strbuf_append(&maker->frames, &frame, sizeof(frame));
	strbuf_append(&maker->frames, piece->bytes + 1, length);
	strbuf_append(&maker->frames, zeros, (8 - length % 8) % 8);
}

/* Its first line is the header; the hashes are those of the text or nearly equal. */
static void put_log(struct maker *maker, const struct piece *piece)
{
	struct strbuf *text = &maker->left.log;
	const uint8_t *at = piece->bytes;
	struct layout layout = {.api = (enum api)((at[0] + (uint32_t)maker->api) % API_COUNT)};
	struct device device = {.api = layout.api, .name = "Device"};
	struct context context = {.api = layout.api};
	size_t start = maker->frames.length, head;
	struct log_frame *frame;

	if (piece->size < 5 || maker->has_log)
		return;
	maker->has_log = true;
	strbuf_append(text, at + 4, piece->size - 4);
	head = strcspn(strbuf_text(text), "\n");
	head += head < text->length;
	frames_put_log(&maker->frames, &layout, &device, &context, NULL, "/log");
	frame = (void *)(maker->frames.data + start);
	frame->frame.flags = at[1] & LOG_RECOVERED;
	frame->file_device = MACHINE_DEVICE;
	frame->file_inode = 2;
	frame->head_size = head;
	frame->head_hash = frames_hash(text->data, head) + (at[3] & 1);
	if (at[1] & 2)
		return;
	frame->commit[0] = (struct log_commit){
		.sequence = 1,
		.size = text->length - at[3] / 4 % (text->length - head + 1),
		.enter = 5000 + 100 * (uint64_t)at[2],
		.correlation = at[2],
		.rows = at[2],
		.tail = at[3] & 2 ? (uint32_t)text->length : 1,
	};
	frame->commit[0].tail %= LOG_TAIL + 1;
	if (frame->commit[0].tail > frame->commit[0].size)
		frame->commit[0].tail = (uint32_t)frame->commit[0].size;
	frame->commit[0].tail_hash = frames_hash(
		text->data + frame->commit[0].size - frame->commit[0].tail, frame->commit[0].tail);
}

static void put_trace(struct maker *maker, const struct piece *piece)
{
	struct strbuf *trace = &maker->left.trace;
	size_t start = maker->frames.length;
	struct trace_frame *frame;

	if (maker->has_trace)
		return;
	maker->has_trace = true;
	trace_put_header(trace);
	seed_put_catalog(trace, maker->api);
	for (size_t i = 0; i < piece->size; i++)
		if (piece->bytes[i] & 1)
			seed_put_event(trace, seed_event(piece->bytes[i] / 2));
		else
			seed_put_record(trace, piece->bytes[i] / 2);
	frames_put_trace(&maker->frames, "/trace");
	frame = (void *)(maker->frames.data + start);
	frame->file_device = MACHINE_DEVICE;
	frame->file_inode = 3; /* put_files makes an empty log before it */
}

static struct record make_sample(const struct piece *piece)
{
	uint32_t number = piece->bytes[0] / 2;

	return piece->bytes[0] & 1 ? seed_event(number) : seed_record(number);
}

/* A sample with some bytes changed; its size and kind are changed only on purpose. */
static struct record make_slot(const struct piece *piece)
{
	const uint8_t *at = piece->bytes;
	struct record slot = make_sample(piece);
	size_t from = at[1] % sizeof(slot);
	size_t length = piece->size > 2 ? piece->size - 2 : 0;

	length = length < sizeof(slot) - from ? length : sizeof(slot) - from;
	memcpy((char *)&slot + from, at + 2, length);
	return slot;
}

static void put_slot(struct maker *maker, const struct piece *piece)
{
	struct thread_ring *ring = (void *)maker->ring;
	struct record slot = make_slot(piece);
	uint32_t size = make_sample(piece).frame.size;
	void *room = ring_reserve(&ring->ring, size);

	if (!room)
		return;
	memcpy(room, &slot, size);
	ring_commit(&ring->ring, size);
}

/* Copies the piece's bytes after the first `skip` to `from` of the `size` bytes. */
static void write_there(void *to, size_t size, const struct piece *piece, size_t skip, size_t from)
{
	size_t length = piece->size > skip ? piece->size - skip : 0;

	from %= size;
	length = length < size - from ? length : size - from;
	memcpy((char *)to + from, piece->bytes + skip, length);
}

static void put_row(struct maker *maker, const struct piece *piece)
{
	struct totals_row *row = &maker->totals.rows[maker->row_count++ % ROWS];

	*row = (struct totals_row){
		.frame = {.size = sizeof(*row), .kind = FRAME_TOTALS},
		.record_kind = FRAME_KERNEL,
		.name = 1,
		.api = (uint16_t)maker->api,
		.count = 3,
		.total = 600,
	};
	row->frame.flags = piece->bytes[0] & 127;
	row->frame.flags |= piece->bytes[0] & 128 ? TOTALS_OTHER : 0;
	write_there(row, sizeof(*row), piece, 2, piece->bytes[1]);
	maker->totals.head.segment.magic = SEGMENT_MAGIC;
}

static void put_journal(struct maker *maker, const struct piece *piece)
{
	char *head = (char *)&maker->totals.head + sizeof(struct segment);
	size_t from = piece->bytes[0] | (size_t)piece->bytes[1] << 8;

	write_there(head, sizeof(maker->totals.head) - sizeof(struct segment), piece, 2, from);
}

/* Only after all slots are made, since making them uses the ring. */
static void put_offsets(struct maker *maker)
{
	struct thread_ring *ring = (void *)maker->ring;
	const struct piece *piece = &maker->offsets;
	const uint8_t *at = piece->bytes;

	if (!piece->letter)
		return;
	atomic_store(&ring->ring.tail, at[0] | (uint64_t)at[1] << 8);
	if (piece->size > 2)
		atomic_store(&ring->ring.head, at[2] | (uint64_t)at[3] << 8);
}

static void put_piece(struct maker *maker, const struct piece *piece)
{
	struct strbuf *bends = &maker->bends;
	uint8_t size = (uint8_t)piece->size;

	switch (piece->letter) {
	case 'U':
		put_rules(maker, piece);
		break;
	case 'F':
		put_frame(maker, piece);
		break;
	case 'L':
		put_log(maker, piece);
		break;
	case 'T':
		put_trace(maker, piece);
		break;
	case 'R':
		put_slot(maker, piece);
		break;
	case 'K':
		put_row(maker, piece);
		break;
	case 'J':
		put_journal(maker, piece);
		break;
	case 'O':
		maker->offsets = *piece;
		break;
	case 'H':
		maker->header.file_inode = 99;
		break;
	case 'P':
		maker->pending.places[maker->pending_count++ % PLACES] = make_slot(piece);
		break;
	case 'B':
		strbuf_append(bends, &size, 1);
		strbuf_append(bends, piece->bytes, size);
		break;
	case 'D':
		machine_fill_disk((size_t)piece->bytes[0] << 10);
		maker->left.full = true;
		break;
	default:
		break;
	}
}

static void begin(struct maker *maker, enum api api)
{
	struct thread_ring *ring = (void *)maker->ring;

	maker->api = api;
	maker->header = left_header();
	seed_put_catalog(&maker->frames, api);
	ring->segment = (struct segment){
		.magic = SEGMENT_MAGIC, .kind = SEGMENT_RING, .size = sizeof(maker->ring)};
	ring_init(&ring->ring, sizeof(maker->ring) - offsetof(struct thread_ring, ring));
	maker->pending.segment = (struct segment){
		.magic = SEGMENT_MAGIC,
		.kind = SEGMENT_PENDING,
		.size = PENDING,
		.stride = sizeof(struct record),
	};
	maker->totals.head.segment = (struct segment){
		.kind = SEGMENT_TOTALS,
		.size = TOTALS,
		.stride = sizeof(struct totals_row),
	};
}

static void put_pages(struct strbuf *to, const void *bytes, size_t size, size_t pages)
{
	static const char zeros[RINGFILE_PAGE];

	strbuf_append(to, bytes, size);
	for (size_t left = pages - size, part; left; left -= part) {
		part = left < sizeof(zeros) ? left : sizeof(zeros);
		strbuf_append(to, zeros, part);
	}
}

static void bend(struct maker *maker)
{
	struct strbuf *file = &maker->left.ring, *bends = &maker->bends;

	for (size_t at = 0, size; at < bends->length; at += 1 + size) {
		const uint8_t *bytes = (const uint8_t *)bends->data + at + 1;
		size_t where = RINGFILE_PAGE; /* the header is tested by the other target */

		size = bytes[-1];
		where += size < 2 ? 0 : bytes[0] | (size_t)bytes[1] << 8;
		for (size_t i = 2; i < size && where < file->length; i++)
			file->data[where++] = (char)bytes[i];
	}
}

static void make_file(struct maker *maker)
{
	struct strbuf *file = &maker->left.ring;
	struct segment segment = {
		.magic = SEGMENT_MAGIC,
		.kind = SEGMENT_FRAMES,
		.size = FRAMES,
		.used = maker->frames.length,
	};

	put_pages(file, &maker->header, sizeof(maker->header), RINGFILE_PAGE);
	strbuf_append(file, &segment, sizeof(segment));
	put_pages(file, maker->frames.data, maker->frames.length, FRAMES - sizeof(segment));
	put_offsets(maker);
	strbuf_append(file, maker->ring, sizeof(maker->ring));
	put_pages(file, &maker->pending, sizeof(maker->pending), PENDING);
	put_pages(file, &maker->totals, sizeof(maker->totals), TOTALS);
	bend(maker);
	/* The trace is the third file. */
	if (maker->has_trace && !maker->has_log)
		strbuf_char(&maker->left.log, '\n');
}

void fuzz_ring(const uint8_t *data, size_t size)
{
	static struct maker maker;

	if (!size)
		return;
	memset(&maker, 0, sizeof(maker));
	begin(&maker, data[0] & 1 ? API_CUDA : API_OPENCL);
	for (data++, size--; size >= 2;) {
		struct piece piece = {.letter = (char)data[0], .size = data[1]};

		piece.size = piece.size < size - 2 ? piece.size : size - 2;
		memcpy(piece.bytes, data + 2, piece.size);
		put_piece(&maker, &piece);
		data += 2 + piece.size;
		size -= 2 + piece.size;
	}
	if (maker.frames.length <= FRAMES - sizeof(struct segment)) {
		make_file(&maker);
		recovery_check(&maker.left);
	}
	strbuf_free(&maker.frames);
	strbuf_free(&maker.bends);
	left_free(&maker.left);
}
