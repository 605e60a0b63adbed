/* SPDX-License-Identifier: MIT */
#include "backend/opencl/flow_wait.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backend/opencl/next.h"
#include "base/clock.h"

#define PATIENCE UINT64_C(10000000000) /* ns */
#define SECOND	 UINT64_C(1000000000)

/* Shared by the thread and the driver's, one of which may go on without the other. */
struct waiting {
	_Atomic uint32_t is_over;
	atomic_int holders;
	cl_int status;
};

static void release(struct waiting *waiting)
{
	if (atomic_fetch_sub(&waiting->holders, 1) == 1)
		free(waiting);
}

static void CL_CALLBACK over(cl_event event, cl_int status, void *argument)
{
	struct waiting *waiting = argument;

	(void)event;
	waiting->status = status;
	atomic_store(&waiting->is_over, 1);
	syscall(SYS_futex, &waiting->is_over, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	release(waiting);
}

static struct waiting *begin(cl_event event)
{
	struct waiting *waiting = malloc(sizeof(*waiting));

	if (!waiting)
		return NULL;
	*waiting = (struct waiting){.holders = 2};
	if (next.clSetEventCallback(event, CL_COMPLETE, over, waiting) == CL_SUCCESS)
		return waiting;
	free(waiting);
	return NULL;
}

static void sleep_until(struct waiting *waiting, uint64_t limit)
{
	uint64_t now = clock_monotonic();

	while (!atomic_load(&waiting->is_over) && now < limit) {
		uint64_t left = limit - now;
		struct timespec pause = {.tv_sec = (time_t)(left / SECOND),
					 .tv_nsec = (long)(left % SECOND)};

		syscall(SYS_futex, &waiting->is_over, FUTEX_WAIT_PRIVATE, 0, &pause, NULL, 0);
		now = clock_monotonic();
	}
}

static cl_int ask(cl_event event)
{
	cl_int status = CL_QUEUED;

	return next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
				   &status, NULL) == CL_SUCCESS
		       ? status
		       : -1;
}

static cl_int ask_until(cl_event event, uint64_t limit)
{
	static const struct timespec pause = {.tv_nsec = 50000};
	cl_int status;

	while ((status = ask(event)) > CL_COMPLETE && clock_monotonic() < limit)
		nanosleep(&pause, NULL);
	return status;
}

cl_int flow_wait(cl_event event, bool has_calls)
{
	uint64_t limit = clock_monotonic() + PATIENCE;
	struct waiting *waiting;
	cl_int status = ask(event);

	if (status <= CL_COMPLETE)
		return status;
	waiting = has_calls && next.clSetEventCallback ? begin(event) : NULL;
	if (!waiting)
		return ask_until(event, limit);
	sleep_until(waiting, limit);
	status = atomic_load(&waiting->is_over) ? waiting->status : CL_RUNNING;
	release(waiting);
	return status;
}
