/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_RANGETRACE_H
#define TESTS_UNIT_RANGETRACE_H

/* A trace with NVTX's ranges, and the rows of these ranges after its summary. */
#include "tabletrace.h"

#include "view/tables/tables.h"

#define NVTX	     "\n======== NVTX result:\n"
#define THREAD(id)   "========   Thread \"<unnamed>\" (id = " #id ")\n"
#define DOMAIN(name) "========     Domain \"" name "\"\n"
#define RANGE(name)  "========       Range \"" name "\"\n" HEADING
#define NO_KERNELS   "No kernels were profiled in this range.\n"
#define NO_CALLS     "No API activities were profiled in this range.\n"
#define HEADING                                                                                    \
	"            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"

enum { MAIN = 10, OTHER = 20, NEVER = -1 };

struct range {
	const char *name;
	const char *domain;
	uint32_t thread;
	uint64_t start;
	int64_t end;
	uint32_t ended_by; /* 0: the range is on its thread's stack */
};

static inline void put_mark(struct made_trace *trace, uint16_t flags, uint32_t thread,
			    uint64_t moment, struct mark mark)
{
	mark.frame = (struct frame){.size = sizeof(mark),
				    .kind = FRAME_MARK,
				    .flags = flags,
				    .thread = thread,
				    .correlation = mark.id};
	mark.enter = moment;
	trace_put_event(&trace->bytes, &mark.frame);
}

static inline void put_start(struct made_trace *trace, uint64_t id, const struct range *range)
{
	put_mark(trace, MARK_START | (range->ended_by ? 0 : MARK_PUSHED), range->thread,
		 range->start,
		 (struct mark){.id = id,
			       .name = made_name(trace, range->name, strlen(range->name)),
			       .domain = range->domain ? made_name(trace, range->domain,
								   strlen(range->domain))
						       : 0});
}

static inline void put_end(struct made_trace *trace, uint64_t id, const struct range *range)
{
	if (range->end != NEVER)
		put_mark(trace, MARK_END | (range->ended_by ? 0 : MARK_PUSHED),
			 range->ended_by ? range->ended_by : range->thread, (uint64_t)range->end,
			 (struct mark){.id = id});
}

static inline void put_call(struct made_trace *trace, const char *function, uint32_t thread,
			    uint64_t enter, uint64_t leave)
{
	const struct call call = {
		.frame = {.size = sizeof(call), .kind = FRAME_CALL, .thread = thread},
		.enter = enter,
		.leave = leave,
		.name = made_name(trace, function, strlen(function)),
		.api = API_CUDA,
	};

	trace_put_event(&trace->bytes, &call.frame);
}

/* A kernel that takes `time` and ran long after its call. */
static inline void put_kernel(struct made_trace *trace, const char *name, uint32_t thread,
			      uint64_t enter, uint64_t leave, uint64_t time)
{
	struct record record = made_record(FRAME_KERNEL, 50000, 50000 + time);

	record.frame.thread = thread;
	record.enter = enter;
	record.leave = leave;
	record.name = made_name(trace, name, strlen(name));
	made_put(trace, record);
}

/* clang-format off */
static const struct range ranges[] = {
	{"step", NULL, MAIN, 100, 1000, 0},
	{"step", NULL, MAIN, 300, 600, 0}, /* inside a range of its label */
	{"load", NULL, MAIN, 150, 300, 0},
	{"load", "solver", MAIN, 200, 900, OTHER},
	{"solve", "solver", MAIN, 250, 1200, OTHER}, /* overlaps the one before */
	{"step", NULL, OTHER, 100, 200, 0},
	{"idle", NULL, OTHER, 300, 400, 0},
	{"last", "a\n\"b\"", OTHER, 500, NEVER, 0},
};
/* clang-format on */

enum { RANGES = sizeof(ranges) / sizeof(ranges[0]) };

/* Ends come before and after their starts, calls before and after all ranges. */
static inline void make_some(struct made_trace *trace)
{
	struct record record;

	made_begin(trace);
	put_call(trace, "cuLaunchKernel", MAIN, 310, 350);
	put_kernel(trace, "k", MAIN, 310, 350, 1000);
	for (uint64_t i = 0; i < RANGES; i += 2)
		put_end(trace, i + 1, &ranges[i]);
	for (uint64_t i = 0; i < RANGES; i++)
		put_start(trace, i + 1, &ranges[i]);
	for (uint64_t i = 1; i < RANGES; i += 2)
		put_end(trace, i + 1, &ranges[i]);
	put_call(trace, "cuLaunchKernel", MAIN, 160, 210);
	put_kernel(trace, "init", MAIN, 160, 210, 500);
	put_call(trace, "cuMemFree", MAIN, 890, 910); /* it ends after "load" */
	put_call(trace, "cuLaunchKernel", OTHER, 120, 140);
	put_kernel(trace, "k", OTHER, 120, 140, 2000);
	put_call(trace, "cuCtxSynchronize", OTHER, 600, 2500); /* the latest time */
	record = made_record(FRAME_KERNEL, 0, 100000);
	record.frame.thread = MAIN;
	record.frame.flags = RECORD_NO_CALL;
	record.enter = 320;
	record.leave = 330;
	made_put(trace, record);
	record = made_copy(60000, 60300, MEMORY_HOST, MEMORY_DEVICE, 64);
	record.frame.thread = MAIN;
	record.device = OPENCL_DEVICE;
	record.enter = 950;
	record.leave = 960;
	made_put(trace, record);
}

/* Returns the output after the summary, without the remarks; the caller frees it. */
static inline char *behind_of(struct stream *stream, const struct tables_options *options,
			      int result, struct strbuf *error)
{
	char *text = NULL, *start, *end, *part;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_int_equal(tables_print(to, stream, options, error), result);
	assert_true(!result == !error->length);
	assert_int_equal(fclose(to), 0);
	stream_close(stream);
	start = strstr(text, NVTX);
	end = start ? strstr(start, "\n======== Records") : NULL;
	part = end ? strndup(start, (size_t)(end + 1 - start)) : strdup(start ? start : "");
	assert_non_null(part);
	free(text);
	return part;
}

static inline char *behind(struct made_trace *trace, const struct tables_options *options)
{
	struct strbuf error = STRBUF_INIT;
	char *text = behind_of(made_open(trace), options, 0, &error);

	strbuf_free(&error);
	return text;
}

/* clang-format off */
#define FIRST                                                                                      \
	THREAD(10) DOMAIN("<unnamed>") RANGE("step")                                               \
	"          Range:  100.00%  1.2000us         2     600ns     300ns     900ns  step\n"
#define FIRST_GPU                                                                                  \
	" GPU activities:   55.56%  1.0000us         1  1.0000us  1.0000us  1.0000us  k\n"         \
	"                   27.78%     500ns         1     500ns     500ns     500ns  init\n"      \
	"                   16.67%     300ns         1     300ns     300ns     300ns  "            \
	"[OpenCL memcpy HtoD]\n"
#define FIRST_CALLS                                                                                \
	"      API calls:   81.82%      90ns         2      45ns      40ns      50ns  "            \
	"cuLaunchKernel\n"                                                                         \
	"                   18.18%      20ns         1      20ns      20ns      20ns  cuMemFree\n\n"
#define LAST                                                                                       \
	DOMAIN("a\\x0a\"b\"") RANGE("last")                                                       \
	"          Range:  100.00%  2.0000us         1  2.0000us  2.0000us  2.0000us  last\n"
/* clang-format on */

#endif
