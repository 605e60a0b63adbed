/* SPDX-License-Identifier: MIT */
/*
 * timeline make FILE NUMBER SEED: a trace of NUMBER records with every possible value of each
 * member; the first hundred have all of them.
 * timeline calls FILE NUMBER SEED: the same with calls before and after their records; some are
 * missing, have no record, or have wrong numbers.
 * timeline flood FILE NUMBER SEED: NUMBER calls that each claim 65535 records, one of which exists.
 * timeline far FILE NUMBER SEED: NUMBER / 2 records, each with a call after all of them.
 * timeline view TRACE FILE: makes the file as computeprof print does.
 *
 * tests/views/timeline.py derives the expected contents of the views from the trace alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/frames.h"
#include "output/trace.h"
#include "view/view.h"

/* Names of kernels. */
#define NAME(text)                                                                                 \
	{                                                                                          \
		text, sizeof(text) - 1                                                             \
	}
static const struct name {
	const char *text;
	size_t length;
} texts[] = {
	NAME("vecadd"),
	NAME("void scale<float, 4>(float*, int)"),
	NAME("quote\"back\\slash\\\\"),
	NAME("\\x41 is not A"),
	NAME("line\nfeed\ttab\rreturn\x01\x1f\x7f"),
	NAME("nul\0inside"),
	NAME("\xff\xfe broken \xc3"),
	NAME("\xed\xa0\x80 surrogate \xc0\x80 overlong"),
	NAME("separators \xe2\x80\xa8\xe2\x80\xa9 \xc2\x85"),
	NAME("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
	NAME("</script>{\"ph\":\"X\"},"),
	NAME("-"),
};

enum { NAMES = sizeof(texts) / sizeof(texts[0]), DEVICES = 3, CONTEXTS = 4, THREADS = 5 };

static const uint64_t started = 5000000000;
static const uint64_t epoch = 1700000000123456789; /* of `started` */
static uint64_t state;
static bool has_calls;

static uint64_t any(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % limit;
}

static void put_catalog(struct strbuf *to)
{
	const struct counter_column counted[] = {
		{"count\"\\er", false}, {"ratio", true}, {"none", true}, {"huge", false}};
	struct names *names = names_new();

	trace_put_header(to);
	frames_put_process(to, &(struct process){.pid = 4242,
						 .started = started,
						 .monotonic_to_epoch = (int64_t)(epoch - started)});
	for (uint32_t i = 0; i < NAMES; i++)
		frames_put_name(to, names, names_intern(names, texts[i].text, texts[i].length));
	for (uint32_t i = 0; i < DEVICES; i++)
		frames_put_device(to, &(struct device){.id = i,
						       .api = i ? API_CUDA : API_OPENCL,
						       .number = i,
						       .name = i == 1 ? "B \"\\\x01\xff" : "A"});
	for (uint32_t i = 0; i < CONTEXTS; i++)
		frames_put_context(to, &(struct context){.id = i,
							 .api = i % DEVICES ? API_CUDA : API_OPENCL,
							 .index = i,
							 .device = i % DEVICES});
	frames_put_counters(
		to,
		&(struct counter_set){.device = 1, .count = 4, .columns = counted, .refused = ""});
	names_free(names);
}

/* The device's times: some at once, some at equal times, some long ago. */
static void set_times(struct record *record, uint64_t number)
{
	uint64_t at = epoch + number * 1000;

	if (any(10) == 0)
		at -= any(number * 1000 + 3000000);
	if (any(4) == 0)
		at -= at % 500;
	record->queued = at;
	record->submitted = at + 7;
	record->started = at + 7 + any(300);
	record->ended = record->started;
	if (any(8))
		record->ended += any(5) ? any(700) : any(20000);
	record->known |= KNOWN_TIMES;
	if (any(100) == 0)
		record->ended = record->started - 1 - any(100);
	if (any(100) == 0)
		record->started = any(2) ? 0 : UINT64_MAX - any(3000);
}

static void set_call(struct record *record, uint64_t number)
{
	record->frame.thread = number % 97 ? 4242 + (uint32_t)any(THREADS) : 0;
	record->enter = started + number * 1000 + any(100);
	record->leave = record->enter + any(any(6) ? 900 : 30000);
	if (any(10) == 0)
		record->frame.flags |= RECORD_NO_CALL;
	if (any(200) == 0)
		record->leave = any(2) ? record->enter - 1 : UINT64_MAX;
}

static void set_facts(struct record *record)
{
	record->known |= (uint32_t)any(1 << 13) & ~(uint32_t)KNOWN_TIMES;
	record->frame.flags |= any(2) ? RECORD_ASYNCHRONOUS : 0;
	record->name = record->frame.kind == FRAME_KERNEL ? (uint32_t)any(NAMES + 1) : 0;
	record->device = (uint32_t)any(DEVICES);
	record->context = (uint32_t)any(CONTEXTS);
	record->stream = any(50) ? 1 + (uint32_t)any(2) : UINT32_MAX;
	record->bytes = any(30) ? any(1 << 30) : UINT64_MAX;
	for (int i = 0; i < 3; i++) {
		record->grid[i] = any(9) ? 1 + any(5000) : UINT64_MAX;
		record->block[i] = 1 + (uint32_t)any(1024);
	}
	record->static_shared = (uint32_t)any(49152);
	record->dynamic_shared = (uint32_t)any(49152);
	record->registers = (uint32_t)any(256);
	record->occupancy = any(20) ? (float)any(1001) / 1000 : __builtin_nanf("");
	record->direction = (uint8_t)any(4);
	record->host_memory = (uint8_t)any(3);
	record->source = (uint8_t)any(4);
	record->target = (uint8_t)any(4);
	record->block_given = (uint8_t)any(2);
	record->cache_requested = (uint8_t)any(5);
	record->cache_executed = (uint8_t)any(4);
}

static void put_call(struct strbuf *to, const struct record *record, uint16_t records)
{
	static uint64_t count;
	static const int32_t results[] = {0,	    0, 0, -5, -1001, 1, INT32_MAX, INT32_MIN + 1,
					  INT32_MIN};
	struct call call = {
		.frame = {.kind = FRAME_CALL,
			  .correlation = UINT64_C(77) << 40 | ++count,
			  .thread = record->frame.thread},
		.enter = record->enter - any(60),
		.leave = record->leave + any(60),
		.made = records ? record->frame.correlation : 0,
		.result = results[any(sizeof(results) / sizeof(results[0]))],
		.name = any(20) ? 1 + (uint32_t)any(NAMES) : 500 * (uint32_t)any(9),
		.records = records,
	};

	trace_put_event(to, &call.frame);
}

/* Puts calls of one or RUN records, also LATE records later, and calls with wrong numbers. */
static void put_calls(struct strbuf *to, const struct record *record, uint64_t number)
{
	enum { LATE = 40, RUN = 4 };
	static struct record late[LATE];
	struct record *other = &late[number % LATE];
	struct record nothing = *record;

	if (number >= LATE && any(3))
		put_call(to, other, other->frame.correlation % 20 ? 1 : RUN);
	*other = *record;
	if (any(8) == 0)
		put_call(to, record, any(5) ? 1 : RUN);
	if (any(8) == 0)
		put_call(to, record, 0);
	nothing.frame.correlation = UINT64_C(99) << 40 | number;
	if (any(20) == 0)
		put_call(to, &nothing, 1 + (uint16_t)any(30));
	if (number == 1000)
		put_call(to, record, UINT16_MAX);
	nothing.frame.correlation = UINT64_MAX - any(10);
	if (number == 2000)
		put_call(to, &nothing, UINT16_MAX);
}

static void put_record(struct strbuf *to, uint64_t number)
{
	struct counted_record counted = {0};
	struct record *record = &counted.record;

	record->frame.size = sizeof(*record);
	record->frame.kind = (uint16_t)(FRAME_KERNEL + any(3));
	record->frame.correlation =
		(1 + (has_calls ? number / 64 % THREADS : any(THREADS))) << 40 | (number + 1);
	set_facts(record);
	set_call(record, number);
	if (any(12))
		set_times(record, number);
	else
		record->frame.flags |= (uint16_t)(RECORD_FAILED << any(3));
	if (record->frame.kind == FRAME_KERNEL && any(3) == 0) {
		counted_record_set(&counted, 0, 4);
		counted.values[0] = (double)any(1 << 20);
		counted.values[1] = (double)any(1000) / 8 - 60;
		counted.values[2] = any(2) ? __builtin_nan("") : -__builtin_inf();
		counted.values[3] = 1e30;
		record->device = 1;
	}
	if (has_calls && !number)
		put_call(to, record, 0);
	if (has_calls && number % 2)
		put_calls(to, record, number);
	trace_put_record(to, record);
	if (has_calls && number % 2 == 0)
		put_calls(to, record, number);
}

static uint64_t far_frames; /* of put_far */

static struct record simple_record(uint64_t number)
{
	return (struct record){
		.frame = {.size = sizeof(struct record),
			  .kind = FRAME_FILL,
			  .thread = 4242,
			  .correlation = (number + 1) << 20},
		.enter = started + number * 1000,
		.leave = started + number * 1000 + 100,
		.known = KNOWN_TIMES,
		.queued = epoch,
		.submitted = epoch,
		.started = epoch + number * 1000,
		.ended = epoch + number * 1000 + 1,
	};
}

static void put_flood(struct strbuf *to, uint64_t number)
{
	struct record record = simple_record(number);

	put_call(to, &record, UINT16_MAX);
	trace_put_record(to, &record);
}

static void put_far(struct strbuf *to, uint64_t number)
{
	struct record record = simple_record(number % (far_frames / 2));

	if (number < far_frames / 2)
		trace_put_record(to, &record);
	else
		put_call(to, &record, 1);
}

static int make(const char *path, uint64_t number, uint64_t seed,
		void (*put)(struct strbuf *to, uint64_t number))
{
	FILE *file = fopen(path, "w");
	struct strbuf text = STRBUF_INIT;
	uint64_t frames = 0;
	size_t header;

	if (!file)
		return 1;
	state = seed * 2 + 1;
	put_catalog(&text);
	header = ((const struct trace_header *)(const void *)text.data)->header_size;
	for (uint64_t i = 0; i < number; i++) {
		put(&text, i);
		if (text.length <= 1 << 16)
			continue;
		frames += trace_count_frames(text.data + header, text.length - header);
		header = 0;
		text.length -= fwrite(text.data, 1, text.length, file);
	}
	frames_put_lost(&text, 3, 0, 0);
	frames += trace_count_frames(text.data + header, text.length - header);
	frames_put_end(&text, frames);
	fwrite(text.data, 1, text.length, file);
	strbuf_free(&text);
	return fclose(file) ? 1 : 0;
}

static int view(const char *trace, const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(trace, &error);
	const struct view *found = view_find(path);
	int result = stream && found ? view_write(found, path, stream, &error) : -1;

	if (result)
		fprintf(stderr, "%s\n", strbuf_text(&error));
	stream_close(stream);
	strbuf_free(&error);
	return result ? 1 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 5) {
		bool is_flood = !strcmp(argv[1], "flood"), is_far = !strcmp(argv[1], "far");

		has_calls = !strcmp(argv[1], "calls");
		far_frames = strtoull(argv[3], NULL, 10);
		return make(argv[2], far_frames, strtoull(argv[4], NULL, 10),
			    is_flood ? put_flood : is_far ? put_far : put_record);
	}
	if (argc == 4 && !strcmp(argv[1], "view"))
		return view(argv[2], argv[3]);
	return 2;
}
