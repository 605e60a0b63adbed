/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/eventline.h"

/* The lines of event streams, byte by byte. */

static struct catalog catalog;

static uint32_t name(const char *text)
{
	return names_intern(catalog.names, text, strlen(text));
}

static void check(struct strbuf *text, const char *expected)
{
	assert_string_equal(strbuf_text(text), expected);
	strbuf_free(text);
}

static void check_record(const struct record *record, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	eventline_record(&text, &catalog, record);
	check(&text, expected);
}

static void check_event(const void *event, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	assert_true(eventline_has(event));
	eventline_event(&text, &catalog, event);
	check(&text, expected);
}

static struct record make_record(uint16_t kind)
{
	return (struct record){
		.frame = {.kind = kind, .correlation = 1099511627777, .thread = 4711},
		.enter = 1000,
		.leave = 1999,
		.started = 1600000000000000001,
		.ended = 1600000000000000205,
		.known = KNOWN_TIMES,
	};
}

static void test_kernel(void **state)
{
	struct record record = make_record(FRAME_KERNEL);

	(void)state;
	record.name = name("a<\"b\\c\">\x01\xff");
	record.known |= KNOWN_GRID | KNOWN_STATIC_SHARED | KNOWN_DYNAMIC_SHARED | KNOWN_STREAM;
	record.grid[0] = UINT64_C(1) << 33;
	record.grid[1] = record.grid[2] = 1;
	record.block[0] = 32;
	record.block[1] = record.block[2] = 4;
	record.static_shared = 48;
	record.dynamic_shared = 1024;
	record.stream = 7;
	check_record(
		&record,
		"{\"type\":\"CONCURRENT_KERNEL\",\"start\":1600000000000000001,"
		"\"end\":1600000000000000205,\"duration\":204,"
		"\"name\":\"a<\\\"b\\\\c\\\">\\\\x01\\\\xff\",\"grid\":[8589934592,1,1],"
		"\"block\":[32,4,4],\"sharedMemory\":{\"static\":48,\"dynamic\":1024},"
		"\"correlationId\":1099511627777,\"deviceId\":3,\"contextId\":5,\"streamId\":7,"
		"\"callStart\":1600000000000001000,\"callEnd\":1600000000000001999,"
		"\"processId\":17,\"threadId\":4711}\n");
	/* What is not known is left out. */
	record = make_record(FRAME_KERNEL);
	record.known = KNOWN_DYNAMIC_SHARED;
	record.frame.flags = RECORD_NO_CALL;
	record.frame.thread = 0;
	record.device = record.context = 9;
	check_record(&record, "{\"type\":\"CONCURRENT_KERNEL\",\"name\":\"unknown_kernel\","
			      "\"sharedMemory\":{\"dynamic\":0},\"correlationId\":1099511627777,"
			      "\"processId\":17}\n");
}

static void check_copy(enum memory source, enum memory target, unsigned known, const char *expected)
{
	struct record record = make_record(FRAME_COPY);
	char start[200];
	struct strbuf text = STRBUF_INIT;

	record.source = (uint8_t)source;
	record.target = (uint8_t)target;
	record.known = known;
	record.host_memory = HOST_MEMORY_PAGE_LOCKED;
	record.bytes = UINT64_C(1) << 40;
	snprintf(start, sizeof(start), "{\"type\":\"%s,\"correlationId\":", expected);
	eventline_record(&text, &catalog, &record);
	assert_memory_equal(strbuf_text(&text), start, strlen(start));
	strbuf_free(&text);
}

static void test_copies(void **state)
{
	struct record record = make_record(FRAME_FILL);

	(void)state;
	check_copy(MEMORY_HOST, MEMORY_DEVICE, KNOWN_BYTES | KNOWN_HOST_MEMORY,
		   "MEMCPY\",\"copyKind\":\"HtoD\",\"srcKind\":\"PINNED\",\"dstKind\":\"DEVICE\","
		   "\"size\":1099511627776");
	check_copy(MEMORY_ARRAY, MEMORY_HOST, 0,
		   "MEMCPY\",\"copyKind\":\"AtoH\",\"srcKind\":\"ARRAY\",\"dstKind\":\"UNKNOWN\"");
	check_copy(MEMORY_DEVICE, MEMORY_DEVICE, 0,
		   "MEMCPY\",\"copyKind\":\"DtoD\",\"srcKind\":\"DEVICE\",\"dstKind\":\"DEVICE\"");
	check_copy(MEMORY_PEER, MEMORY_PEER, 0,
		   "MEMCPY2\",\"copyKind\":\"PtoP\",\"srcKind\":\"DEVICE\",\"dstKind\":\"DEVICE\"");
	check_copy((enum memory)MEMORY_COUNT, MEMORY_HOST, 0, "MEMCPY\"");
	record.known = KNOWN_BYTES;
	record.bytes = 100;
	check_record(&record, "{\"type\":\"MEMSET\",\"size\":100,\"correlationId\":1099511627777,"
			      "\"deviceId\":3,\"contextId\":5,\"callStart\":1600000000000001000,"
			      "\"callEnd\":1600000000000001999,\"processId\":17,"
			      "\"threadId\":4711}\n");
}

