/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_COMMANDBUFFER_H
#define BACKEND_OPENCL_COMMANDBUFFER_H

#include <stdbool.h>

#include "model/record.h"

/*
 * Command buffers (cl_khr_command_buffer). What is recorded into one is counted by name, and each
 * enqueue of it makes one row, whose name has these counts: no driver gives times for the single
 * commands.
 */

/* Once, before anything else here. */
void commandbuffer_prepare(void);

/* Whether the time stamps of this record's event are of the command itself. Those of a command
 * buffer may be of a marker behind it. */
bool commandbuffer_has_times(const struct record *record);

#endif
