/* SPDX-License-Identifier: MIT */
/* T15: counters of kernels with known counts; kernels.h explains them. */
#include "part_counters.h"

#include <stdio.h>
#include <stdlib.h>

#include "counting.h"

enum { HALF = WORK_BYTES / 2, BLOCK = 128 };

/* Whole and partial warps, all dimensions, one thread and many blocks. */
static const struct launch shapes[] = {
	{.kernel = "empty"},
	{.kernel = "empty", .block = {31}},
	{.kernel = "empty", .block = {32}},
	{.kernel = "empty", .block = {33}},
	{.kernel = "empty", .block = {1024}},
	{.kernel = "empty", .grid = {3, 2, 2}, .block = {5, 3, 7}},
	{.kernel = "empty", .grid = {7, 5, 3}, .block = {8, 4, 2}},
	{.kernel = "empty", .grid = {1, 1000, 3}, .block = {1, 1, 64}},
	{.kernel = "empty", .grid = {1, 1, 65535}, .block = {16, 3}},
	{.kernel = "empty", .grid = {100000}, .block = {256}},
	{.kernel = "empty", .grid = {1 << 20}},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static unsigned long long threads(const struct launch *launch)
{
	const struct launch single = {
		.grid = {launch->block[0], launch->block[1], launch->block[2]}};

	return counting_blocks(launch) * counting_blocks(&single);
}

int counters_shapes(const struct part *part, const char *step)
{
	char bytes[256] = {0};

	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	for (int i = 0; i < SHAPES; i++) {
		counting_launch(&shapes[i], "sm_cta_launched=%llu warps_launched=%llu",
				counting_blocks(&shapes[i]), counting_warps(&shapes[i]));
		DO(MemcpyHtoD, work_memory, bytes, sizeof(bytes));
		expect("row 1 method=memcopy sm_cta_launched= warps_launched=");
	}
	DO(MemsetD32, work_memory, 1, 100);
	expect("row 1 method=memset|memsetasync sm_cta_launched= warps_launched=");
	work_wait();
	return 0;
}

int counters_threads(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	counting_begin(COUNTING_THREADS);
	for (int i = 0; i < SHAPES; i++)
		counting_launch(&shapes[i], "threads_launched=%llu", threads(&shapes[i]));
	work_wait();
	return 0;
}

static void launch_loop(unsigned width, unsigned block, uint32_t rounds)
{
	void *parameters[] = {&work_memory, &rounds};
	const struct launch launch = {
		.kernel = "loop", .grid = {width}, .block = {block}, .parameters = parameters};

	counting_launch(&launch, "inst_executed=~loop:%llu:%u", counting_warps(&launch), rounds);
}

/* The assembler decides how many instructions a kernel has; but the number is equal for all warps,
 * and increases by a constant per round of a loop. */
int counters_instructions(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	for (int i = 0; i < SHAPES; i++)
		counting_launch(&shapes[i], "inst_executed=~empty:%llu:0",
				counting_warps(&shapes[i]));
	for (uint32_t rounds = 1000; rounds <= 4000; rounds += 1000)
		launch_loop(1, 32, rounds);
	launch_loop(1, 1, 2000); /* a partial warp executes as many */
	launch_loop(1, 1024, 2000);
	launch_loop(500, 96, 2000);
	launch_loop(333, 33, 1234567 / 333);
	launch_loop(1, 32, 1);
	launch_loop(1, 32, 1000);
	work_wait();
	return 0;
}

static void launch_copy(unsigned width, unsigned block, uint32_t stride, const char *words)
{
	uint64_t from = work_memory + HALF;
	void *parameters[] = {&work_memory, &from, &stride};
	const struct launch launch = {
		.kernel = "copy", .grid = {width}, .block = {block}, .parameters = parameters};

	counting_launch(&launch, "%s", words);
}

/* One load and one store for each thread with work, also in partial warps. */
int counters_requests(const struct part *part, const char *step)
{
	static const struct {
		unsigned width, block;
	} copies[] = {{1, 1}, {1, 33}, {64, 128}, {32, 1024}, {100, 96}};
	uint64_t other = work_memory;
	uint32_t value = 7, count = 1000;
	void *fill[] = {&work_memory, &value, &count}, *add[] = {&work_memory, &other, &count};
	char words[64];

	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	other = work_memory + HALF;
	for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
		unsigned warps = copies[i].width * ((copies[i].block + 31) / 32);

		snprintf(words, sizeof(words), "gld_request=%u gst_request=%u", warps, warps);
		launch_copy(copies[i].width, copies[i].block, 1, words);
	}
	counting_launch(
		&(struct launch){
			.kernel = "fill", .grid = {8}, .block = {BLOCK}, .parameters = fill},
		"gld_request=0 gst_request=%u", (count + 31) / 32);
	counting_launch(
		&(struct launch){.kernel = "add", .grid = {50}, .block = {64}, .parameters = add},
		"gld_request=%u gst_request=%u", (count + 31) / 32 * 2, (count + 31) / 32);
	counting_launch(&(struct launch){.kernel = "empty", .grid = {20}, .block = {64}},
			"gld_request=0 gst_request=0");
	work_wait();
	return 0;
}

