/* SPDX-License-Identifier: MIT */
/* T18: the cost of profiling, with and without counters. The times are printed, not checked. */
#include <stdlib.h>

#include "counting.h"
#include "part_cost.h"
#include "part_graph.h"
#include "rows.h"
#include "tap.h"
#include "work.h"

enum { LAUNCHES = 1000, WARM_UP = 10, WIDTH = 4, BLOCK = 64, GRAPHS = 100, KERNELS = 100 };

static const char expected_counters[] =
	"sm_cta_launched=4 warps_launched=8"; /* of WIDTH and BLOCK */

void cost_timed(uint64_t start, size_t count)
{
	expect("note microseconds %.0f", (double)(work_now() - start) / 1000);
	expect("note times %zu", count);
}

void cost_note(const struct run *run, const char *what)
{
	char alone[LOGTEXT_VALUE], profiled[LOGTEXT_VALUE], times[LOGTEXT_VALUE];

	if (rows_note(run->alone, "note microseconds ", alone) &&
	    rows_note(run->folder, "note microseconds ", profiled) &&
	    rows_note(run->folder, "note times ", times))
		tap_note("%s: a %s takes %.3f us alone, %.3f us profiled", run->part->name, what,
			 strtod(alone, NULL) / strtod(times, NULL),
			 strtod(profiled, NULL) / strtod(times, NULL));
}

int cost_launches(const struct part *part, const char *step)
{
	const struct launch launch = {.kernel = "empty", .grid = {WIDTH}, .block = {BLOCK}};
	const char *words = part->config ? expected_counters : "";
	uint64_t start;

	(void)step;
	counting_begin(COUNTING_METRICS);
	for (int i = 0; i < WARM_UP; i++)
		work_done(work_launch_only(&launch), launch.kernel);
	work_wait();
	start = work_now();
	for (int i = 0; i < LAUNCHES; i++)
		work_done(work_launch_only(&launch), launch.kernel);
	work_wait();
	cost_timed(start, LAUNCHES);
	expect("row %d method=empty %s", WARM_UP + LAUNCHES, words);
	return 0;
}

void check_cost(const struct run *run)
{
	rows_check(run);
	cost_note(run, "launch");
}

int cost_graph(const struct part *part, const char *step)
{
	struct cuda_executable *graph;
	cuda_stream stream;
	uint64_t start;

	(void)part;
	(void)step;
	work_begin();
	graph = graph_of_kernels(KERNELS);
	DO(StreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
	for (int i = 0; i < WARM_UP; i++)
		DO(GraphLaunch, graph, stream);
	DO(StreamSynchronize, stream);
	start = work_now();
	for (int i = 0; i < GRAPHS; i++)
		DO(GraphLaunch, graph, stream);
	DO(StreamSynchronize, stream);
	cost_timed(start, GRAPHS * KERNELS);
	return 0;
}

void check_cost_graph(const struct run *run)
{
	size_t rows = rows_count(run);

	tap_result(rows == (WARM_UP + GRAPHS) * KERNELS, "%s: %zu kernels of graphs have rows",
		   run->part->name, rows);
	cost_note(run, "kernel of a graph");
}
