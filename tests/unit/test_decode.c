/* SPDX-License-Identifier: MIT */
/* Decoding of CUPTI's records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/cuda/activity_event.h"
#include "backend/cuda/api_event.h"
#include "backend/cuda/buffers.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/cuda.h"
#include "backend/cuda/decode.h"
#include "backend/cuda/libcupti.h"
#include "backend/cuda/match.h"

/* Stubs of the modules that decode.c uses: one context, and the decoded records. */
static struct record taken;
static uint32_t taken_for; /* correlation */
static int works, calls;
static uint32_t version;
static const struct cuda_context_entry entry = {.id = 7, .device = 3, .limits.compute = 90};

void buffers_lose(uint64_t count)
{
	(void)count;
}

const struct cuda_context_entry *contexts_get(uint32_t context, uint32_t device)
{
	(void)context;
	(void)device;
	return &entry;
}

/* The ends of copies between devices; a context without an id is not in the catalog. */
const struct cuda_context_entry *contexts_find(uint32_t context)
{
	static const struct cuda_context_entry ends[] = {
		[1] = {.id = 4, .device = 2}, [2] = {.id = 5, .device = 6}};

	return context < 3 && ends[context].id ? &ends[context] : NULL;
}

uint32_t contexts_stream(uint32_t context, uint32_t stream)
{
	(void)context;
	return stream + 100;
}

void match_add_work(const struct record *record, uint32_t correlation)
{
	taken = *record;
	taken_for = correlation;
	works++;
}

static uint64_t capture[2];

void match_add_capture(uint64_t begin)
{
	capture[0] = begin;
}

void match_end_capture(uint64_t end)
{
	capture[1] = end;
}

void match_doubt_launches(void)
{
}

bool calls_may_capture(uint32_t domain, uint32_t callback)
{
	(void)domain;
	(void)callback;
	return false;
}

void match_add_unlogged(uint32_t correlation)
{
	(void)correlation;
}

void match_add_filtered(const struct record *record, uint32_t correlation)
{
	(void)record;
	match_add_unlogged(correlation);
}

void match_add_call(const struct match_call *call)
{
	(void)call;
	calls++;
}

static int called, happened; /* events */

bool api_event_wanted;

void api_event_add(const struct cupti_api *call)
{
	(void)call;
	called++;
}

void activity_event_add(const struct cupti_record *record)
{
	(void)record;
	happened++;
}

enum call_kind calls_kind(uint32_t domain, uint32_t callback)
{
	static const enum call_kind kinds[] = {CALL_LAUNCH, CALL_CAPTURE, CALL_CAPTURE_END};

	(void)domain;
	return kinds[callback];
}

uint32_t libcupti_version(void)
{
	return version;
}

const struct settings *cuda_settings(void)
{
	static const struct settings settings;

	return &settings;
}

static void decode_copy(uint8_t kind, uint8_t source, uint8_t target)
{
	const struct cupti_memcpy copy = {
		.kind = CUPTI_KIND_MEMCPY,
		.copy = kind,
		.source = source,
		.target = target,
		.bytes = 4096,
		.start = 10,
		.end = 30,
		.stream = 5,
		.correlation = 77,
	};

	memset(&taken, 0, sizeof(taken));
	decode((const void *)&copy, 0);
	assert_int_equal(taken_for, 77);
	assert_int_equal(taken.stream, 105);
	assert_int_equal(taken.bytes, 4096);
	assert_true(taken.known & KNOWN_TIMES);
}

