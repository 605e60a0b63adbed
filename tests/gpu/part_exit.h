/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_EXIT_H
#define GPU_PART_EXIT_H

#include "parts.h"

/* T13: makes rows, then exits in the way that the part's name ends in. */
int exit_door(const struct part *part, const char *step);

/* T14: a child without CUDA, and one that executes a program of its own. */
int exit_fork(const struct part *part, const char *step);
int exit_exec(const struct part *part, const char *step);

#endif
