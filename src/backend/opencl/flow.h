/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FLOW_H
#define BACKEND_OPENCL_FLOW_H

#include <stdatomic.h>

#include "backend/opencl/object.h"
#include "backend/opencl/used.h"
#include "settings/settings.h"

/*
 * The data flow (--values flow): after each command that writes a buffer, its contents are read
 * back and compared with those before (struct change). For that the program's thread waits for the
 * command. It never waits for a command that may need the program to go on: one behind a user event
 * that is not complete, or one that a callback of an event has made.
 *
 * Call flow_begin once, before the first command; the other functions do nothing without it.
 */
void flow_begin(const struct settings *settings);

extern atomic_bool flow_on;
static inline bool flow_is_on(void)
{
	return atomic_load_explicit(&flow_on, memory_order_relaxed);
}

/* Waits for the command, unless it was waited for, and compares what it has written: `use` is the
 * correlation of its use, and the part that of the use. */
void flow_written(struct used *used, uint64_t address, const struct used_part *part, uint64_t use);

/* The program may have written to any memory; in the latter case, by the newest command of the
 * queue. */
void flow_lose_all(void);
void flow_opaque(cl_command_queue queue);

/* A new buffer; `contents` may be NULL. Also: it has ended. */
void flow_made(cl_mem handle, const void *contents);
void flow_ended(const void *handle, const struct opencl_memory *memory);

#endif
