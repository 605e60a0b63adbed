/* SPDX-License-Identifier: MIT */
#ifndef GPU_EVALUATE_H
#define GPU_EVALUATE_H

/*
 * Evaluates the counter data images in a file (imagefile.h) by the libcupti of COMPUTEPROF_CUPTI,
 * or by the first one found, and compares the results with the values in the file. Prints the
 * results in TAP. Returns 0, 1 if one was not ok, or 77 if no libcupti supports it. No device is
 * needed.
 */
int evaluate_file(const char *path);

/* Prints the same file as text. */
int evaluate_show(const char *path);

#endif
