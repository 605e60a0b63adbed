/* SPDX-License-Identifier: MIT */
/* Ring files as left by programs, packed as in recover.c. */
#include <string.h>

#include "machine.h"
#include "output/trace.h"
#include "recovery.h"
#include "samples.h"
#include "seeds.h"
#include "session/logfile.h"
#include "session/rules.h"
#include "session/state.h"

enum { RING_BYTES = 2 * RINGFILE_PAGE };

/* Adds one piece of a packed input: see recover.c. Zeros at the end of pages are omitted. */
static void pack(struct strbuf *to, char letter, const void *bytes, size_t size)
{
	const char *text = bytes;

	while (letter == 'S' && size && !text[size - 1] && size % RINGFILE_PAGE != 1)
		size--;
	strbuf_char(to, letter);
	strbuf_char(to, (char)size);
	strbuf_char(to, (char)(size >> 8));
	strbuf_append(to, bytes, size);
}

static void pack_header(struct strbuf *to, bool finished)
{
	struct ringfile_header header = left_header();

	header.finished = finished;
	pack(to, 'S', &header, sizeof(header));
}

static void put_rules(struct strbuf *to, enum api api, bool csv, bool traced)
{
	struct rules_frame rules = {
		.api = api,
		.dialect = csv ? DIALECT_CUDA4 : DIALECT_CLASSIC,
		.format = csv ? FORMAT_CSV : FORMAT_KEYVAL,
	};

	rules.columns = column_set(UINT32_MAX, api, (enum dialect)rules.dialect);
	frames_put_rules(to, &rules, "/log", traced ? "/trace" : "", "NV_Warning: a word\n");
}

/* The contents of a log that was started by the rules, and its committed size. */
static void put_log(struct strbuf *frames, struct strbuf *log, enum api api, bool csv)
{
	size_t start = frames->length;
	struct device device = {.api = api, .name = "Device"};
	struct context context = {.api = api};
	struct layout layout = {.api = api};
	struct log_frame *frame;

	strbuf_string(log, csv ? "# the head\n" : "the head\n");
	frames_put_log(frames, &layout, &device, &context, NULL, "/log");
	frame = (void *)(frames->data + start);
	frame->file_device = MACHINE_DEVICE;
	frame->file_inode = 2;
	frame->head_size = log->length;
	frame->head_hash = frames_hash(log->data, log->length);
	strbuf_string(log, "timestamp=[ 1.000 ] method=[ memcopy ] \n");
	frame->commit[0] = (struct log_commit){
		.sequence = 1,
		.size = log->length,
		.enter = 5000,
		.correlation = 1,
		.rows = 1,
		.tail = 16,
		.tail_hash = frames_hash(log->data + log->length - 16, 16),
	};
	strbuf_string(log, "timestamp=[ 2.0");
}

static void put_trace(struct strbuf *frames, uint64_t inode)
{
	size_t start = frames->length;
	struct trace_frame *frame;

	frames_put_trace(frames, "/trace");
	frame = (void *)(frames->data + start);
	frame->file_device = MACHINE_DEVICE;
	frame->file_inode = inode;
}

static void pack_frames(struct strbuf *to, const struct strbuf *frames)
{
	struct segment segment = {
		.magic = SEGMENT_MAGIC,
		.kind = SEGMENT_FRAMES,
		.used = frames->length,
	};
	struct strbuf bytes = STRBUF_INIT;

	segment.size = sizeof(segment) + frames->length + RINGFILE_PAGE - 1;
	segment.size -= segment.size % RINGFILE_PAGE;
	strbuf_append(&bytes, &segment, sizeof(segment));
	strbuf_append(&bytes, frames->data, frames->length);
	pack(to, 'S', bytes.data, bytes.length);
	strbuf_free(&bytes);
}

