/* SPDX-License-Identifier: MIT */
/*
 * records COUNT [driver|runtime|graph]: the cost of CUPTI's records in the library, from the
 * returned buffer to the log, without CUPTI and a driver: on one thread and with an idle writer, so
 * that each run under callgrind is equal. hot() has everything that is counted, less hot_cupti(),
 * which is CUPTI's part. A launch makes a kernel and a call of the driver; with `runtime` also the
 * call of the runtime around that; with `graph` NODES kernels have one call. Prints the time per
 * kernel, and the number of records per second. Without COUNT it prints the build properties.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/cuda/buffers.h"
#include "backend/cuda/calls.h"
#include "backend/cuda/cuda.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/match.h"
#include "backend/cuda/source.h"
#include "base/clock.h"
#include "built.h"
#include "records.h"
#include "session/locks.h"
#include "session/round.h"
#include "session/session.h"
#include "session/thread.h"
#include "session/writer.h"

/* Kernels end this many launches later. */
enum { BEHIND = 8, NAMES = 8, NODES = 64 };
/* Buffers come more often than the writer's rounds, which are 2 ms apart: launches in a round. */
enum { ROUND = 2000 };
enum { LAUNCH_NS = 1000, FIRST_NS = 100000000, ROWS_WAIT = 1200000 /* us */ };

/* At a fixed address: the library looks names up by it, so the number of instructions would depend
 * on the size of the program otherwise. */
static char (*names)[40];
static uint64_t began; /* CUPTI's clock */
static bool has_runtime, is_graph;

/* Returns the number of the kernel's call, from 1. */
static uint32_t call_of(long kernel)
{
	return (uint32_t)(is_graph ? kernel / NODES : kernel) + 1;
}

static bool begins_call(long kernel)
{
	return !is_graph || kernel % NODES == 0;
}

static uint8_t *add_call(uint8_t *at, long launch, bool runtime)
{
	uint64_t start = began + (uint64_t)launch * LAUNCH_NS + (runtime ? 0 : 40);

	*(struct cupti_api *)(void *)at = (struct cupti_api){
		.kind = runtime ? CUPTI_KIND_RUNTIME : CUPTI_KIND_DRIVER,
		.callback = runtime ? PLAY_RUNTIME : is_graph ? PLAY_GRAPH : PLAY_LAUNCH,
		.start = start,
		.end = start + (runtime ? 850 : 650) + (uint64_t)launch % 99,
		.process = 1,
		.thread = 1,
		.correlation = call_of(launch),
	};
	return at + sizeof(struct cupti_api);
}

static uint8_t *add_kernel(uint8_t *at, long launch)
{
	uint64_t start = began + (uint64_t)launch * LAUNCH_NS + 900;

	memset(at, 0, PLAY_KERNEL);
	*(struct cupti_kernel5 *)(void *)at = (struct cupti_kernel5){
		.base.base = {
			.kind = CUPTI_KIND_CONCURRENT_KERNEL,
			.registers = 32,
			.start = start,
			.end = start + 1000 + (uint64_t)launch % 9999,
			.context = 1,
			.stream = 7,
			.grid = {64, 1, 1},
			.block = {256, 1, 1},
			.correlation = call_of(launch),
			.name = names[launch % NAMES],
		},
		.graph_node = is_graph ? (uint64_t)launch % NODES + 1 : 0,
	};
	return at + PLAY_KERNEL;
}

/* Writes CUPTI's records for the launches that have none yet. */
static __attribute__((noinline)) long fill(uint8_t *bytes, size_t size, long launch, long count,
					   size_t *valid)
{
	uint8_t *at = bytes, *last = bytes + size - PLAY_KERNEL - 2 * sizeof(struct cupti_api);

	while (launch < count + BEHIND && at <= last) {
		if (launch < count && begins_call(launch))
			at = add_call(at, launch, false);
		if (launch < count && has_runtime)
			at = add_call(at, launch, true);
		if (launch >= BEHIND)
			at = add_kernel(at, launch - BEHIND);
		launch++;
	}
	*valid = (size_t)(at - bytes);
	return launch;
}

static uint64_t completing, writing;

static __attribute__((noinline)) void hot(uint8_t *bytes, size_t size, size_t valid, bool is_round)
{
	uint64_t start = clock_read(CLOCK_THREAD_CPUTIME_ID), given;

	buffers_completed(NULL, 0, bytes, size, valid);
	given = clock_read(CLOCK_THREAD_CPUTIME_ID);
	completing += given - start;
	if (!is_round)
		return;
	drain_enter();
	writer_round(thread_live_session(), false);
	drain_leave();
	writing += clock_read(CLOCK_THREAD_CPUTIME_ID) - given;
}

static void prepare(void)
{
	const struct process *process = &session_catalog()->process;

	play_begin();
	calls_find();
	if (match_init() || session_attach(API_CUDA, cuda_settings(), &cuda_source))
		exit(EXIT_FAILURE);
	cupti_clock_compare();
	/* Numbers have equal lengths in each run. */
	began = process->started + (uint64_t)process->monotonic_to_epoch + FIRST_NS;
	names = mmap((void *)0x200000000000, NAMES * sizeof(*names), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (names == MAP_FAILED) {
		perror("records: mmap");
		exit(EXIT_FAILURE);
	}
	for (int i = 0; i < NAMES; i++)
		snprintf(names[i], sizeof(names[i]), "_Z13kernel_numberPfi_%d", i);
}

static void run(long count)
{
	size_t size, valid, most;
	uint8_t *bytes;

	/* All of it was long ago, so no row waits for earlier ones. */
	usleep((useconds_t)(ROWS_WAIT + count * LAUNCH_NS / 1000));
	for (long launch = 0; launch < count + BEHIND;) {
		long before = launch;
		buffers_requested(&bytes, &size, &most);
		if (!launch)
			writer_park(thread_live_session());
		launch = fill(bytes, size, launch, count, &valid);
		hot(bytes, size, valid,
		    launch / ROUND != before / ROUND || launch == count + BEHIND);
	}
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0;
	const char *calls = argc > 2 ? argv[2] : "driver";
	double records;

	if (argc == 1) {
		built_print();
		return EXIT_SUCCESS;
	}
	has_runtime = !strcmp(calls, "runtime");
	is_graph = !strcmp(calls, "graph");
	if (count <= 0 || argc > 3 || (strcmp(calls, "driver") && !has_runtime && !is_graph)) {
		fprintf(stderr, "usage: records COUNT [driver|runtime|graph]\n");
		return EXIT_FAILURE;
	}
	prepare();
	run(count);
	session_end();
	records = (double)count * (1 + has_runtime) + (double)call_of(count - 1);
	printf("complete-ns %.1f\nwrite-ns %.1f\nrecords-a-second %.0f\nrows-a-second %.0f\n",
	       (double)completing / (double)count, (double)writing / (double)count,
	       records * 1e9 / (double)(completing + writing),
	       (double)count * 1e9 / (double)(completing + writing));
	return EXIT_SUCCESS;
}
