/* SPDX-License-Identifier: MIT */
#include "backend/opencl/flow_pending.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/used.h"
#include "session/snapshot.h"

enum { MOST = 64 };

/* The newest marker of a queue is complete after all older ones. */
struct pending {
	cl_command_queue queue;
	struct event_watch *marker;
};

/* Queues without a marker, since their commands may wait for user events. They are retained. */
struct deferred {
	cl_command_queue queues[MOST];
	int count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pending pending[MOST];
static int count;
static struct deferred deferred;
static int markings;	       /* number of threads that enqueue markers for them */
static bool is_full;	       /* from then on nothing is compared */
static _Atomic pid_t owner;    /* the process that has deferred queues */
static atomic_int user_events; /* that are not complete */
static atomic_int callbacks;   /* that will be called, or are in progress */

/* They are ended without the lock: the driver may wait for its threads. */
struct ended {
	struct event_watch *markers[MOST + 1];
	int count;
};

/* Removes complete ones. Returns true if commands are left that may not be complete. */
static bool look(struct ended *ended)
{
	int kept = 0;

	for (int i = 0; i < count; i++) {
		if (event_watch_status(pending[i].marker) <= CL_COMPLETE)
			ended->markers[ended->count++] = pending[i].marker;
		else
			pending[kept++] = pending[i];
	}
	if (count && !kept)
		snapshots_lose_all(); /* their writes were not compared */
	count = kept;
	return count || deferred.count || markings || is_full;
}

static void keep(cl_command_queue queue, struct event_watch *marker, struct ended *ended)
{
	int i = 0;

	while (i < count && pending[i].queue != queue)
		i++;
	is_full |= i == MOST;
	if (i == MOST || i < count)
		ended->markers[ended->count++] = i == MOST ? marker : pending[i].marker;
	if (i == MOST)
		return;
	pending[i] = (struct pending){queue, marker};
	count += i == count;
}

static void end_all(const struct ended *ended)
{
	for (int i = 0; i < ended->count; i++)
		event_watch_end(ended->markers[i]);
}

/* NULL: there is no memory to watch the marker. */
static void watch(cl_command_queue queue, struct event_watch *marker)
{
	struct ended ended;

	ended.count = 0;
	pthread_mutex_lock(&lock);
	is_full |= !marker;
	if (marker)
		keep(queue, marker, &ended);
	pthread_mutex_unlock(&lock);
	end_all(&ended);
}

static bool add_deferred(cl_command_queue queue)
{
	for (int i = 0; i < deferred.count; i++)
		if (deferred.queues[i] == queue)
			return false;
	is_full |= deferred.count == MOST;
	if (deferred.count == MOST)
		return false;
	deferred.queues[deferred.count++] = queue;
	return true;
}

/* All user events are complete. The driver is called without the lock, and not in a forked child,
 * whose parent may have had the lock. */
static void mark_deferred(void)
{
	struct event_watch *marker;
	struct deferred taken;
	int error = errno, cancel;

	if (atomic_load(&owner) != getpid())
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&lock);
	taken = deferred;
	deferred.count = 0;
	markings++;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < taken.count; i++) {
		if (event_watch_marker(taken.queues[i], &marker))
			watch(taken.queues[i], marker);
		else
			snapshots_lose_all(); /* the queue has an error */
		next.clReleaseCommandQueue(taken.queues[i]);
	}
	pthread_mutex_lock(&lock);
	markings--;
	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(cancel, &cancel);
	errno = error;
}

bool flow_pending_defer(cl_command_queue queue)
{
	bool added;

	if (!atomic_load(&user_events))
		return false;
	atomic_store(&owner, getpid());
	next.clRetainCommandQueue(queue);
	pthread_mutex_lock(&lock);
	added = add_deferred(queue);
	pthread_mutex_unlock(&lock);
	if (!added)
		next.clReleaseCommandQueue(queue);
	if (!atomic_load(&user_events)) /* another thread has completed the last one meanwhile */
		mark_deferred();
	return true;
}

bool flow_pending_may_wait(void)
{
	return atomic_load(&user_events) > 0 || atomic_load(&callbacks) > 0;
}

/* The user events are read after the commands were made: those that they wait for are older. */
bool flow_pending_add(cl_command_queue queue, struct event_watch *marker)
{
	struct ended ended;
	bool waits;

	ended.count = 0;
	pthread_mutex_lock(&lock);
	is_full |= !marker;
	waits = look(&ended) || flow_pending_may_wait();
	if (waits && marker)
		keep(queue, marker, &ended);
	pthread_mutex_unlock(&lock);
	end_all(&ended);
	return waits;
}

void flow_pending_forget(void)
{
	pthread_mutex_lock(&lock);
	count = 0;
	deferred.count = 0;
	is_full = false;
	pthread_mutex_unlock(&lock);
	atomic_store(&user_events, 0);
	atomic_store(&callbacks, 0);
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

	if (result == CL_SUCCESS && status <= CL_COMPLETE && atomic_fetch_sub(&user_events, 1) == 1)
		mark_deferred();
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
	callback.function(event, status, callback.argument);
	atomic_fetch_sub(&callbacks, 1);
}

/* A callback may wait for the thread that enqueues, and may enqueue itself. */
cl_int used_clSetEventCallback(cl_event event, cl_int when,
			       void(CL_CALLBACK *function)(cl_event, cl_int, void *),
			       void *argument)
{
	bool waits = opencl_settings()->values >= VALUES_LINES;
	struct callback *callback = waits && function ? malloc(sizeof(*callback)) : NULL;
	cl_int status;

	if (!callback)
		return next.clSetEventCallback(event, when, function, argument);
	*callback = (struct callback){function, argument};
	atomic_fetch_add(&callbacks, 1);
	status = next.clSetEventCallback(event, when, called_back, callback);
	if (status == CL_SUCCESS)
		return status;
	atomic_fetch_sub(&callbacks, 1);
	free(callback);
	return status;
}
