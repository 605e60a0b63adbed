/* SPDX-License-Identifier: MIT */
#ifndef GPU_COMPARE_H
#define GPU_COMPARE_H

/*
 * Compares the counts of Nsight Compute (`ncu --csv --page raw`) with the profiler's log in CSV of
 * another run of the same program: kernel by kernel, all metrics that both have. Prints both
 * numbers in TAP. Returns 0, or 1 if any numbers differ.
 */
int compare_ncu(const char *theirs, const char *log);

#endif
