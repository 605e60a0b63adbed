/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FLOW_WAIT_H
#define BACKEND_OPENCL_FLOW_WAIT_H

#include <stdbool.h>

#include "backend/opencl/cl.h"

/*
 * Waits for an event, at most 10 seconds: the driver's own wait has no limit. Returns CL_COMPLETE;
 * or a negative number if its command has failed; or a positive one if it has not ended.
 * `has_calls`: the driver is of OpenCL 1.1 or later and has clSetEventCallback. Allocates.
 */
cl_int flow_wait(cl_event event, bool has_calls);

#endif
