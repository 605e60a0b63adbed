/* SPDX-License-Identifier: MIT */
/* Records and events of several processes as those of one: their ids, numbers and times; and the
 * clocks of processes of one and of several hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/block.h"
#include "model/frames.h"
#include "view/ranks/rank_clocks.h"
#include "view/ranks/rank_frames.h"

enum { RING = 40 };

static const char *const texts[] = {"filler", "saxpy", "domain", "main.py"};

/* A process with `skipped` names, devices and contexts before those that are used. */
static void fill(struct catalog *catalog, uint32_t skipped, int64_t epoch)
{
	const struct device device = {.api = API_CUDA, .number = 0, .name = "GPU"};
	const struct counter_column column = {.name = "inst"};
	struct counter_set set = {.count = 1, .columns = &column, .refused = ""};
	struct stack_module module = {.path = "/bin/app", .length = 8};
	struct stack_module rebuilt = {.path = "/bin/app",
				       .length = 8,
				       .build_id = {(uint8_t)skipped, 9},
				       .build_id_length = 2};
	struct stack_node node = {.module = 1, .offset = 64};

	assert_int_equal(catalog_init(catalog), 0);
	catalog->process.monotonic_to_epoch = epoch;
	for (uint32_t i = 0; i <= skipped; i++) {
		struct context context = {.api = API_CUDA, .index = i, .device = i};

		assert_int_equal(catalog_add_device(catalog, &device), i);
		assert_int_equal(catalog_add_context(catalog, &context), i);
	}
	for (size_t i = skipped ? 0 : 1; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_true(names_intern(catalog->names, texts[i], strlen(texts[i])));
	set.device = skipped;
	assert_int_equal(catalog_add_counters(catalog, &set), 0);
	assert_int_equal(stacks_add_module(&catalog->stacks, &module), 1);
	assert_int_equal(stacks_add_node(&catalog->stacks, &node), 1);
	node = (struct stack_node){.parent = 1,
				   .name = skipped ? 2 : 1,
				   .offset = (uint64_t)(skipped ? 4 : 3) << 32 | 7};
	assert_int_equal(stacks_add_node(&catalog->stacks, &node), 2);
	assert_int_equal(stacks_add_module(&catalog->stacks, &rebuilt), 2);
	node = (struct stack_node){.module = 2, .offset = 64};
	assert_int_equal(stacks_add_node(&catalog->stacks, &node), 3);
}

static struct frame head(enum frame_kind kind, uint64_t ring, uint64_t number, uint32_t thread)
{
	return (struct frame){.size = frames_fixed_size(kind),
			      .kind = (uint16_t)kind,
			      .correlation = ring << RING | number,
			      .thread = thread};
}

static void convert(struct rank_frames *frames, void *frame)
{
	struct strbuf error = STRBUF_INIT;

	assert_int_equal(rank_frames_convert(frames, frame, &error), 0);
	assert_int_equal(error.length, 0);
	strbuf_free(&error);
}

static void expect_name(const struct rank_frames *frames, uint32_t id, const char *text)
{
	size_t length;

	assert_string_equal(names_text(frames->catalog.merged.names, id, &length), text);
}

/* The second part's ids differ by one, or by two for devices. */
struct parts {
	struct catalog one, other;
	struct rank_frames frames;
};

static void begin(struct parts *parts)
{
	fill(&parts->one, 0, 1000);
	fill(&parts->other, 2, 5000);
	assert_int_equal(rank_frames_open(&parts->frames), 0);
	rank_frames_begin(&parts->frames, &parts->one, 0);
	rank_frames_align(&parts->frames, 1000, 1000);
}

static void second(struct parts *parts)
{
	rank_frames_begin(&parts->frames, &parts->other, 7);
	rank_frames_align(&parts->frames, 5010, 1000);
}

static void end(struct parts *parts)
{
	rank_frames_close(&parts->frames);
	catalog_free(&parts->one);
	catalog_free(&parts->other);
}

static struct counted_record counted(const struct frame *frame, uint32_t name, uint32_t place)
{
	const struct record record = {.frame = *frame,
				      .enter = 100,
				      .leave = 200,
				      .queued = 50,
				      .submitted = 51,
				      .started = 52,
				      .ended = 53,
				      .known = KNOWN_TIMES,
				      .name = name,
				      .device = place,
				      .context = place};
	struct counted_record counted = {.record = record, .values = {4.5}};

	counted_record_set(&counted, 0, 1);
	return counted;
}

static void test_records(void **state)
{
	struct parts parts;
	struct frame frame = head(FRAME_KERNEL, 3, 5, 77);
	struct counted_record one = counted(&frame, 1, 0), other = counted(&frame, 2, 2);
	const struct catalog *merged = &parts.frames.catalog.merged;

	(void)state;
	begin(&parts);
	one.record.frame.stack = 2;
	convert(&parts.frames, &one);
	second(&parts);
	other.record.frame.stack = 2;
	convert(&parts.frames, &other);
	expect_name(&parts.frames, one.record.name, "saxpy");
	assert_int_equal(one.record.name, other.record.name);
	assert_int_equal(one.record.frame.stack, other.record.frame.stack);
	assert_int_equal(merged->stacks.node_count, 2);
	expect_name(&parts.frames, (uint32_t)(merged->stacks.nodes[1].offset >> 32), "main.py");
	assert_string_equal(merged->devices[one.record.device].name, "rank 0: GPU");
	assert_string_equal(merged->devices[other.record.device].name, "rank 7: GPU");
	assert_int_equal(merged->devices[other.record.device].number, 1);
	assert_int_equal(merged->contexts[other.record.context].device, other.record.device);
	assert_int_equal(merged->contexts[other.record.context].index, 1);
	assert_int_equal(merged->counters[record_counters(&other.record)->set]->device,
			 other.record.device);
	assert_true(record_values(&other.record)[0] == 4.5);
	/* Its clock counts from 4010 later, and was read 10 too early. */
	assert_int_equal(other.record.enter, 4110);
	assert_int_equal(other.record.leave, 4210);
	assert_int_equal(other.record.queued, 60);
	assert_int_equal(other.record.ended, 63);
	assert_int_equal(one.record.enter, 100);
	assert_int_equal(one.record.ended, 53);
	assert_int_equal(one.record.frame.thread, 77);
	assert_true(other.record.frame.thread > 1 << 22);
	assert_true(one.record.frame.correlation != other.record.frame.correlation);
	assert_int_equal(other.record.frame.correlation & 0xff, 5);
	end(&parts);
}

/* Files of one path that were built anew between two processes are two. */
static void test_rebuilt(void **state)
{
	struct parts parts;
	struct frame frame = head(FRAME_KERNEL, 3, 5, 77);
	struct counted_record one = counted(&frame, 1, 0), other = counted(&frame, 2, 2);
	const struct stacks *merged = &parts.frames.catalog.merged.stacks;

	(void)state;
	begin(&parts);
	one.record.frame.stack = 3;
	convert(&parts.frames, &one);
	second(&parts);
	other.record.frame.stack = 3;
	convert(&parts.frames, &other);
	assert_int_not_equal(one.record.frame.stack, other.record.frame.stack);
	assert_int_equal(stacks_module(merged, stacks_node(merged, one.record.frame.stack)->module)
				 ->build_id[0],
			 0);
	assert_int_equal(
		stacks_module(merged, stacks_node(merged, other.record.frame.stack)->module)
			->build_id[0],
		2);
	end(&parts);
}

/* Both ends of a copy between devices get the numbers of all processes. */
static void test_peers(void **state)
{
	struct parts parts;
	struct frame frame = head(FRAME_COPY, 3, 5, 77);
	struct counted_record copy = counted(&frame, 0, 0);
	const struct catalog *merged = &parts.frames.catalog.merged;
	const struct peers *peers = &copy.record.peers;

	(void)state;
	begin(&parts);
	second(&parts);
	copy.record.known |= KNOWN_PEERS;
	copy.record.peers = (struct peers){2, 2, 1, 1};
	convert(&parts.frames, &copy);
	assert_int_equal(merged->device_count, 3);
	assert_int_not_equal(peers->source_device, peers->target_device);
	assert_int_not_equal(peers->source_device, copy.record.device);
	assert_int_equal(merged->contexts[peers->source_context].device, peers->source_device);
	assert_int_equal(merged->contexts[peers->target_context].device, peers->target_device);
	assert_int_not_equal(peers->source_context, peers->target_context);
	end(&parts);
}

static void test_numbers(void **state)
{
	struct parts parts;
	struct mark start = {.frame = head(FRAME_MARK, 3, 5, 77), .name = 2, .domain = 3};
	struct mark stop = {.frame = head(FRAME_MARK, 9, 6, 78)};
	struct call call = {.frame = head(FRAME_CALL, 3, 6, 77), .name = 2};
	struct use use = {.frame = head(FRAME_USE, 3, 7, 77), .address = 16, .bytes = 8};
	struct change change = {.frame = head(FRAME_CHANGE, 3, 8, 77)};
	struct overhead overhead = {.frame = head(FRAME_OVERHEAD, 3, 9, 77), .object = 77};
	struct managed managed = {
		.frame = head(FRAME_MANAGED, 1, 6, 0), .leave = 1, .address = 32, .target = 2};

	(void)state;
	start.id = stop.id = use.record = start.frame.correlation;
	call.made = call.frame.correlation + 4;
	change.use = use.frame.correlation;
	begin(&parts);
	{
		struct use first = use;

		convert(&parts.frames, &first);
		assert_int_equal(first.address, 16);
	}
	second(&parts);
	convert(&parts.frames, &start);
	convert(&parts.frames, &stop);
	convert(&parts.frames, &call);
	convert(&parts.frames, &use);
	convert(&parts.frames, &change);
	convert(&parts.frames, &overhead);
	convert(&parts.frames, &managed);
	expect_name(&parts.frames, start.name, "saxpy");
	expect_name(&parts.frames, start.domain, "domain");
	expect_name(&parts.frames, call.name, "saxpy");
	assert_int_equal(start.id, start.frame.correlation);
	assert_int_equal(stop.id, start.id);
	assert_int_equal(use.record, start.id);
	assert_int_equal(change.use, use.frame.correlation);
	assert_int_equal(call.made, call.frame.correlation + 4);
	assert_int_equal(use.address, (UINT64_C(1) << 52) + 16);
	assert_int_equal(managed.address, (UINT64_C(1) << 52) + 32);
	assert_int_equal(managed.target, 2);
	assert_int_equal(managed.leave, 4011);
	assert_int_equal(overhead.object, overhead.frame.thread);
	assert_int_equal(stop.frame.thread, 78);
	assert_int_equal(start.enter, 4010);
	end(&parts);
}

static void test_places(void **state)
{
	struct parts parts;
	struct allocation allocation = {
		.frame = head(FRAME_ALLOCATION, 1, 1, 1), .device = UINT32_MAX, .context = 2};
	struct wait wait = {.frame = head(FRAME_WAIT, 1, 2, 1), .device = 2, .context = UINT32_MAX};
	struct queue queue = {.frame = head(FRAME_QUEUE, 1, 3, 1), .device = 2, .context = 2};

	(void)state;
	begin(&parts);
	second(&parts);
	convert(&parts.frames, &allocation);
	convert(&parts.frames, &wait);
	convert(&parts.frames, &queue);
	assert_int_equal(allocation.device, UINT32_MAX);
	assert_int_equal(allocation.context, 0);
	assert_int_equal(wait.context, UINT32_MAX);
	assert_int_equal(wait.device, queue.device);
	assert_int_equal(parts.frames.catalog.merged.device_count, 1);
	assert_int_equal(allocation.leave, 4010);
	assert_int_equal(queue.context, 0);
	end(&parts);
}

/* Devices of managed memory get the numbers of all processes; the host keeps its number. */
static void test_managed(void **state)
{
	struct parts parts;
	struct frame frame = head(FRAME_MANAGED, 1, 6, 0);
	struct managed to_device = {.frame = frame,
				    .api = API_CUDA,
				    .kind = MANAGED_HOST_TO_DEVICE,
				    .source = UINT32_MAX,
				    .target = 1};
	struct managed thrashing = {
		.frame = frame, .api = API_CUDA, .kind = MANAGED_THRASHING, .source = 1 << 2 | 1};
	struct managed host_fault = {.frame = frame, .api = API_CUDA, .kind = MANAGED_HOST_FAULT};
	struct managed first = to_device, between = to_device;
	struct managed mapped = {.frame = frame, .api = API_CUDA, .kind = MANAGED_REMOTE_MAP};
	const struct catalog *merged = &parts.frames.catalog.merged;

	(void)state;
	begin(&parts);
	parts.one.devices[0].number = 1;
	convert(&parts.frames, &first);
	assert_int_equal(first.target, 0);
	second(&parts);
	for (uint32_t i = 0; i < parts.other.device_count; i++)
		parts.other.devices[i].number = i;
	convert(&parts.frames, &to_device);
	assert_int_equal(to_device.target, 1);
	assert_int_equal(to_device.source, UINT32_MAX);
	assert_string_equal(merged->devices[1].name, "rank 7: GPU");
	assert_int_equal(merged->devices[1].number, 1);
	convert(&parts.frames, &thrashing);
	assert_int_equal(thrashing.source, 1 << 2 | 1 << 3);
	convert(&parts.frames, &host_fault);
	assert_int_equal(host_fault.source, 0);
	/* A device that its process does not describe is none of the others'. */
	between.kind = MANAGED_DEVICE_TO_DEVICE;
	between.source = 0;
	between.target = 9;
	convert(&parts.frames, &between);
	assert_int_equal(between.source, 2);
	assert_int_equal(between.target, 4);
	mapped.source = 1;
	mapped.target = 0;
	convert(&parts.frames, &mapped);
	assert_int_equal(mapped.source, 1);
	assert_int_equal(mapped.target, 2);
	assert_int_equal(merged->device_count, 4);
	end(&parts);
}

/* A process of a host. */
static void add(struct rank_clocks *clocks, uint8_t boot, int64_t epoch, const int64_t *at_end)
{
	const struct process process = {.boot = {boot}, .monotonic_to_epoch = epoch};

	assert_int_equal(rank_clocks_add(clocks, &process, at_end), 0);
}

static void test_clocks(void **state)
{
	struct rank_clocks clocks = {0};
	const int64_t later = 1000600, other = 7000000, less = 6996000;
	uint64_t error;

	(void)state;
	add(&clocks, 1, 1000000, &later);
	add(&clocks, 1, 1000200, NULL);
	assert_int_equal(rank_clocks_hosts(&clocks), 1);
	assert_true(rank_clocks_error(&clocks, &error));
	assert_int_equal(error, 0);
	assert_int_equal(rank_clocks_epoch(&clocks, 0), rank_clocks_epoch(&clocks, 1));
	add(&clocks, 2, other, &less);
	assert_int_equal(rank_clocks_epoch(&clocks, 0), 1000300);
	assert_int_equal(rank_clocks_epoch(&clocks, 2), 6998000);
	assert_true(rank_clocks_error(&clocks, &error));
	assert_int_equal(error, 300 + 2000 + 2 * RANK_CLOCK_READING);
	/* Of an unknown boot: each is a host, without a second reading. */
	add(&clocks, 0, 5, NULL);
	add(&clocks, 0, 9, &other);
	assert_int_equal(rank_clocks_hosts(&clocks), 4);
	assert_int_equal(rank_clocks_epoch(&clocks, 3), 5);
	assert_false(rank_clocks_error(&clocks, &error));
	rank_clocks_free(&clocks);
}

/* It is that of the two hosts that are known the least exactly, in any order. */
static void test_clock_error(void **state)
{
	static const int64_t later[] = {4000, 2000, 200};

	(void)state;
	for (size_t first = 0; first < 3; first++) {
		struct rank_clocks clocks = {0};
		uint64_t error;

		for (uint8_t i = 0; i < 3; i++)
			add(&clocks, i + 1, 0, &later[(first + i) % 3]);
		assert_true(rank_clocks_error(&clocks, &error));
		assert_int_equal(error, 2000 + 1000 + 2 * RANK_CLOCK_READING);
		rank_clocks_free(&clocks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records), cmocka_unit_test(test_peers),
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_places),
		cmocka_unit_test(test_managed), cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_rebuilt), cmocka_unit_test(test_clock_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
