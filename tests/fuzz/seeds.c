/* SPDX-License-Identifier: MIT */
/* Traces and ring files as programs leave them, made anew, since their format may change. */
#include <string.h>

#include "fuzz.h"
#include "model/frames.h"
#include "output/trace.h"
#include "session/logfile.h"
#include "session/rules.h"
#include "session/state.h"

struct taker {
	void (*take)(void *argument, const char *name, const void *bytes, size_t size);
	void *argument;
};

enum { RING_BYTES = 2 * SPOOL_PAGE };

static const char *const names[] = {"_Z9matrixMulPfS_S_ii", "a b", "x ] y=[ \n"};
static struct record make_record(uint32_t i)
{
	return (struct record){
		.frame = {.size = sizeof(struct record),
			  .kind = (uint16_t)(FRAME_KERNEL + i % 3),
			  .correlation = i + 1,
			  .thread = 7},
		.enter = 5000 + 100 * i,
		.leave = 5050 + 100 * i,
		.queued = 6000,
		.submitted = 6001,
		.started = 6002,
		.ended = 6003 + i,
		.bytes = 4096,
		.grid = {4, 2, 1},
		.block = {64, 1, 1},
		.name = 1 + i % 3,
		.stream = i,
		.registers = 16,
		.occupancy = 0.5f,
		.known = UINT32_MAX,
		.direction = 1,
	};
}

static void put_catalog(struct strbuf *to, enum api api)
{
	static const struct counter_column list[] = {{"branch", false}, {"sm__x.sum", true}};
	static const struct counter_set set = {.count = 2, .columns = list, .refused = "tex\n"};
	struct names *table = names_new();

	frames_put_process(to, &(struct process){.pid = 1, .started = 1, .monotonic_to_epoch = 9});
	for (uint32_t i = 0; i < 3; i++)
		frames_put_name(to, table, names_intern(table, names[i], strlen(names[i])));
	frames_put_device(to, &(struct device){.api = api, .name = "Device"});
	frames_put_context(to, &(struct context){.api = api});
	frames_put_counters(to, &set);
	names_free(table);
}

static void put_record(struct strbuf *to, uint32_t i)
{
	struct {
		struct record record;
		double values[2];
	} counted = {make_record(i), {3, 0.25}};

	if (i == 1) {
		counted.record.frame.counters = 1;
		counted.record.frame.size = sizeof(counted);
	}
	trace_put_record(to, &counted.record);
}

/* In the place of a record: a call, or another event. */
static struct record make_event(uint32_t i)
{
	struct call call = {
		.frame = {.correlation = 20 + i, .thread = 7},
		.enter = 5000,
		.made = i + 1, .name = 1 + i % 3,
		.api = API_CUDA,
	};
	struct record place = {0};

	memcpy(&place, &call, sizeof(call));
	place.frame.size = sizeof(place);
	place.frame.kind = (uint16_t)(FRAME_CALL + i % (FRAME_KINDS - FRAME_CALL));
	return place;
}

static void put_event(struct strbuf *to, struct record event)
{
	trace_put_event(to, &event.frame);
}

static void make_trace(const struct taker *taker)
{
	struct strbuf trace = STRBUF_INIT;

	trace_put_header(&trace);
	put_catalog(&trace, API_CUDA);
	for (uint32_t i = 0; i < FRAME_KINDS - FRAME_CALL; i++) {
		put_record(&trace, i);
		put_event(&trace, make_event(i));
	}
	frames_put_lost(&trace, 3);
	taker->take(taker->argument, "whole", trace.data, trace.length);
	taker->take(taker->argument, "frames", trace.data + sizeof(struct trace_header),
		    trace.length - sizeof(struct trace_header));
	taker->take(taker->argument, "cut", trace.data, trace.length - 60);
	strbuf_free(&trace);
}

/* One piece of a packed input: see recover.c. Zeros at the end of pages go without saying. */
static void pack(struct strbuf *to, char letter, const void *bytes, size_t size)
{
	const char *text = bytes;

	while (letter == 'S' && size && !text[size - 1] && size % SPOOL_PAGE != 1)
		size--;
	strbuf_char(to, letter);
	strbuf_char(to, (char)size);
	strbuf_char(to, (char)(size >> 8));
	strbuf_append(to, bytes, size);
}

