/* SPDX-License-Identifier: MIT */
/*
 * make_stacks TRACE MODULE ADDRESS...: writes a trace whose records, samples and waits have call
 * stacks. The addresses are in the ELF file MODULE, the outermost one first; below them are frames
 * of libraries that do not exist. Before the module's path, BUILD-ID: is its build id.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/event.h"
#include "model/frames.h"
#include "output/trace.h"
#include "stackframes.h"

#define EPOCH INT64_C(1700000000000000000)

enum { NAME_DEVICE = 1, NAME_KERNEL, NAME_MANGLED, NAME_PYTHON, NAME_FILE, NAME_ODD };
enum { MODULE_PROGRAM = 1, MODULE_OPENCL, MODULE_OWN, MODULE_OTHER };
enum { THREAD = 77, OTHER_THREAD = 78, KERNELS = 7 };
/* Numbers after those of the program's nodes. */
enum { NODE_API = 1, NODE_DRIVER, NODE_OWN, NODE_PYTHON, NODE_JIT, NODE_OTHER };

static const char *const texts[] = {
	[NAME_DEVICE] = "A device", [NAME_KERNEL] = "plain",	 [NAME_MANGLED] = "_Z4scalPfi",
	[NAME_PYTHON] = "train",    [NAME_FILE] = "/src/net.py", [NAME_ODD] = "<odd;\"&'>\x01\xff",
};

static uint32_t first; /* number of the program's nodes */

static void put_catalog(struct strbuf *to)
{
	struct names *names = names_new();

	frames_put_process(to, &(struct process){.pid = 4321, .started = 900000,
						 .monotonic_to_epoch = EPOCH});
	for (uint32_t id = 1; id < sizeof(texts) / sizeof(texts[0]); id++)
		frames_put_name(to, names, names_intern(names, texts[id], strlen(texts[id])));
	frames_put_device(to, &(struct device){.api = API_OPENCL, .name = texts[NAME_DEVICE]});
	frames_put_context(to, &(struct context){.api = API_OPENCL});
	names_free(names);
}

static void put_program(struct strbuf *to, const char *module)
{
	const char *colon = strchr(module, ':');
	unsigned char id[BUILD_ID_SIZE];
	uint32_t length = 0;

	for (const char *at = module; colon && at < colon && length < sizeof(id); at += 2) {
		const char digits[] = {at[0], at[1], '\0'};

		id[length++] = (unsigned char)strtoul(digits, NULL, 16);
	}
	put_module(to, MODULE_PROGRAM, colon ? colon + 1 : module, id, length);
}

static void put_stacks(struct strbuf *to, char **addresses)
{
	for (uint32_t i = 0; i < first; i++)
		put_node(to, &(struct stack_frame){.id = 1 + i, .parent = i,
						   .module = MODULE_PROGRAM,
						   .offset = strtoull(addresses[i], NULL, 16) + 1});
	put_module(to, MODULE_OPENCL, "/nowhere/libOpenCL.so.1", "", 0);
	put_module(to, MODULE_OWN, "/nowhere/libcomputeprof.so", "", 0);
	put_module(to, MODULE_OTHER, "/nowhere/libother.so", "", 0);
	put_node(to, &(struct stack_frame){.id = first + NODE_API, .parent = first,
					   .module = MODULE_OPENCL, .offset = 100});
	put_node(to, &(struct stack_frame){.id = first + NODE_DRIVER, .parent = first + NODE_API,
					   .module = MODULE_OPENCL, .offset = 200});
	put_node(to, &(struct stack_frame){.id = first + NODE_OWN, .parent = first + NODE_DRIVER,
					   .module = MODULE_OWN, .offset = 300});
	put_node(to, &(struct stack_frame){.id = first + NODE_PYTHON, .parent = first,
					   .name = NAME_PYTHON,
					   .offset = (uint64_t)NAME_FILE << 32 | 42});
	put_node(to, &(struct stack_frame){.id = first + NODE_JIT, .parent = first + NODE_PYTHON,
					   .offset = 0x7f0012345678,
					   .frame.flags = STACK_EXACT});
	put_node(to, &(struct stack_frame){.id = first + NODE_OTHER, .parent = first + NODE_OWN,
					   .module = MODULE_OTHER, .offset = 400});
}

