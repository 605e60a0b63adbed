/* SPDX-License-Identifier: MIT */
#include "backend/opencl/flow_pending.h"

#include <pthread.h>
#include <stdlib.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/used.h"
#include "session/snapshot.h"

enum { MOST = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_event pending[MOST];
static int count;
static bool is_full;	       /* from then on nothing is compared */
static atomic_int user_events; /* that are not complete */
static __thread int callbacks __attribute__((tls_model("initial-exec"))); /* in progress */

static bool is_complete(cl_event event)
{
	cl_int status = CL_QUEUED;

	return next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
				   &status, NULL) == CL_SUCCESS &&
	       status <= CL_COMPLETE;
}

/* Removes complete ones. Returns true if others are left. */
static bool look(void)
{
	int kept = 0;

	for (int i = 0; i < count; i++) {
		if (is_complete(pending[i]))
			next.clReleaseEvent(pending[i]);
		else
			pending[kept++] = pending[i];
	}
	if (count && !kept)
		snapshots_lose_all(); /* nobody has seen what they have written */
	count = kept;
	return count || is_full;
}

/* The user events are read after the commands were made: those that they wait for are older. */
bool flow_pending_add(cl_event marker)
{
	bool waits;

	pthread_mutex_lock(&lock);
	waits = look() || atomic_load(&user_events) > 0 || callbacks;
	if (waits && count < MOST)
		pending[count++] = marker;
	else if (waits)
		is_full = true;
	pthread_mutex_unlock(&lock);
	return waits;
}

cl_event used_clCreateUserEvent(cl_context context, cl_int *error)
{
	cl_event event;

	atomic_fetch_add(&user_events, 1);
	event = next.clCreateUserEvent(context, error);
	if (!event)
		atomic_fetch_sub(&user_events, 1);
	return event;
}

/* A status can be set once. */
cl_int used_clSetUserEventStatus(cl_event event, cl_int status)
{
	cl_int result = next.clSetUserEventStatus(event, status);

	if (result == CL_SUCCESS && status <= CL_COMPLETE)
		atomic_fetch_sub(&user_events, 1);
	return result;
}

struct callback {
	void(CL_CALLBACK *function)(cl_event event, cl_int status, void *argument);
	void *argument;
};

static void CL_CALLBACK called_back(cl_event event, cl_int status, void *argument)
{
	struct callback callback = *(struct callback *)argument;

	free(argument);
	callbacks++;
	callback.function(event, status, callback.argument);
	callbacks--;
}

cl_int used_clSetEventCallback(cl_event event, cl_int when,
			       void(CL_CALLBACK *function)(cl_event, cl_int, void *),
			       void *argument)
{
	bool compares = opencl_settings()->values == VALUES_FLOW;
	struct callback *callback = compares && function ? malloc(sizeof(*callback)) : NULL;
	cl_int status;

	if (!callback)
		return next.clSetEventCallback(event, when, function, argument);
	*callback = (struct callback){function, argument};
	status = next.clSetEventCallback(event, when, called_back, callback);
	if (status != CL_SUCCESS)
		free(callback);
	return status;
}
