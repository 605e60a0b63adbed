/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_FALLBACK_BUFFER_H
#define BACKEND_CUDA_FALLBACK_BUFFER_H

#include <stdbool.h>

/*
 * CUPTI must always get a buffer: releases before 12.9 crash without. Where there is no memory for
 * one it is one of these, which are there from the start, and what it held is counted as lost. When
 * all are out, several calls get the same one, which nobody may read.
 */
enum { POOR_SIZE = 1 << 15 };

/* Aligned as a buffer's head is. Says that there is no memory. */
void *fallback_buffer_take(void);

/* Whether it is one of these. */
bool fallback_buffer_is(const void *buffer);
bool fallback_buffer_is_anybodys(const void *buffer);

/* False if it is none of these. */
bool fallback_buffer_give(const void *buffer);

#endif
