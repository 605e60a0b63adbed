/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_COMMAND_H
#define BACKEND_OPENCL_COMMAND_H

#include "backend/opencl/queue.h"
#include "session/probe.h"

/*
 * Brackets every call of a driver's enqueue function:
 *
 *	command_begin(&command, queue, event);
 *	status = next.clEnqueue...(..., command.event);
 *	command_end_copy(&command, status, &copy);
 *
 * The driver gets the program's event, or one of the back end if the program passes none. The
 * record keeps a reference to it until the command is complete.
 */
struct command {
	struct probe probe;
	const struct opencl_queue *queue; /* NULL: the command is not recorded */
	cl_event *event; /* event parameter for the driver */
	cl_event own;
	bool lost; /* the queue is unknown: out of memory, or too many contexts */
};

struct copy {
	enum frame_kind kind; /* FRAME_COPY or FRAME_FILL */
	enum direction direction;
	enum memory source; /* of a copy */
	enum memory target;
	const void *host; /* host address, or NULL */
	uint64_t bytes;
	bool blocking; /* the call returns after the copy has completed */
};

/* Describes a copy from `source` to `target`; these determine the direction. `host` is NULL if
 * there is no host address. */
struct copy copy_between(enum memory source, enum memory target, const void *host, uint64_t bytes);
struct copy copy_fill(uint64_t bytes);
struct copy copy_migration(cl_mem_migration_flags flags, uint64_t bytes);

void command_begin_from(struct command *command, cl_command_queue queue, cl_event *event,
			const void *caller);
/* As command_begin_from, with the queue's data or NULL. They must stay valid until the command's
 * end. */
void command_begin_in(struct command *command, const struct opencl_queue *queue, cl_event *event,
		      const void *caller);

/* Called in the function that the program calls, which returns to `caller`. */
static inline __attribute__((always_inline)) void
command_begin(struct command *command, cl_command_queue queue, cl_event *event)
{
	command_begin_from(command, queue, event, __builtin_return_address(0));
}

/* Opens a record with the members that all commands share. The caller fills in the rest and calls
 * command_commit. NULL if there is nothing to record. */
struct record *command_record(struct command *command, cl_int status, enum frame_kind kind);
void command_commit(struct command *command);

void command_end_copy(struct command *command, cl_int status, const struct copy *copy);

/* A command that runs code, but not a kernel with its own name. */
struct command_name {
	const char *text;
	_Atomic uint32_t id; /* in the session's catalog, 0 until its first use */
};

void command_end_named(struct command *command, cl_int status, struct command_name *name);

#endif
