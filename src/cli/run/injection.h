/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_INJECTION_H
#define CLI_RUN_INJECTION_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * The three variables that load the library: LD_PRELOAD, OPENCL_LAYERS and CUDA_INJECTION64_PATH.
 */

/* Appends `list` (NULL, or entries separated by any of `separators`) with `library` as its first or
 * last entry. Other copies of the library are removed; the rest keeps its order. The entries are
 * joined by ':'. */
void injection_edit_list(struct strbuf *to, const char *list, const char *separators,
		     const char *library, bool first);

/* Returns 0 if the file can be loaded as the profiler's library, or -1 after one message. */
int injection_check(const char *library);

/* Sets all three variables. A foreign CUDA_INJECTION64_PATH is kept, with a message. Returns 0, or
 * -1 after one message. */
int injection_open(const char *library);

/* A program built with gcc's -fsanitize=address does not start under any LD_PRELOAD. This adds the
 * option that disables the check to ASAN_OPTIONS. */
void injection_allow_sanitizer(void);

#endif
