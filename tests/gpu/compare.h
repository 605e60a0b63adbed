/* SPDX-License-Identifier: MIT */
#ifndef GPU_COMPARE_H
#define GPU_COMPARE_H

/*
 * Compares what Nsight Compute has counted (`ncu --csv --page raw`) with a log of the profiler's in
 * CSV of another run of the same program: each kernel in turn, all metrics that both have. Prints
 * both numbers, in TAP; 0, or 1 if they differ anywhere.
 */
int compare_ncu(const char *theirs, const char *log);

#endif
