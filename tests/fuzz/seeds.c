/* SPDX-License-Identifier: MIT */
/* Traces as left by programs, made at run time, since their format may change. */
#include <string.h>

#include "fuzz.h"
#include "output/trace.h"
#include "samples.h"
#include "seeds.h"

/* A record and a sample with stacks. */
static void put_stacks(struct strbuf *to)
{
	struct sample sample = {.frame = {.kind = FRAME_SAMPLE, .stack = 2}, .weight = 10000000};
	struct record record = seed_record(0);

	seed_put_stacks(to);
	record.frame.stack = SEED_STACKS;
	trace_put_record(to, &record);
	trace_put_event(to, &sample.frame);
}

static void put_frames(struct strbuf *to)
{
	seed_put_catalog(to, API_CUDA);
	for (uint32_t i = 0; i < SEED_EVENT_KINDS; i++) {
		seed_put_record(to, i);
		seed_put_event(to, seed_event(i));
	}
	frames_put_lost(to, 3, 0, 0);
}

/* Kinds that no version has yet, and blocks: some of tags that none has, and a broken one. */
static void put_strange(struct strbuf *to)
{
	const struct frame later = {.size = 32, .kind = FRAME_KINDS};
	const struct frame latest = {.size = 32, .kind = UINT16_MAX};
	const struct frame_block label = {.size = 16, .tag = BLOCK_LABEL};
	const struct frame_block none = {.size = 0, .tag = BLOCK_COUNTERS};
	size_t start = to->length;

	strbuf_append(to, &later, sizeof(later));
	strbuf_append(to, "unknown", 8);
	strbuf_append(to, &latest, sizeof(latest));
	strbuf_append(to, "unknown", 8);
	start = to->length;
	seed_put_record(to, 1);
	strbuf_append(to, &label, sizeof(label));
	strbuf_append(to, "a label", 8);
	((struct frame *)(void *)(to->data + start))->size += label.size;
	start = to->length;
	seed_put_record(to, 0);
	strbuf_append(to, &none, sizeof(none));
	((struct frame *)(void *)(to->data + start))->size += sizeof(none);
}

/* The other layouts that are read: version 1, and structs that are longer or shorter. */
static void make_layouts(const struct taker *taker)
{
	static const struct {
		const char *name;
		int more;
	} layouts[] = {{"longer", 16}, {"shorter", -8}};
	struct strbuf frames = STRBUF_INIT, trace = STRBUF_INIT;

	put_frames(&frames);
	frames_put_end(&frames, trace_count_frames(frames.data, frames.length));
	seed_put_header_1(&trace);
	strbuf_append(&trace, frames.data, frames.length);
	taker->take(taker->argument, "version-1", trace.data, trace.length);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		trace.length = 0;
		seed_put_header(&trace, layouts[i].more);
		seed_put_frames(&trace, &frames, layouts[i].more);
		taker->take(taker->argument, layouts[i].name, trace.data, trace.length);
	}
	strbuf_free(&frames);
	strbuf_free(&trace);
}

static void make_trace(const struct taker *taker)
{
	struct strbuf trace = STRBUF_INIT;
	size_t header;

	trace_put_header(&trace);
	header = trace.length;
	put_frames(&trace);
	put_stacks(&trace);
	taker->take(taker->argument, "cut", trace.data, trace.length - 60);
	taker->take(taker->argument, "without-end", trace.data, trace.length);
	trace_finish(&trace);
	taker->take(taker->argument, "whole", trace.data, trace.length);
	taker->take(taker->argument, "frames", trace.data + header, trace.length - header);
	put_strange(&trace);
	taker->take(taker->argument, "strange", trace.data, trace.length);
	strbuf_free(&trace);
	make_layouts(taker);
}

void fuzz_seeds(const char *target,
		void (*take)(void *argument, const char *name, const void *bytes, size_t size),
		void *argument)
{
	struct taker taker = {take, argument};

	if (!strcmp(target, "trace"))
		make_trace(&taker);
	if (!strcmp(target, "database"))
		seed_databases(&taker);
	if (!strcmp(target, "ring"))
		seed_pieces(&taker);
	if (!strcmp(target, "recover"))
		seed_rings(&taker);
	if (!strcmp(target, "symbols"))
		seed_objects(&taker);
	if (!strcmp(target, "unwind"))
		seed_walks(&taker);
}
