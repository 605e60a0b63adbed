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

enum {
	SLICE = 100 * 1000 *
		1000 /* ns after which a sleeper looks whether the data flow has ended */
};

atomic_bool flow_on;

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
	flow_wake(&waiting->is_over);
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

bool flow_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t limit)
{
	uint64_t now = clock_monotonic(), left = now < limit ? limit - now : 0;
	struct timespec pause = {.tv_nsec = (long)(left < SLICE ? left : SLICE)};

	if (!left || !flow_is_on())
		return false;
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &pause, NULL, 0);
	return true;
}

void flow_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
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

	while ((status = ask(event)) > CL_COMPLETE && flow_is_on() && clock_monotonic() < limit)
		nanosleep(&pause, NULL);
	return status;
}

cl_int flow_wait(cl_event event, bool has_calls)
{
	uint64_t limit = clock_monotonic() + FLOW_PATIENCE;
	struct waiting *waiting;
	cl_int status = ask(event);

	if (status <= CL_COMPLETE)
		return status;
	waiting = has_calls && next.clSetEventCallback ? begin(event) : NULL;
	if (!waiting)
		return ask_until(event, limit);
	while (!atomic_load(&waiting->is_over) && flow_sleep(&waiting->is_over, 0, limit))
		;
	status = atomic_load(&waiting->is_over) ? waiting->status : CL_RUNNING;
	release(waiting);
	return status;
}
