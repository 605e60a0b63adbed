/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FLOW_H
#define BACKEND_OPENCL_FLOW_H

#include "backend/opencl/allocation.h"
#include "backend/opencl/flow_wait.h"
#include "backend/opencl/kernel.h"
#include "backend/opencl/used.h"
#include "settings/settings.h"

/*
 * The data flow (--values flow and patterns): after each command that writes a buffer, its contents
 * are read back and compared with those before (struct change). For that the program's thread waits
 * for the command. It does not wait for a command that may need the program to go on
 * (flow_pending.h), and for no command longer than 10 seconds: then the data flow ends.
 *
 * Call flow_begin once, before the first command; the other functions do nothing without it. errno
 * is kept.
 */
void flow_begin(const struct settings *settings);

/* If the use writes: waits for the command, unless it was waited for, and compares what it has
 * written. `use` is the correlation of the use, 0 if that could not be recorded, and the part is
 * that of the use. With VALUES_PATTERNS the contents of a kernel's argument are examined, too. */
void flow_used(struct used *used, uint64_t address, const struct used_part *part, uint64_t use);

/* Before a command is enqueued: returns true if no other thread's command is until flow_give_turn.
 */
bool flow_take_turn(void);
void flow_give_turn(void);

/* Around the removal of a reference of the program to a memory object; flow_end_counting only if
 * flow_begin_counting returns true. */
bool flow_begin_counting(void);
void flow_end_counting(void);

/* Before the uses of a launch: whether they are left out. */
void flow_launched(struct used *used, const struct opencl_kernel *kernel);

/* Returns the type of the elements of a kernel's argument (flow_patterns.h), 0 without
 * VALUES_PATTERNS. */
uint16_t flow_element(cl_kernel kernel, cl_uint index);

/* Drop the contents of all objects, since the program may have written to any memory. flow_opaque:
 * by the newest command of the queue, which is then waited for. */
void flow_lose_all(void);
void flow_opaque(cl_command_queue queue);

/* A new buffer; `contents` may be NULL. Also: it has ended. */
void flow_made(cl_mem handle, const void *contents);
void flow_ended(const void *handle, const struct opencl_memory *memory);

#endif
