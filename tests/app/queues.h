/* SPDX-License-Identifier: MIT */
#ifndef APP_QUEUES_H
#define APP_QUEUES_H

#include "opencl.h"

/*
 * The program "queues": each scenario prints what a program can see of its own objects and ends
 * with the number of rows that the log should have. Its output must be the same with a profiler
 * and without.
 */
struct queues {
	struct opencl opencl;
	cl_mem buffer; /* QUEUES_SIZE bytes */
	cl_kernel kernel;
	int rows; /* that the log should have by now */
};

enum { QUEUES_SIZE = 4096 };

/* Queries; queues_see.c */
void queues_properties(struct queues *queues);
void queues_profiling(struct queues *queues);
void queues_counts(struct queues *queues);
void queues_callbacks(struct queues *queues);
/* queues_errors.c */
void queues_errors(struct queues *queues);
/* Commands; queues_use.c */
void queues_many(struct queues *queues);
void queues_parts(struct queues *queues);
void queues_threads(struct queues *queues);
void queues_gated(struct queues *queues);
/* Errors, and work that is not finished or not released; queues_leave.c */
void queues_failed(struct queues *queues);
void queues_released(struct queues *queues);
void queues_unfinished(struct queues *queues);
void queues_blocked(struct queues *queues);
void queues_retained(struct queues *queues);

#endif
