/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CONTEXTS_H
#define BACKEND_CUDA_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"
#include "model/occupancy.h"

/*
 * The devices, contexts and streams that records speak of, by the numbers that CUPTI gives them,
 * and what the log calls them. They are met when they are made (callbacks.c) or, if that was before
 * us, with the first record that names them. May be called by any thread; takes the lock of the
 * catalog, and asks the driver about a device that is met for the first time.
 */
struct cuda_context_entry {
	uint32_t id;	 /* in the catalog */
	uint32_t device; /* in the catalog */
	struct occupancy_device limits; /* of the device */
};

/* CUPTI's context number `context`, on its device number `device`; NULL when the catalog is
 * full. Never moves or changes. */
const struct cuda_context_entry *contexts_get(uint32_t context, uint32_t device);

/* The same of one that has been met; NULL if it has not. */
const struct cuda_context_entry *contexts_find(uint32_t context);

/* Whether a call that a thread made then (CUPTI's stamps) was ours: a question about a device. */
bool contexts_asked(uint32_t thread, uint64_t start, uint64_t end);

/* The NULL stream of a context, by the number that records have for it: its streamid is 1. */
void contexts_set_null_stream(uint32_t context, uint32_t stream);

/* streamid of a stream, 0 without memory for it. Created streams count from 2 in each context, in
 * the order in which this is first called for them. */
uint32_t contexts_stream(uint32_t context, uint32_t stream);

/* A stream was made, or is destroyed: it is known for as long as records of it may still come. */
void contexts_stream_made(uint32_t context, uint32_t stream);
void contexts_stream_gone(uint32_t context, uint32_t stream);

#endif