static void test_calls(void **state)
{
	struct call call = {
		.frame = {.kind = FRAME_CALL, .correlation = EVENT_NUMBERS | 1, .thread = 2},
		.enter = 5,
		.leave = 9,
		.made = 12,
		.name = name("cudaMemcpy"),
		.api = API_CUDA,
		.records = 2,
	};

	(void)state;
	check_event(&call, "{\"type\":\"RUNTIME\",\"start\":1600000000000000005,"
			   "\"end\":1600000000000000009,\"duration\":4,\"name\":\"cudaMemcpy\","
			   "\"correlationId\":12,\"records\":2,\"result\":0,\"processId\":17,"
			   "\"threadId\":2}\n");
	call.name = name("cuInit");
	call.made = call.records = 0;
	call.result = -35;
	check_event(&call, "{\"type\":\"DRIVER\",\"start\":1600000000000000005,"
			   "\"end\":1600000000000000009,\"duration\":4,\"name\":\"cuInit\","
			   "\"result\":-35,\"processId\":17,\"threadId\":2}\n");
	call.api = API_OPENCL;
	call.name = name("clFinish");
	call.result = INT32_MIN;
	check_event(&call, "{\"type\":\"OPENCL\",\"start\":1600000000000000005,"
			   "\"end\":1600000000000000009,\"duration\":4,\"name\":\"clFinish\","
			   "\"result\":\"failed\",\"processId\":17,\"threadId\":2}\n");
}

static void test_events(void **state)
{
	struct allocation allocation = {
		.frame = {.kind = FRAME_ALLOCATION, .thread = 2, .flags = ALLOCATION_FREED},
		.enter = 1,
		.address = 4096,
		.bytes = 64,
		.memory = MEMORY_KIND_MANAGED,
		.device = UINT32_MAX,
		.context = 0};
	struct mark mark = {.frame = {.kind = FRAME_MARK, .flags = MARK_START, .thread = 2},
			    .enter = 1,
			    .id = 77,
			    .name = name("step"),
			    .domain = name("solver")};
	struct wait wait = {.frame = {.kind = FRAME_WAIT}};

	(void)state;
	check_event(&allocation,
		    "{\"type\":\"MEMORY2\",\"timestamp\":1600000000000000001,"
		    "\"memoryOperation\":\"RELEASE\",\"memoryKind\":\"MANAGED\",\"size\":64,"
		    "\"address\":4096,\"contextId\":5,\"processId\":17,\"threadId\":2}\n");
	check_event(&mark, "{\"type\":\"MARKER\",\"timestamp\":1600000000000000001,"
			   "\"flag\":\"START\",\"name\":\"step\",\"domain\":\"solver\",\"id\":77,"
			   "\"processId\":17,\"threadId\":2}\n");
	assert_false(eventline_has(&wait.frame));
}

/* The outermost frame is the first one. */
static void test_stack(void **state)
{
	struct stack_module module = {.path = "/usr/lib/a \"b\".so", .length = 17};
	struct stack_node node = {.module = stacks_add_module(&catalog.stacks, &module),
				  .offset = 0x27305};
	struct sample sample = {
		.frame = {.kind = FRAME_SAMPLE, .thread = 2}, .enter = 3, .weight = 10101010};

	(void)state;
	node.parent = stacks_add_node(&catalog.stacks, &node);
	node.module = 0;
	node.offset = 0xffff0000;
	node.parent = stacks_add_node(&catalog.stacks, &node);
	node.name = name("main.py:run");
	sample.frame.stack = stacks_add_node(&catalog.stacks, &node);
	check_event(&sample, "{\"type\":\"SAMPLE\",\"timestamp\":1600000000000000003,"
			     "\"weight\":10101010,\"processId\":17,\"threadId\":2,"
			     "\"stack\":[\"/usr/lib/a \\\"b\\\".so+0x27305\",\"0xffff0000\","
			     "\"main.py:run\"]}\n");
}

static void test_process(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	eventline_process(&text, &catalog);
	eventline_lost(&text, 17, 3);
	eventline_end(&text, 17, 4);
	check(&text, "{\"type\":\"PROCESS\",\"version\":1,\"processId\":17,"
		     "\"start\":1600000000000000500,\"name\":\"./app\"}\n"
		     "{\"type\":\"LOST\",\"count\":3,\"processId\":17}\n"
		     "{\"type\":\"END\",\"lost\":4,\"processId\":17}\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel), cmocka_unit_test(test_copies),
		cmocka_unit_test(test_calls),  cmocka_unit_test(test_events),
		cmocka_unit_test(test_stack),  cmocka_unit_test(test_process),
	};
	static const char command[] = "./app\0argument";
	int result;

	if (catalog_init(&catalog) || !catalog_command(&catalog))
		return EXIT_FAILURE;
	catalog.process.pid = 17;
	catalog.process.started = 500;
	catalog.process.monotonic_to_epoch = 1600000000000000000;
	memcpy(catalog.process.command, command, sizeof(command));
	catalog.process.command_length = sizeof(command);
	catalog_add_device(&catalog, &(struct device){.number = 3, .name = "device"});
	catalog_add_context(&catalog, &(struct context){.index = 5});
	result = cmocka_run_group_tests(tests, NULL, NULL);
	catalog_free(&catalog);
	return result;
}
