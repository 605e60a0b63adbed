/* SPDX-License-Identifier: MIT */
#include "backend/opencl/functions.h"
#include "session/session.h"

/* Calls that wait for the device: no rows, but the time stamps of what came before can be read. */

cl_int profiled_clFinish(cl_command_queue queue)
{
	cl_int status = next.clFinish(queue);

	session_nudge();
	return status;
}

cl_int profiled_clWaitForEvents(cl_uint count, const cl_event *events)
{
	cl_int status = next.clWaitForEvents(count, events);

	session_nudge();
	return status;
}
