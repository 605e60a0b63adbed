/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_INJECTION_H
#define CLI_RUN_INJECTION_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * The three ways into a program: LD_PRELOAD, OPENCL_LAYERS and CUDA_INJECTION64_PATH.
 */

/* Appends `list` (NULL or its entries between any of `separators`) with `library` as its first or
 * its last entry. Other copies of the library go, the rest keeps its order. Joined with ':'. */
void injection_edit_list(struct strbuf *to, const char *list, const char *separators,
		     const char *library, bool first);

/* Sets all three in the environment. A foreign CUDA_INJECTION64_PATH is kept, and said. 0, or -1
 * with one sentence said. */
int injection_open(const char *library);

/* A program built with gcc's -fsanitize=address refuses to start under any LD_PRELOAD unless it
 * is told not to look: adds that to ASAN_OPTIONS. */
void injection_allow_sanitizer(void);

#endif
