/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FLOW_READ_H
#define BACKEND_OPENCL_FLOW_READ_H

#include "backend/opencl/cl.h"
#include "model/event.h"

/* What commands of the program have written is read back, by one thread at a time. */

/* Waits for the queue's commands. Returns CHANGE_COMPARED, or why their writes are not compared. */
enum change_reason flow_read_wait(cl_command_queue queue);

/*
 * Reads a part of a buffer: `offset` and `bytes` in bytes. Returns CHANGE_COMPARED, with the bytes
 * in *to until the next call; or why they cannot be compared.
 * In the queue of the command: a queue of the profiler would count as a reference of the context,
 * and drivers hold the queue of a buffer's last command. Another thread's command in between may
 * wait for the program, so it is waited for as for the commands before.
 */
enum change_reason flow_read(cl_command_queue queue, cl_mem handle, uint64_t offset, uint64_t bytes,
			     const void **to);

#endif