static void test_directions(void **state)
{
	(void)state;
	decode_copy(CUPTI_COPY_HOST_TO_ARRAY, CUPTI_MEMORY_PINNED, CUPTI_MEMORY_ARRAY);
	assert_int_equal(taken.direction, DIRECTION_HOST_TO_DEVICE);
	assert_int_equal(taken.source, MEMORY_HOST);
	assert_int_equal(taken.target, MEMORY_ARRAY);
	assert_true(taken.known & KNOWN_HOST_MEMORY);
	assert_int_equal(taken.host_memory, HOST_MEMORY_PAGE_LOCKED);
	decode_copy(CUPTI_COPY_DEVICE_TO_HOST, CUPTI_MEMORY_DEVICE, CUPTI_MEMORY_PAGEABLE);
	assert_int_equal(taken.direction, DIRECTION_DEVICE_TO_HOST);
	assert_true(taken.known & KNOWN_HOST_MEMORY);
	assert_int_equal(taken.host_memory, HOST_MEMORY_PAGEABLE);
	decode_copy(CUPTI_COPY_PEER_TO_PEER, CUPTI_MEMORY_DEVICE, CUPTI_MEMORY_DEVICE);
	assert_int_equal(taken.direction, DIRECTION_DEVICE);
	assert_int_equal(taken.source, MEMORY_PEER);
	assert_int_equal(taken.target, MEMORY_PEER);
	assert_true(taken.known & KNOWN_DIRECTION);
	assert_false(taken.known & KNOWN_HOST_MEMORY);
}

/* Both ends are known, or none: a context may be missing in the catalog. */
static void test_peers(void **state)
{
	struct cupti_memcpy_peer copy = {
		.kind = CUPTI_KIND_MEMCPY_PEER,
		.copy = CUPTI_COPY_PEER_TO_PEER,
		.source_device = 9,
		.source_context = 1,
		.target_device = 8,
		.target_context = 2,
		.correlation = 78,
	};

	(void)state;
	decode((const void *)&copy, 0);
	assert_int_equal(taken_for, 78);
	assert_int_equal(taken.device, 3);
	assert_int_equal(taken.context, 7);
	assert_true(taken.known & KNOWN_PEERS);
	assert_false(taken.known & KNOWN_GRID);
	assert_int_equal(taken.peers.source_device, 2);
	assert_int_equal(taken.peers.source_context, 4);
	assert_int_equal(taken.peers.target_device, 6);
	assert_int_equal(taken.peers.target_context, 5);
	copy.source_context = 0;
	decode((const void *)&copy, 0);
	assert_false(taken.known & KNOWN_PEERS);
	assert_int_equal(taken.peers.target_device, 0);
	copy.source_context = 1;
	copy.target_context = 3;
	decode((const void *)&copy, 0);
	assert_false(taken.known & KNOWN_PEERS);
	decode_copy(CUPTI_COPY_DEVICE_TO_DEVICE, CUPTI_MEMORY_DEVICE, CUPTI_MEMORY_DEVICE);
	assert_false(taken.known & KNOWN_PEERS);
}

/* The logs have no numbers for these. */
static void test_nothing_made_up(void **state)
{
	(void)state;
	decode_copy(CUPTI_COPY_HOST_TO_DEVICE, CUPTI_MEMORY_MANAGED, CUPTI_MEMORY_DEVICE);
	assert_true(taken.known & KNOWN_DIRECTION);
	assert_false(taken.known & KNOWN_HOST_MEMORY);
	decode_copy(CUPTI_COPY_HOST_TO_HOST, CUPTI_MEMORY_PAGEABLE, CUPTI_MEMORY_PAGEABLE);
	assert_false(taken.known & (KNOWN_DIRECTION | KNOWN_HOST_MEMORY));
	for (unsigned kind = 0; kind < 256; kind = kind ? kind + 1 : CUPTI_COPY_PEER_TO_PEER + 1) {
		decode_copy((uint8_t)kind, CUPTI_MEMORY_PAGEABLE, CUPTI_MEMORY_DEVICE);
		assert_false(taken.known & (KNOWN_DIRECTION | KNOWN_HOST_MEMORY));
		assert_int_not_equal(taken.source, MEMORY_DEVICE);
		assert_int_not_equal(taken.target, MEMORY_DEVICE);
	}
}