/* The records have stacks, or none. */
static void pack_ring(struct strbuf *to, bool stacks)
{
	static char bytes[RING_BYTES] __attribute__((aligned(64)));
	struct thread_ring *ring = (void *)bytes;

	memset(bytes, 0, sizeof(bytes));
	ring->segment = (struct segment){
		.magic = SEGMENT_MAGIC, .kind = SEGMENT_RING, .size = sizeof(bytes)};
	ring_init(&ring->ring, sizeof(bytes) - offsetof(struct thread_ring, ring));
	for (uint32_t i = 0; i < 12; i++) {
		struct record record = i % 2 ? seed_event(i / 2) : seed_record(i / 2);

		record.frame.stack = stacks ? i % (SEED_STACKS + 1) : 0;
		memcpy(ring_reserve(&ring->ring, record.frame.size), &record, record.frame.size);
		ring_commit(&ring->ring, record.frame.size);
	}
	pack(to, 'S', bytes, sizeof(bytes));
}

static void pack_pending(struct strbuf *to)
{
	static struct {
		struct segment segment;
		struct record places[5];
	} pending;

	pending.segment = (struct segment){
		.magic = SEGMENT_MAGIC,
		.kind = SEGMENT_PENDING,
		.size = RINGFILE_PAGE,
		.stride = sizeof(struct record),
	};
	pending.places[0] = seed_record(3); /* in the ring, too */
	pending.places[2] = seed_record(9);
	pending.places[2].handle = 1;
	pending.places[2].known &= ~(uint32_t)KNOWN_TIMES;
	pending.places[3] = seed_event(3); /* as above */
	pending.places[4] = seed_event(9);
	pack(to, 'S', &pending, sizeof(pending));
}

static void make_ring(const struct taker *taker, const char *name, enum api api, bool csv,
		      bool begun, bool traced)
{
	struct strbuf input = STRBUF_INIT, frames = STRBUF_INIT, log = STRBUF_INIT;

	seed_put_catalog(&frames, api);
	put_rules(&frames, api, csv, traced);
	if (begun)
		put_log(&frames, &log, api, csv);
	if (traced)
		put_trace(&frames, begun ? 3 : 2);
	pack_header(&input, false);
	pack_frames(&input, &frames);
	pack_ring(&input, false);
	pack_pending(&input);
	if (begun)
		pack(&input, 'L', log.data, log.length);
	if (traced) {
		frames.length = 0;
		trace_put_header(&frames);
		seed_put_catalog(&frames, api);
		seed_put_record(&frames, 0);
		seed_put_event(&frames, seed_event(1));
		trace_finish(&frames);
		pack(&input, 'T', frames.data, frames.length - begun);
	}
	taker->take(taker->argument, name, input.data, input.length);
	strbuf_free(&input);
	strbuf_free(&frames);
	strbuf_free(&log);
}

/* Neither log nor trace was started. */
static void make_fresh(const struct taker *taker, const char *name, bool finished)
{
	struct strbuf input = STRBUF_INIT, frames = STRBUF_INIT;

	seed_put_catalog(&frames, API_CUDA);
	put_rules(&frames, API_CUDA, false, true);
	pack_header(&input, finished);
	pack_frames(&input, &frames);
	pack_ring(&input, false);
	pack_pending(&input);
	taker->take(taker->argument, name, input.data, input.length);
	strbuf_free(&input);
	strbuf_free(&frames);
}

/* The trace was begun, and has a part of the stacks. */
static void make_stacks(const struct taker *taker)
{
	struct strbuf input = STRBUF_INIT, frames = STRBUF_INIT;

	seed_put_catalog(&frames, API_CUDA);
	seed_put_stacks(&frames);
	put_rules(&frames, API_CUDA, false, true);
	put_trace(&frames, 2);
	pack_header(&input, false);
	pack_frames(&input, &frames);
	pack_ring(&input, true);
	pack_pending(&input);
	frames.length = 0;
	trace_put_header(&frames);
	seed_put_catalog(&frames, API_CUDA);
	seed_put_stacks(&frames);
	frames.length -= sizeof(struct stack_frame);
	pack(&input, 'T', frames.data, frames.length);
	taker->take(taker->argument, "stacks", input.data, input.length);
	strbuf_free(&input);
	strbuf_free(&frames);
}

