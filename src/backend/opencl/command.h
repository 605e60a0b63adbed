/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_COMMAND_H
#define BACKEND_OPENCL_COMMAND_H

#include "backend/opencl/object.h"
#include "session/probe.h"

/*
 * What every enqueue function does around the driver's:
 *
 *	command_begin(&command, queue, event);
 *	status = next.clEnqueue...(..., command.event);
 *	command_end_copy(&command, status, &copy);
 *
 * The driver gets the program's event, or one of ours where the program wants none; the row keeps a
 * reference to it until the device is done.
 */
struct command {
	struct probe probe;
	const struct opencl_queue *queue; /* NULL: nothing is recorded */
	cl_event *event; /* for the driver */
	cl_event own;
	bool lost; /* the queue is not known: there was no memory, or are too many contexts */
};

struct copy {
	enum frame_kind kind; /* FRAME_COPY or FRAME_FILL */
	enum direction direction;
	enum memory source; /* of a copy */
	enum memory target;
	const void *host; /* the program's side of it, or NULL */
	uint64_t bytes;
	bool blocking; /* the call waits until the copy is over */
};

/* A copy from `source` to `target`; the direction follows from these. `host` is NULL where the
 * program's side of it is no address of its own. */
struct copy copy_between(enum memory source, enum memory target, const void *host, uint64_t bytes);
struct copy copy_fill(uint64_t bytes);
struct copy copy_migration(cl_mem_migration_flags flags, uint64_t bytes);

void command_begin(struct command *command, cl_command_queue queue, cl_event *event);
/* The same with what is known of the queue, or NULL. It must stay until the command's end. */
void command_begin_in(struct command *command, const struct opencl_queue *queue, cl_event *event);

/* A record with all that is the same for every command, to be filled in further and given to
 * command_commit; NULL when there is nothing to record. */
struct record *command_record(struct command *command, cl_int status, enum frame_kind kind);
void command_commit(struct command *command);

void command_end_copy(struct command *command, cl_int status, const struct copy *copy);

/* A command that runs something, but no kernel with a name of its own. */
struct command_name {
	const char *text;
	_Atomic uint32_t id; /* in the session's catalog, 0 until it is first met */
};

void command_end_named(struct command *command, cl_int status, struct command_name *name);

#endif
