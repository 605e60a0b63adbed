/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_DRIVER_THREAD_H
#define BACKEND_SAMPLING_DRIVER_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/stacks.h"

/* Returns true if the stack is that of a thread that an OpenCL driver for CPUs has made: the
 * outermost function outside of the C library is the driver's. Such threads run commands, whose
 * time the records have. */
bool driver_thread_is(const struct stacks *stacks, uint32_t stack);

#endif