/* Each frame as a piece of ring.c. */
static void put_frame_pieces(struct strbuf *to, const struct strbuf *frames)
{
	for (size_t at = 0; at < frames->length;) {
		const struct frame *frame = (const void *)(frames->data + at);
		size_t size = frame->size - sizeof(*frame);

		strbuf_char(to, 'F');
		strbuf_char(to, (char)(1 + size));
		strbuf_char(to, (char)frame->kind);
		strbuf_append(to, frame + 1, size);
		at += frame->size;
	}
}

static void make_stack_pieces(const struct taker *taker, const char *rules, size_t size)
{
	const uint32_t stack = SEED_STACKS;
	struct strbuf input = STRBUF_INIT, frames = STRBUF_INIT;

	seed_put_stacks(&frames);
	strbuf_char(&input, 1);
	put_frame_pieces(&input, &frames);
	strbuf_append(&input, rules, size);
	strbuf_string(&input, "R\6\2");
	strbuf_char(&input, offsetof(struct frame, stack));
	strbuf_append(&input, &stack, sizeof(stack));
	strbuf_string(&input, "R\1\3");
	taker->take(taker->argument, "stacks", input.data, input.length);
	strbuf_free(&input);
	strbuf_free(&frames);
}

/* The pieces from which ring.c makes a ring file: the same states. */
void seed_pieces(const struct taker *taker)
{
	static const char records[] = "R\1\0R\1\1R\1\2R\1\3R\1\4P\1\2P\1\16P\1\11";
	static const char csv[] = "U\10\0\1\1\0\1\0\0\0", text[] = "U\10\0\0\0\1\0\0\0\0";
	static const char kept[] = "U\10\0\0\0\2\0\0\0\0";
	static const char totals[] = "K\1\1K\1\3K\1\5K\1\6K\2\202\0";
	static const char undone[] = "K\1\3J\22\20\0\1\0\0\0\1\0\0\0\7\0\0\0\0\0\0\0";
	static const char log[] = "L\62\0\0\1\2the head\ntimestamp=[ 1.000 ] method=[ memcopy ] \n";
	static const struct {
		const char *name, *rules, *more;
		size_t size;
	} rows[] = {
		{"new", csv, "", 0},
		{"text", text, "", 0},
		{"begun", text, log, sizeof(log) - 1},
		{"traced", csv, "T\4\0\1\2\3", 6},
		{"copy", text, "H\0", 2},
		{"full", text, "D\1\2", 3},
		{"torn", csv, "O\4\250\0\0\2", 6},
		{"totals", kept, totals, sizeof(totals) - 1},
		{"undone", kept, undone, sizeof(undone) - 1},
		{"bent", text, "B\6\0\0\377\377\377\377", 8},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct strbuf input = STRBUF_INIT;

		strbuf_char(&input, (char)(i & 1));
		strbuf_append(&input, rows[i].rules, sizeof(csv) - 1);
		strbuf_append(&input, records, sizeof(records) - 1);
		strbuf_append(&input, rows[i].more, rows[i].size);
		taker->take(taker->argument, rows[i].name, input.data, input.length);
		strbuf_free(&input);
	}
	make_stack_pieces(taker, csv, sizeof(csv) - 1);
}

void seed_rings(const struct taker *taker)
{
	make_ring(taker, "new", API_OPENCL, false, false, false);
	make_ring(taker, "csv", API_CUDA, true, false, false);
	make_ring(taker, "begun", API_CUDA, false, true, false);
	make_ring(taker, "traced", API_CUDA, true, false, true);
	make_ring(taker, "both", API_OPENCL, false, true, true);
	make_fresh(taker, "fresh", false);
	make_fresh(taker, "finished", true);
	make_stacks(taker);
}
