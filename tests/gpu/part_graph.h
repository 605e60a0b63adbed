/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_GRAPH_H
#define GPU_PART_GRAPH_H

#include "parts.h"

struct cuda_executable;

int copy_graph(const struct part *part, const char *step); /* T10 */
void check_graph(const struct run *run);

/* After work_begin: makes a graph with that many launches of the kernel fixed, one after the other.
 * Skips the part if the driver does not support graphs. */
struct cuda_executable *graph_of_kernels(unsigned kernels);

#endif