/* Adjacent words share sectors of 32 bytes; from a stride of 8 on each word has its own. */
int counters_sectors(const struct part *part, const char *step)
{
	enum { WIDTH = 16, WARPS = WIDTH * BLOCK / 32 };
	char words[128];

	(void)part;
	(void)step;
	counting_begin(COUNTING_METRICS);
	for (uint32_t stride = 1; stride <= 32; stride *= 2) {
		unsigned sectors = stride < 8 ? 4 * stride : 32;

		snprintf(words, sizeof(words), "gld_transactions=%u gst_transactions=%u",
			 WARPS * sectors, WARPS * 4);
		launch_copy(WIDTH, BLOCK, stride, words);
	}
	work_wait();
	return 0;
}

int counters_shared(const struct part *part, const char *step)
{
	static const unsigned blocks[] = {32, 33, 128, 256};
	struct launch launch = {.grid = {24}, .shared = 1024};

	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		launch.kernel = i % 2 ? "fixed" : "moving";
		launch.block[0] = blocks[i];
		counting_launch(&launch, "shared_load=%llu shared_store=%llu",
				counting_warps(&launch), counting_warps(&launch));
	}
	work_wait();
	return 0;
}

/* A metric of nvprof that is a ratio, a raw metric, and a user-defined one. */
int counters_kinds(const struct part *part, const char *step)
{
	enum { WIDTH = 16, WARPS = WIDTH * BLOCK / 32 };
	char words[192];

	(void)part;
	(void)step;
	counting_begin(COUNTING_METRICS);
	for (uint32_t stride = 1; stride <= 8; stride *= 2) {
		snprintf(words, sizeof(words),
			 "gld_transactions_per_request=%u.000 smsp__warps_launched.sum=%u "
			 "loaded_bytes=%u|%u.000",
			 4 * stride, WARPS, WARPS * 4 * stride * 32, WARPS * 4 * stride * 32);
		launch_copy(WIDTH, BLOCK, stride, words);
	}
	work_wait();
	return 0;
}

/* Without countermodeaggregate: at most the total, and more than 0. */
int counters_one(const struct part *part, const char *step)
{
	struct launch launch = {.kernel = "empty", .block = {64}};

	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	for (unsigned each = 1; each <= 16; each *= 4) {
		launch.grid[0] = each * 8 * (unsigned)work_attribute(CUDA_DEVICE_MULTIPROCESSORS);
		counting_launch(&launch,
				"sm_cta_launched>=1 sm_cta_launched<=%llu warps_launched>=1 "
				"warps_launched<=%llu",
				counting_blocks(&launch), counting_warps(&launch));
	}
	work_wait();
	return 0;
}

static void expect_copy(unsigned long bytes, int direction)
{
	expect("row 1 method=memcopy memtransfersize=%lu memtransferdir=%d warps_launched=", bytes,
	       direction);
}

/* A kernel may run several times to be measured, but the memory shows one launch. */
int counters_memory(const struct part *part, const char *step)
{
	enum { COUNT = 10000, LAUNCHES = 3 };
	uint32_t *words = calloc(COUNT, sizeof(*words)), count = COUNT;
	uint64_t other;
	void *parameters[] = {&work_memory, &other, &count};
	const struct launch launch = {.kernel = "add",
				      .grid = {(COUNT + BLOCK - 1) / BLOCK},
				      .block = {BLOCK},
				      .parameters = parameters};

	(void)part;
	(void)step;
	counting_begin(COUNTING_METRICS);
	other = work_memory + HALF;
	DO(MemsetD32, other, 1, COUNT);
	expect("row 1 method=memset|memsetasync warps_launched=");
	DO(MemcpyHtoD, work_memory, words, COUNT * sizeof(*words));
	expect_copy(COUNT * sizeof(*words), 0);
	for (uint32_t launches = 1; launches <= LAUNCHES; launches++) {
		counting_launch(&launch, "warps_launched=%llu", counting_warps(&launch));
		DO(MemcpyDtoH, words, work_memory, COUNT * sizeof(*words));
		expect_copy(COUNT * sizeof(*words), 1);
		for (int i = 0; i < COUNT; i++) {
			if (words[i] != launches)
				work_fail("a kernel has had its effect more than once",
					  (int)words[i]);
		}
	}
	free(words);
	return 0;
}
