/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CONTEXTS_H
#define BACKEND_CUDA_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"
#include "model/occupancy.h"

/*
 * Devices, contexts and streams by the numbers in CUPTI's records, and their ids in the catalog.
 * Contexts are noted when they are made (callbacks.c) and added to the catalog in that order, by
 * the writer's next round; those made before the library was loaded, with the first record that
 * names them. Thread-safe; takes the lock of the catalog.
 */
struct cuda_context_entry {
	uint32_t id;	 /* in the catalog */
	uint32_t device; /* in the catalog */
	struct occupancy_device limits; /* of the device */
};

/* Notes a new context. Calls neither the driver nor CUPTI. */
void contexts_note(uint32_t context, uint32_t device);

/* Adds the noted contexts to the catalog. Queries the driver about each new device, so it must not
 * be called in a callback of a resource. */
void contexts_add_noted(void);

/* After this call the driver is not queried: new devices have no name and no properties. */
void contexts_stop_queries(void);

/* Returns the entry of CUPTI's context number `context` on its device number `device`; NULL when
 * the catalog is full. The entry is constant and never moves. Queries the driver, as above, if the
 * context is not in the catalog. */
const struct cuda_context_entry *contexts_get(uint32_t context, uint32_t device);

/* As contexts_get, but adds nothing: NULL for a context that is not in the catalog. */
const struct cuda_context_entry *contexts_find(uint32_t context);

/* Returns true if a call of the thread at that time (CUPTI's stamps) was one of the library's
 * queries. */
bool contexts_is_own_query(uint32_t thread, uint64_t start, uint64_t end);

/* Sets the number of a context's NULL stream; its streamid is 1. */
void contexts_set_null_stream(uint32_t context, uint32_t stream);

/* Returns the streamid of a stream, 0 without memory. In each context, streams are numbered from 2
 * in the order of the first calls of this function. */
uint32_t contexts_stream(uint32_t context, uint32_t stream);

/* A stream was made, or is destroyed. It is kept while records of it may still come. */
void contexts_stream_made(uint32_t context, uint32_t stream);
void contexts_stream_gone(uint32_t context, uint32_t stream);

#endif
