/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_BUFFERS_H
#define BACKEND_CUDA_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The buffers that CUPTI fills with records. It asks for one in whatever thread needs it, often one
 * that launches a kernel, and must always get one: releases before 12.9 crash without. It gives
 * them back in whatever thread it likes.
 *
 * What a record points to (the name of a kernel) and how long it is only CUPTI knows, and only
 * now: the module that a kernel is from may be unloaded next. So a buffer is looked through when it
 * comes back, and marked: then nothing of CUPTI's is needed to read it later. No lock but that of
 * the catalog, for names.
 */
struct buffer;

/* For cuptiActivityRegisterCallbacks. */
void buffers_requested(uint8_t **bytes, size_t *size, size_t *max_records);
void buffers_completed(cuda_context context, uint32_t stream, uint8_t *bytes, size_t size,
		       size_t valid);

/* Whether CUPTI has any. */
bool buffers_are_out(void);

/* How many have come back and not been read. */
uint32_t buffers_waiting(void);

/* Calls `read` with every record of the buffer that came back first, and keeps the buffer for later
 * use; false if there is none. `name` is a kernel's in the catalog, 0 where it has none; that of an
 * allocation is where its pointer was. By one thread at a time. */
bool buffers_read(void (*read)(const struct cupti_record *record, uint32_t name));

/* So many records of device work are in no log: they are counted as lost. */
void buffers_lose(uint64_t count);

/* How many records were lost, and counted as that, since the last such question. */
uint64_t buffers_lost(void);

#endif
