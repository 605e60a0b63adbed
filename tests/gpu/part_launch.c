/* SPDX-License-Identifier: MIT */
#include "part_launch.h"

#include <stdio.h>

#include "kernels.h"
#include "work.h"

int launch_one(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	work_begin();
	work_launch(&(struct launch){
		.kernel = "moving", .grid = {7, 5, 3}, .block = {32, 4, 2}, .shared = 2048});
	work_wait();
	return 0;
}

/* The kernel counts the cycles of its own multiprocessor: the least time is that at the highest
 * clock. The most is that of launch and wait together. */
int launch_spin(const struct part *part, const char *step)
{
	static const uint64_t cycles[] = {20000, 200000, 2000000, 20000000};
	double clock;

	(void)part;
	(void)step;
	work_begin();
	clock = work_attribute(CUDA_DEVICE_CLOCK_RATE) / 1000.0; /* MHz: cycles a microsecond */
	for (size_t i = 0; i < sizeof(cycles) / sizeof(cycles[0]); i++) {
		uint64_t wanted = cycles[i], counted = 0, before = work_now();
		void *parameters[] = {&work_memory, &wanted};
		const struct launch launch = {.kernel = "spin", .parameters = parameters};
		double longest;

		work_done(work_launch_only(&launch), "spin");
		work_wait();
		longest = (double)(work_now() - before) / 1000;
		DO(MemcpyDtoH, &counted, work_memory, sizeof(counted));
		if (counted < wanted)
			work_fail("spin counted too few cycles", (int)counted);
		expect("row 1 method=spin gputime>=%.3f gputime<=%.3f",
		       clock > 0 ? (double)counted / clock * 0.95 : 0, longest);
		expect("row 1 method=memcopy memtransfersize=%zu", sizeof(counted));
	}
	return 0;
}

/* Pauses make the assignment of calls unambiguous. */
int launch_calls(const struct part *part, const char *step)
{
	char bytes[4096] = {0};
	uint64_t before;

	(void)part;
	(void)step;
	work_begin();
	for (unsigned i = 0; i < 20; i++) {
		work_launch(&(struct launch){
			.kernel = i % 2 ? "empty" : "fixed", .grid = {i + 1}, .block = {64}});
		work_sleep(0.003);
		before = work_now();
		DO(MemcpyHtoD, work_memory, bytes, 64 + i);
		expect("row 1 method=memcopy memtransfersize=%u memtransferdir=0 call=%llu:%llu",
		       64 + i, (unsigned long long)before, (unsigned long long)work_now());
		work_sleep(0.002);
	}
	work_wait();
	return 0;
}

/* The driver's own occupancy, with 0.001 for rounding. */
static bool expect_occupancy(struct cuda_function *function, const struct launch *point, char *text,
			     size_t size)
{
	int blocks = 0, warp = work_attribute(CUDA_DEVICE_WARP_SIZE);
	int most = work_attribute(CUDA_DEVICE_THREADS_OF_MULTIPROCESSOR) / warp;
	double occupancy;

	if (!cu.OccupancyMaxActiveBlocks)
		return true;
	DO(OccupancyMaxActiveBlocks, &blocks, function, (int)point->block[0], point->shared);
	occupancy = (double)blocks * (((int)point->block[0] + warp - 1) / warp) / most;
	snprintf(text, size, "occupancy>=%.6f occupancy<=%.6f", occupancy - 0.001,
		 occupancy + 0.001);
	return blocks > 0;
}

static int launch_point(const char *kernel, unsigned threads, unsigned shared)
{
	char text[128] = "";
	struct launch point = {
		.kernel = kernel, .grid = {2}, .block = {threads}, .shared = shared, .more = text};
	struct cuda_function *function;

	DO(ModuleGetFunction, &function, work_module, kernel);
	if (shared > 46 * 1024 &&
	    (!cu.FuncSetAttribute ||
	     cu.FuncSetAttribute(function, CUDA_FUNCTION_DYNAMIC_SHARED, (int)shared)))
		return 0;
	if (!expect_occupancy(function, &point, text, sizeof(text)))
		return 0;
	work_launch(&point);
	return 1;
}

int launch_sweep(const struct part *part, const char *step)
{
	static const unsigned shared[] = {0,	 256,	1000,  2048,  4096,   6144,
					  8192,	 12288, 16384, 20480, 24576,  32768,
					  40960, 46080, 65536, 98304, 163840, 229376};
	static const unsigned threads[] = {1, 32, 65, 96, 128, 192, 256, 384, 512, 768, 1024};
	int points = 0;

	(void)part;
	(void)step;
	work_begin();
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		for (size_t j = 0; j < sizeof(threads) / sizeof(threads[0]); j++) {
			points += launch_point("moving", threads[j], shared[i]);
			points += launch_point("fixed", threads[j], shared[i]);
		}
		work_wait();
	}
	if (points < 200)
		work_fail("too few points", points);
	return 0;
}
