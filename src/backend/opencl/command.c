/* SPDX-License-Identifier: MIT */
#include "backend/opencl/command.h"

#include <string.h>

#include "backend/opencl/address_range.h"
#include "backend/opencl/callscope.h"
#include "backend/opencl/compiler.h"
#include "backend/opencl/driver_code.h"
#include "backend/opencl/next.h"
#include "backend/opencl/opencl.h"
#include "session/launch_delay.h"
#include "session/session.h"

struct copy copy_between(enum memory source, enum memory target, const void *host, uint64_t bytes)
{
	struct copy copy = {
		.kind = FRAME_COPY,
		.direction = DIRECTION_DEVICE,
		.source = source,
		.target = target,
		.host = host,
		.bytes = bytes,
	};

	if (source == MEMORY_HOST)
		copy.direction = DIRECTION_HOST_TO_DEVICE;
	else if (target == MEMORY_HOST)
		copy.direction = DIRECTION_DEVICE_TO_HOST;
	return copy;
}

struct copy copy_fill(uint64_t bytes)
{
	return (struct copy){.kind = FRAME_FILL, .direction = DIRECTION_DEVICE, .bytes = bytes};
}

struct copy copy_migration(cl_mem_migration_flags flags, uint64_t bytes)
{
	if (flags & CL_MIGRATE_MEM_OBJECT_HOST)
		return copy_between(MEMORY_DEVICE, MEMORY_HOST, NULL, bytes);
	return copy_between(MEMORY_HOST, MEMORY_DEVICE, NULL, bytes);
}

/* Returns true if an enqueue inside another call is the driver's own. */
static bool is_drivers(const void *caller)
{
	return opencl_is_hooked() && (callscope_is_drivers() || driver_code_has(caller));
}

/* `recording` was read once: another thread may switch it on at any moment. */
static inline void begin(struct command *command, bool recording, const struct opencl_queue *queue,
			 cl_event *event, const void *caller)
{
	command->queue = NULL;
	command->event = event;
	command->own = NULL;
	command->lost = false;
	if (!recording)
		return;
	command->queue = queue;
	command->lost = !queue && !opencl_is_refused();
	if (!command->queue)
		return;
	launch_delay();
	probe_begin(&command->probe);
	if (command->probe.nested && is_drivers(caller)) {
		probe_end(&command->probe);
		command->queue = NULL;
		return;
	}
	if (!event)
		command->event = &command->own;
}

void command_begin_from(struct command *command, cl_command_queue queue, cl_event *event,
			const void *caller)
{
	bool recording = opencl_is_recording();

	begin(command, recording, recording ? queue_of(queue) : NULL, event, caller);
}

void command_begin_in(struct command *command, const struct opencl_queue *queue, cl_event *event,
		      const void *caller)
{
	begin(command, opencl_is_recording(), queue, event, caller);
}

struct record *command_record(struct command *command, cl_int status, enum frame_kind kind)
{
	cl_event event;
	struct record *record;

	if (!command->queue) {
		if (command->lost && status == CL_SUCCESS)
			session_lost(1);
		return NULL;
	}
	if (status != CL_SUCCESS) {
		probe_end(&command->probe);
		return NULL;
	}
	event = *command->event; /* NULL from a faulty driver; the row then has no gputime */
	if (event && command->event != &command->own)
		next.clRetainEvent(event);
	record = probe_record(&command->probe, kind);
	if (!record) {
		if (event)
			next.clReleaseEvent(event);
		probe_end(&command->probe);
		return NULL;
	}
	if (kind == FRAME_KERNEL)
		compiler_launched();
	record->handle = (uint64_t)(uintptr_t)event;
	record->device = command->queue->device->id;
	record->context = command->queue->context->id;
	record->stream = command->queue->stream;
	record->known = KNOWN_STREAM;
	return record;
}

void command_commit(struct command *command)
{
	probe_commit();
	probe_end(&command->probe);
}

void command_end_copy(struct command *command, cl_int status, const struct copy *copy)
{
	struct record *record = command_record(command, status, copy->kind);

	if (!record)
		return;
	record->frame.flags |= RECORD_ASYNCHRONOUS;
	record->bytes = copy->bytes;
	record->direction = (uint8_t)copy->direction;
	record->source = (uint8_t)copy->source;
	record->target = (uint8_t)copy->target;
	record->known |= KNOWN_DIRECTION | (copy->bytes ? KNOWN_BYTES : 0);
	if (copy->host) {
		record->known |= KNOWN_HOST_MEMORY;
		record->host_memory = address_range_has(ADDRESS_RANGE_PAGE_LOCKED, copy->host)
					      ? HOST_MEMORY_PAGE_LOCKED
					      : HOST_MEMORY_PAGEABLE;
	}
	command_commit(command);
	if (copy->blocking) {
		session_nudge();
		compiler_waited();
	}
}

void command_end_named(struct command *command, cl_int status, struct command_name *name)
{
	struct record *record;

	/* The name is looked up before the record is open, since that takes a lock. */
	if (!name->id)
		name->id = session_name(name->text, strlen(name->text));
	record = command_record(command, status, FRAME_KERNEL);
	if (!record)
		return;
	record->name = name->id;
	command_commit(command);
}