/* Kernel records of CUDA 8 end where those of later releases have their shared memory. */
static void test_releases(void **state)
{
	struct cupti_kernel4 kernel = {
		.base = {.kind = CUPTI_KIND_CONCURRENT_KERNEL,
			 .registers = 16,
			 .start = 10,
			 .end = 10,
			 .grid = {1, 1, 1},
			 .block = {1024, 1, 1},
			 .static_shared = 40000},
		.shared_executed = 65536,
	};

	(void)state;
	version = 9;
	decode((const void *)&kernel, 0);
	assert_float_equal(taken.occupancy, 1, 0);
	version = 10;
	decode((const void *)&kernel, 0);
	assert_float_equal(taken.occupancy, 0.5f, 0);
	assert_true(taken.known & KNOWN_TIMES);
}

/* Copies and memsets of CUDA 10 end before the node of their graph. */
static void test_graph_nodes(void **state)
{
	const struct cupti_memcpy3 copy = {.base.kind = CUPTI_KIND_MEMCPY, .graph_node = 21};
	const struct cupti_memcpy_peer2 peer = {.base.kind = CUPTI_KIND_MEMCPY_PEER,
						.graph_node = 22};
	const struct cupti_memset2 fill = {.base.kind = CUPTI_KIND_MEMSET, .graph_node = 23};
	const void *const records[] = {&copy, &peer, &fill};

	(void)state;
	for (uint64_t i = 0; i < 3; i++) {
		version = 12;
		decode(records[i], 0);
		assert_int_equal(taken.handle, 0);
		version = 13;
		decode(records[i], 0);
		assert_int_equal(taken.handle, 21 + i);
	}
	version = 10;
}

static void test_failed_calls(void **state)
{
	struct cupti_api call = {.kind = CUPTI_KIND_RUNTIME, .start = 1, .end = 2};

	(void)state;
	decode((const void *)&call, 0);
	assert_int_equal(calls, 1);
	call.result = 700;
	decode((const void *)&call, 0);
	assert_int_equal(calls, 1);
	call = (struct cupti_api){.kind = CUPTI_KIND_DRIVER, .start = 1};
	decode((const void *)&call, 0);
	assert_int_equal(calls, 1);
	call = (struct cupti_api){
		.kind = CUPTI_KIND_DRIVER, .callback = 1, .start = 7, .end = 8, .result = 700};
	decode((const void *)&call, 0);
	assert_int_equal(capture[0], 0); /* it has not begun */
	call.result = 0;
	decode((const void *)&call, 0);
	assert_int_equal(capture[0], 7);
	call = (struct cupti_api){
		.kind = CUPTI_KIND_DRIVER, .callback = 2, .start = 8, .end = 9, .result = 903};
	decode((const void *)&call, 0);
	assert_int_equal(capture[1], 0); /* it was another stream's */
	call.result = 400;
	decode((const void *)&call, 0);
	assert_int_equal(capture[1], 0); /* there was no such stream */
	call.result = 901;
	decode((const void *)&call, 0);
	assert_int_equal(capture[1], 9); /* it has ended, although there is no graph */
}

static void test_other_kinds(void **state)
{
	const struct cupti_record record = {.kind = 1000};
	int before = works + calls;

	(void)state;
	decode(&record, 0);
	assert_int_equal(works + calls, before);
}

/* Events are only decoded on request. */
static void test_events(void **state)
{
	struct cupti_api call = {.kind = CUPTI_KIND_RUNTIME, .start = 1, .end = 2, .result = 700};
	const struct cupti_record other = {.kind = 38};

	(void)state;
	called = happened = 0;
	decode((const void *)&call, 0);
	decode(&other, 0);
	assert_int_equal(called + happened, 0);
	api_event_wanted = true;
	decode((const void *)&call, 0);
	decode(&other, 0);
	api_event_wanted = false;
	assert_int_equal(called, 1);
	assert_int_equal(happened, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_directions),	cmocka_unit_test(test_peers),
		cmocka_unit_test(test_nothing_made_up), cmocka_unit_test(test_releases),
		cmocka_unit_test(test_graph_nodes),	cmocka_unit_test(test_failed_calls),
		cmocka_unit_test(test_other_kinds),	cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
