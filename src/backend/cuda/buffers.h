/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_BUFFERS_H
#define BACKEND_CUDA_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The buffers that CUPTI fills with records. It requests one on any thread, often one that launches
 * a kernel, and the request must not fail: releases before 12.9 crash. It returns them on any
 * thread.
 *
 * Only CUPTI knows the length of a record and where it points to (the name of a kernel), and only
 * when it returns the buffer: the kernel's module may be unloaded next. So a returned buffer is
 * marked at once and can then be read without CUPTI. No lock is taken but that of the catalog, for
 * names.
 */
struct buffer;

/* Keeps some empty buffers ready, so that a request in the program's threads is fast. */
void buffers_prepare(void);

/* For cuptiActivityRegisterCallbacks. */
void buffers_requested(uint8_t **bytes, size_t *size, size_t *max_records);
void buffers_completed(cuda_context context, uint32_t stream, uint8_t *bytes, size_t size,
		       size_t valid);

/* Returns true if CUPTI holds any buffer. */
bool buffers_are_out(void);

/* Return how many buffers CUPTI has requested and returned. */
uint64_t buffers_requested_until_now(void);
uint64_t buffers_returned(void);

/* Buffers that CUPTI requests from now on are of a new generation. */
void buffers_begin_generation(void);

/* Returns true if CUPTI holds a buffer of an earlier generation with records in it: it withholds
 * buffers with unfinished commands. Only for the thread that calls buffers_read, since that unmaps
 * buffers. */
bool buffers_hold_records(void);

/* Returns the number of returned buffers that have not been read. */
uint32_t buffers_waiting(void);

/* Calls `read` with every record of the buffer that was returned first, and keeps the buffer for
 * reuse. Returns false if there is none. `name` is a kernel's name id, 0 for none; the name id of
 * an allocation replaces its pointer. Not thread-safe. */
bool buffers_read(void (*read)(const struct cupti_record *record, uint32_t name));

/* Counts records of device work as lost. */
void buffers_lose(uint64_t count);

/* Counts the records as lost that CUPTI has dropped since the last query; NULL and 0 for all
 * contexts. Must not be called with a lock held: CUPTI takes its own. */
void buffers_count_dropped(cuda_context context, uint32_t stream);

/* Returns the number of records counted as lost since the last call. */
uint64_t buffers_lost(void);

#endif
