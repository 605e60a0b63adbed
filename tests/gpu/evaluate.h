/* SPDX-License-Identifier: MIT */
#ifndef GPU_EVALUATE_H
#define GPU_EVALUATE_H

/*
 * Has the libcupti of COMPUTEPROF_CUPTI, or the first there is, evaluate the counter data images in
 * a file (imagefile.h), and compares that with the values in it. The results are in TAP; 0, or 1 if
 * one was not ok, or 77 where no libcupti can do it. No device is needed.
 */
int evaluate_file(const char *path);

/* Prints the same file as text. */
int evaluate_show(const char *path);

#endif
