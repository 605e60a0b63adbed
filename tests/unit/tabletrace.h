/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_TABLETRACE_H
#define TESTS_UNIT_TABLETRACE_H

/* For tests of outputs made from traces: makes small ones in the file "trace". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "folder.h"

#include "model/frames.h"
#include "output/trace.h"
#include "view/stream/stream.h"

enum { BASE = 1000000000, CUDA_DEVICE = 0, OPENCL_DEVICE = 1 };

struct made_trace {
	struct strbuf bytes;
	struct names *names;
	uint64_t made; /* records */
};

/* Adds names that no kernel has. */
static inline uint32_t made_name(struct made_trace *trace, const char *name, size_t length)
{
	uint32_t known = names_count(trace->names);
	uint32_t id = names_intern(trace->names, name, length);

	if (id > known)
		frames_put_name(&trace->bytes, trace->names, id);
	return id;
}

static inline void made_begin(struct made_trace *trace)
{
	static char command[] = "./app\0-n\0\n2";
	static const struct process process = {.pid = 7,
					       .started = 500,
					       .monotonic_to_epoch = BASE - 1500,
					       .command = command,
					       .command_length = sizeof(command) - 1};
	static const struct device devices[] = {
		{.id = CUDA_DEVICE, .api = API_CUDA, .number = 0, .name = "Tesla P100-PCIE-16GB"},
		{.id = OPENCL_DEVICE, .api = API_OPENCL, .number = 3, .name = "A,\"device\"\n"},
	};
	static const struct context contexts[] = {
		{.id = 0, .api = API_CUDA, .device = CUDA_DEVICE},
		{.id = 1, .api = API_OPENCL, .index = 4, .device = OPENCL_DEVICE},
	};

	*trace = (struct made_trace){.names = names_new()};
	trace_put_header(&trace->bytes);
	frames_put_process(&trace->bytes, &process);
	for (int i = 0; i < 2; i++) {
		made_name(trace, devices[i].name, strlen(devices[i].name));
		frames_put_device(&trace->bytes, &devices[i]);
		frames_put_context(&trace->bytes, &contexts[i]);
	}
}

/* From `start` to `end`, in nanoseconds from BASE. */
static inline struct record made_record(enum frame_kind kind, uint64_t start, uint64_t end)
{
	return (struct record){
		.frame = {.size = sizeof(struct record), .kind = (uint16_t)kind},
		.queued = BASE + start,
		.submitted = BASE + start,
		.started = BASE + start,
		.ended = BASE + end,
		.known = KNOWN_TIMES | KNOWN_STREAM,
		.stream = 7,
	};
}

static inline void made_put(struct made_trace *trace, struct record record)
{
	record.frame.correlation = ++trace->made;
	trace_put_record(&trace->bytes, &record);
}

static inline void made_kernel(struct made_trace *trace, const char *name, uint64_t start,
			       uint64_t end)
{
	struct record record = made_record(FRAME_KERNEL, start, end);

	record.name = made_name(trace, name, strlen(name));
	record.known |= KNOWN_GRID | KNOWN_BLOCK | KNOWN_REGISTERS | KNOWN_STATIC_SHARED |
			KNOWN_DYNAMIC_SHARED;
	record.grid[0] = 8192;
	record.grid[1] = record.grid[2] = 1;
	record.block[0] = 128;
	record.block[1] = record.block[2] = 1;
	record.registers = 15;
	record.static_shared = 2048;
	made_put(trace, record);
}

static inline struct record made_copy(uint64_t start, uint64_t end, enum memory source,
				      enum memory target, uint64_t bytes)
{
	struct record record = made_record(FRAME_COPY, start, end);

	record.source = (uint8_t)source;
	record.target = (uint8_t)target;
	record.bytes = bytes;
	record.known |= KNOWN_BYTES | KNOWN_DIRECTION | KNOWN_HOST_MEMORY;
	record.host_memory = HOST_MEMORY_PAGE_LOCKED;
	return record;
}

/* A call, in nanoseconds from BASE, of a function of either API; `made` is the correlation of the
 * first of `records` records. */
static inline void made_call(struct made_trace *trace, const char *function, uint64_t enter,
			     uint64_t leave, uint64_t made, uint16_t records, int32_t result)
{
	struct call call = {
		.frame = {.size = sizeof(call), .kind = FRAME_CALL, .correlation = UINT64_MAX},
		.enter = enter + 1500,
		.leave = leave + 1500,
		.made = made,
		.records = records,
		.result = result,
		.name = made_name(trace, function, strlen(function)),
		.api = strncmp(function, "cu", 2) ? API_OPENCL : API_CUDA,
	};

	trace_put_event(&trace->bytes, &call.frame);
}

/* Writes the file and opens it. */
static inline struct stream *made_open(struct made_trace *trace)
{
	struct strbuf error = STRBUF_INIT;
	FILE *file = fopen("trace", "w");
	struct stream *stream;

	assert_non_null(file);
	trace_finish(&trace->bytes);
	assert_false(trace->bytes.failed);
	assert_int_equal(fwrite(trace->bytes.data, 1, trace->bytes.length, file),
			 trace->bytes.length);
	assert_int_equal(fclose(file), 0);
	stream = stream_open("trace", &error);
	assert_non_null(stream);
	return stream;
}

static inline void made_free(struct made_trace *trace)
{
	strbuf_free(&trace->bytes);
	names_free(trace->names);
}

#endif
