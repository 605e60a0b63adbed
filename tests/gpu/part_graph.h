/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_GRAPH_H
#define GPU_PART_GRAPH_H

#include "parts.h"

struct cuda_executable;

int copy_graph(const struct part *part, const char *step); /* T10 */
void check_graph(const struct run *run);

/* After work_begin: so many launches of the kernel fixed, one after the other, as one graph that is
 * ready. Skips the part where the driver knows no graphs. */
struct cuda_executable *graph_of_kernels(unsigned kernels);

#endif
