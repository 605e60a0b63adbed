/* SPDX-License-Identifier: MIT */
/* T10: a graph of a copy and three kernels, one after the other. */
#include <stdlib.h>
#include <string.h>

#include "part_graph.h"
#include "rows.h"
#include "tap.h"
#include "values.h"
#include "work.h"

enum { KERNELS = 3, LAUNCHES = 5, NODES = KERNELS + 1, COPY_BYTES = 4096 };

static struct cuda_node *add_copy(struct cuda_graph *graph)
{
	static char bytes[COPY_BYTES];
	const struct cuda_copy copy = {
		.source = {.type = CUDA_MEMORY_HOST, .host = bytes},
		.target = {.type = CUDA_MEMORY_DEVICE, .device = work_memory},
		.width = COPY_BYTES,
		.height = 1,
		.depth = 1,
	};
	struct cuda_node *node;

	DO(GraphAddMemcpyNode, &node, graph, NULL, 0, &copy, work_context);
	return node;
}

/* After `after`, if that is not NULL. */
static struct cuda_node *add_kernel(struct cuda_graph *graph, unsigned width,
				    struct cuda_node *after)
{
	void *parameters[] = {&work_memory};
	struct cuda_kernel_node kernel = {
		.grid = {width, 1, 1},
		.block = {64, 1, 1},
		.parameters = parameters,
	};
	struct cuda_node *node;

	DO(ModuleGetFunction, &kernel.function, work_module, "fixed");
	DO(GraphAddKernelNode, &node, graph, after ? &after : NULL, after ? 1 : 0, &kernel);
	return node;
}

static struct cuda_executable *instantiate(struct cuda_graph *graph)
{
	struct cuda_executable *executable;

	if (cu.GraphInstantiate)
		DO(GraphInstantiate, &executable, graph, 0);
	else
		DO(GraphInstantiateOld, &executable, graph, NULL, NULL, 0);
	return executable;
}

static struct cuda_graph *new_graph(void)
{
	struct cuda_graph *graph;

	if (!cu.GraphCreate || !cu.GraphAddKernelNode || !cu.GraphAddMemcpyNode ||
	    !cu.GraphLaunch || !(cu.GraphInstantiate || cu.GraphInstantiateOld))
		work_skip("the driver knows no graphs");
	DO(GraphCreate, &graph, 0);
	return graph;
}

struct cuda_executable *graph_of_kernels(unsigned kernels)
{
	struct cuda_graph *graph = new_graph();
	struct cuda_node *node = NULL;

	for (unsigned i = 0; i < kernels; i++)
		node = add_kernel(graph, 1, node);
	return instantiate(graph);
}

int copy_graph(const struct part *part, const char *step)
{
	struct cuda_executable *executable;
	struct cuda_graph *graph;
	struct cuda_node *node;
	cuda_stream stream;

	(void)part;
	(void)step;
	work_begin();
	graph = new_graph();
	node = add_copy(graph);
	for (unsigned i = 1; i <= KERNELS; i++)
		node = add_kernel(graph, i, node);
	executable = instantiate(graph);
	DO(StreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
	for (int i = 0; i < LAUNCHES; i++)
		DO(GraphLaunch, executable, stream);
	DO(StreamSynchronize, stream);
	expect("note launches %d", LAUNCHES);
	return 0;
}

struct graph_rows {
	size_t copies;
	size_t kernels;
	size_t strangers;
	size_t launches; /* that have one cputime */
	size_t bad_times;
};

/* Checks the rows of one launch: the copy, the kernels of width 1 to KERNELS in any order. */
static void look_at_launch(const struct logtext *log, size_t first, struct graph_rows *found)
{
	char method[LOGTEXT_VALUE], grid[LOGTEXT_VALUE], cputime[LOGTEXT_VALUE];
	unsigned seen = 0, calls = 0;

	for (size_t row = first; row < first + NODES && row < log->row_count; row++) {
		const char *wrong = values_times(log, row);

		logtext_value(log, row, "method", method);
		logtext_value(log, row, "gridsizeX", grid);
		logtext_value(log, row, "cputime", cputime);
		calls += *cputime != 0;
		if (!strcmp(method, "fixed")) {
			found->kernels++;
			seen |= 1U << strtoul(grid, NULL, 10);
		} else if (!strcmp(method, "memcopy")) {
			found->copies++;
			seen |= 1;
		} else {
			found->strangers++;
		}
		if (wrong) {
			found->bad_times++;
			tap_note("row %zu: %s: %s", row + 1, wrong, log->rows[row]);
		}
	}
	found->launches += calls == 1 && seen == (1U << NODES) - 1;
}

static void look_at_log(const char *path, void *user)
{
	struct logtext log;

	logtext_read(&log, path);
	for (size_t row = 0; row < log.row_count; row += NODES)
		look_at_launch(&log, row, user);
	logtext_free(&log);
}

void check_graph(const struct run *run)
{
	const char *name = run->part->name;
	struct graph_rows found = {0};

	rows_files(run->folder, "log.", look_at_log, &found);
	tap_result(found.kernels == KERNELS * LAUNCHES && found.copies == LAUNCHES &&
			   !found.strangers,
		   "%s: %zu kernels and %zu copies", name, found.kernels, found.copies);
	tap_result(found.launches == LAUNCHES,
		   "%s: each launch has its rows together, and cputime on one of them", name);
	tap_result(!found.bad_times, "%s: device times make sense", name);
}
