/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_FALLBACK_BUFFER_H
#define BACKEND_CUDA_FALLBACK_BUFFER_H

#include <stdbool.h>

/*
 * Static buffers for CUPTI when memory is out: a request must not fail, since releases before 12.9
 * crash. Their records are counted as lost. When all are in use, several requests get the same one,
 * which must not be read.
 */
enum { POOR_SIZE = 1 << 15 };

/* Returns an aligned buffer and prints the out-of-memory message. */
void *fallback_buffer_take(void);

/* Return true if it is one of these; if it is the one that several requests get. */
bool fallback_buffer_is(const void *buffer);
bool fallback_buffer_is_shared(const void *buffer);

/* Returns false if it is not one of these. */
bool fallback_buffer_give(const void *buffer);

#endif