static void pack_header(struct strbuf *to)
{
	struct spool_header header = {
		.version = SPOOL_VERSION,
		.byte_order = 0x01020304,
		.pid = 1,
		.record_size = sizeof(struct record),
		.lost = 2,
	};

	memcpy(header.magic, SPOOL_MAGIC, sizeof(header.magic));
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

/* What a log begun by the rules has, and how far it was written. */
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

static void pack_frames(struct strbuf *to, const struct strbuf *frames)
{
	struct segment segment = {
		.magic = SEGMENT_MAGIC,
		.kind = SEGMENT_FRAMES,
		.used = frames->length,
	};
	struct strbuf bytes = STRBUF_INIT;

	segment.size = sizeof(segment) + frames->length + SPOOL_PAGE - 1;
	segment.size -= segment.size % SPOOL_PAGE;
	strbuf_append(&bytes, &segment, sizeof(segment));
	strbuf_append(&bytes, frames->data, frames->length);
	pack(to, 'S', bytes.data, bytes.length);
	strbuf_free(&bytes);
}

static void pack_ring(struct strbuf *to)
{
	static char bytes[RING_BYTES] __attribute__((aligned(64)));
	struct thread_ring *ring = (void *)bytes;

	memset(bytes, 0, sizeof(bytes));
	ring->segment = (struct segment){
		.magic = SEGMENT_MAGIC, .kind = SEGMENT_RING, .size = sizeof(bytes)};
	ring_init(&ring->ring, sizeof(bytes) - offsetof(struct thread_ring, ring));
	for (uint32_t i = 0; i < 12; i++) {
		struct record record = i % 2 ? make_event(i / 2) : make_record(i / 2);

		memcpy(ring_reserve(&ring->ring, sizeof(record)), &record, sizeof(record));
		ring_commit(&ring->ring, sizeof(record));
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
		.size = SPOOL_PAGE,
		.stride = sizeof(struct record),
	};
	pending.places[0] = make_record(3); /* in the ring, too */
	pending.places[2] = make_record(9);
	pending.places[2].handle = 1;
	pending.places[2].known &= ~(uint32_t)KNOWN_TIMES;
	pending.places[3] = make_event(3); /* as above */
	pending.places[4] = make_event(9);
	pack(to, 'S', &pending, sizeof(pending));
}

static void make_ring(const struct taker *taker, const char *name, enum api api, bool csv,
		      bool begun, bool traced)
{
	struct strbuf input = STRBUF_INIT, frames = STRBUF_INIT, log = STRBUF_INIT;

	put_catalog(&frames, api);
	put_rules(&frames, api, csv, traced);
	if (begun)
		put_log(&frames, &log, api, csv);
	if (traced)
		frames_put_trace(&frames, "/trace");
	pack_header(&input);
	pack_frames(&input, &frames);
	pack_ring(&input);
	pack_pending(&input);
	if (begun)
		pack(&input, 'L', log.data, log.length);
	if (traced) {
		frames.length = 0;
		trace_put_header(&frames);
		put_catalog(&frames, api);
		put_record(&frames, 0);
		put_event(&frames, make_event(1));
		pack(&input, 'T', frames.data, frames.length - begun);
	}
	taker->take(taker->argument, name, input.data, input.length);
	strbuf_free(&input);
	strbuf_free(&frames);
	strbuf_free(&log);
}

/* Neither log nor trace was begun. */
static void make_fresh(const struct taker *taker)
{
	struct strbuf input = STRBUF_INIT, frames = STRBUF_INIT;

	put_catalog(&frames, API_CUDA);
	put_rules(&frames, API_CUDA, false, true);
	pack_header(&input);
	pack_frames(&input, &frames);
	pack_ring(&input);
	pack_pending(&input);
	taker->take(taker->argument, "fresh", input.data, input.length);
	strbuf_free(&input);
	strbuf_free(&frames);
}

void fuzz_seeds(const char *target,
		void (*take)(void *argument, const char *name, const void *bytes, size_t size),
		void *argument)
{
	struct taker taker = {take, argument};

	if (!strcmp(target, "trace"))
		make_trace(&taker);
	if (strcmp(target, "recover"))
		return;
	make_ring(&taker, "new", API_OPENCL, false, false, false);
	make_ring(&taker, "csv", API_CUDA, true, false, false);
	make_ring(&taker, "begun", API_CUDA, false, true, false);
	make_ring(&taker, "traced", API_CUDA, true, false, true);
	make_ring(&taker, "both", API_OPENCL, false, true, true);
	make_fresh(&taker);
}
