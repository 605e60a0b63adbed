/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_COMMANDBUFFER_H
#define BACKEND_OPENCL_COMMANDBUFFER_H

#include <stdbool.h>

#include "model/record.h"

/*
 * Command buffers (cl_khr_command_buffer). Their commands are counted by name, and each enqueue
 * makes one record whose name has these counts: no driver gives times for the single commands.
 */

/* Call once, before all other functions here. */
void commandbuffer_prepare(void);

/* For a kernel that may be a command buffer: asks the driver for the type of its event. */
bool commandbuffer_event_has_times(const struct record *record);

/* Returns true if the time stamps of this record's event are those of the command itself. Those of
 * a command buffer may belong to a marker after it. */
static inline bool commandbuffer_has_times(const struct record *record)
{
	return record->frame.kind != FRAME_KERNEL || record->known & KNOWN_BLOCK_GIVEN ||
	       commandbuffer_event_has_times(record);
}

#endif
