/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_LIBCUPTI_PATH_H
#define BACKEND_CUDA_LIBCUPTI_PATH_H

/*
 * The candidates for libcupti, in the order in which they are tried: the one that COMPUTEPROF_CUPTI
 * names (then no other); the one that the program has loaded; those that the dynamic linker finds
 * by the names of CUDA's releases, newest first; those of toolkits; those of Python packages.
 * Folders called stubs are skipped.
 *
 * Calls `take` with a path or a name for dlopen until it returns 1 (accepted) or -1 (stop trying),
 * and returns that; 0 if none was accepted.
 */
int libcupti_path_walk(int (*take)(const char *path, void *argument), void *argument);

/* Returns COMPUTEPROF_CUPTI, or NULL. */
const char *libcupti_path_choice(void);

#endif
