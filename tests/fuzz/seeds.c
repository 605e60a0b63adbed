/* SPDX-License-Identifier: MIT */
/* Traces as left by programs, made at run time, since their format may change. */
#include <string.h>

#include "fuzz.h"
#include "output/trace.h"
#include "samples.h"
#include "seeds.h"

static void make_trace(const struct taker *taker)
{
	struct strbuf trace = STRBUF_INIT;

	trace_put_header(&trace);
	seed_put_catalog(&trace, API_CUDA);
	for (uint32_t i = 0; i < FRAME_KINDS - FRAME_CALL; i++) {
		seed_put_record(&trace, i);
		seed_put_event(&trace, seed_event(i));
	}
	frames_put_lost(&trace, 3, 0, 0);
	taker->take(taker->argument, "whole", trace.data, trace.length);
	taker->take(taker->argument, "frames", trace.data + sizeof(struct trace_header),
		    trace.length - sizeof(struct trace_header));
	taker->take(taker->argument, "cut", trace.data, trace.length - 60);
	strbuf_free(&trace);
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
}
