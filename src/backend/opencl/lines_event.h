/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LINES_EVENT_H
#define BACKEND_OPENCL_LINES_EVENT_H

#include <stdatomic.h>
#include <stdint.h>

#include "backend/opencl/lines_program.h"

/* The events of values by source line (FRAME_SOURCE_LINE), and their messages. */

/* Why single launches of a kernel are not counted. */
enum lines_left_out { LINES_LEFT_NO_SIZE, LINES_LEFT_TIME, LINES_LEFT_WAITING, LINES_LEFT_BUSY };

/* No launch of this kernel is counted any more. */
void lines_event_not_counted(const char *kernel, const char *reason);

/* A launch of this kernel is not counted. `told` has the reasons of which there is an event
 * already, as bits 1 << enum lines_left_out. */
void lines_event_left_out(const char *kernel, atomic_uint *told, enum lines_left_out why);

/* Puts what a launch has added to the program's counters. `texts` has the id of the text of each
 * site; 0: not known yet. */
void lines_event_sums(struct lines_program *program, const char *kernel, uint32_t *texts);

#endif