/* A record of `duration` nanoseconds; records end one after the other. */
static void put_record(struct strbuf *to, uint16_t kind, uint32_t stack, uint32_t name,
		       uint64_t duration)
{
	static uint64_t count;
	struct record record;

	count++;
	record = (struct record){
		.frame = {.size = sizeof(record), .kind = kind, .thread = THREAD, .stack = stack,
			  .correlation = (1ull << 40) + count},
		.enter = 1000000 * count,
		.leave = 1000000 * count + 5000,
		.name = name,
		.known = duration ? KNOWN_TIMES | KNOWN_STREAM : KNOWN_STREAM,
	};

	record.started = (uint64_t)EPOCH + record.leave;
	record.queued = record.submitted = record.started;
	record.ended = record.started + duration;
	if (kind == FRAME_COPY)
		record.target = MEMORY_DEVICE; /* from the host */
	trace_put_record(to, &record);
}

static void put_records(struct strbuf *to)
{
	for (uint64_t i = 0; i < KERNELS; i++)
		put_record(to, FRAME_KERNEL, first + NODE_OWN, NAME_KERNEL, 100333 + i);
	put_record(to, FRAME_KERNEL, first + NODE_OWN, NAME_MANGLED, 1499);
	put_record(to, FRAME_KERNEL, first, NAME_ODD, 700);
	put_record(to, FRAME_KERNEL, first + NODE_PYTHON, NAME_KERNEL, 777777);
	put_record(to, FRAME_COPY, first + NODE_OWN, 0, 20500);
	put_record(to, FRAME_FILL, first + NODE_OWN, 0, 333);
	put_record(to, FRAME_KERNEL, 0, NAME_KERNEL, 5001);
	put_record(to, FRAME_KERNEL, 0, NAME_KERNEL, 5002);
	put_record(to, FRAME_KERNEL, first + NODE_OWN, NAME_KERNEL, 0); /* without times */
}

static void put_sample(struct strbuf *to, uint32_t thread, uint32_t stack, uint16_t flags)
{
	trace_put_event(to, &(struct sample){.frame = {.kind = FRAME_SAMPLE, .flags = flags,
						       .thread = thread, .stack = stack},
					     .enter = 5000000, .weight = 10101010,
					     .clock = SAMPLE_CLOCK_THREAD}.frame);
}

static void put_events(struct strbuf *to)
{
	for (int i = 0; i < 5; i++)
		put_sample(to, THREAD, first, 0);
	put_sample(to, OTHER_THREAD, first + NODE_JIT, 0);
	put_sample(to, OTHER_THREAD, first + NODE_OWN, 0);
	put_sample(to, OTHER_THREAD, first + NODE_OTHER, 0);
	put_sample(to, OTHER_THREAD, first, SAMPLE_DEVICE);
	/* Until after the end of the seventh kernel. */
	trace_put_event(to, &(struct wait){.frame = {.kind = FRAME_WAIT, .thread = THREAD,
						     .stack = first + NODE_API},
					   .enter = 6500000, .leave = 7900000,
					   .kind = WAIT_FOR_STREAM}.frame);
	trace_put_event(to, &(struct wait){.frame = {.kind = FRAME_WAIT, .thread = THREAD,
						     .stack = first + NODE_API},
					   .enter = 100, .leave = 200400,
					   .kind = WAIT_FOR_CONTEXT}.frame);
}

int main(int argc, char **argv)
{
	struct strbuf trace = STRBUF_INIT;
	FILE *file = argc > 3 ? fopen(argv[1], "w") : NULL;
	size_t written = 0;

	if (!file)
		return 2;
	first = (uint32_t)argc - 3;
	trace_put_header(&trace);
	put_catalog(&trace);
	put_program(&trace, argv[2]);
	put_stacks(&trace, argv + 3);
	put_records(&trace);
	put_events(&trace);
	trace_finish(&trace);
	if (!trace.failed)
		written = fwrite(trace.data, trace.length, 1, file);
	strbuf_free(&trace);
	return fclose(file) || !written;
}
