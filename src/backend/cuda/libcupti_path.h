/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_LIBCUPTI_PATH_H
#define BACKEND_CUDA_LIBCUPTI_PATH_H

/*
 * Where a libcupti may be, in the order in which they are tried: the one that the user names in
 * COMPUTEPROF_CUPTI (and then no other), the one that the program has loaded itself, those that the
 * dynamic linker finds by the names of CUDA's releases, newest first, those of toolkits and those
 * of Python packages. Never one in a folder called stubs.
 *
 * Calls `take` with a path or a name for dlopen until it returns 1 (that is the one) or -1 (there
 * is no point in trying others), and returns that; 0 if there was none.
 */
int libcupti_path_walk(int (*take)(const char *path, void *argument), void *argument);

/* The user's own choice, or NULL. */
const char *libcupti_path_choice(void);

#endif
