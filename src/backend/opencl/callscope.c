/* SPDX-License-Identifier: MIT */
#include "backend/opencl/callscope.h"

#include <errno.h>
#include <string.h>

#include "backend/opencl/opencl.h"
#include "base/clock.h"
#include "model/event.h"
#include "session/call_totals.h"
#include "session/probe.h"
#include "session/session.h"

/* The call that this thread is in. Memory at `outermost` is never written: after a longjmp it may
 * have been reused. */
static __thread struct {
	const struct callscope *outermost;
	const struct callscope *inner; /* the newest nested call, or NULL */
} current __attribute__((tls_model("initial-exec")));

/* A call that was left by longjmp or an exception is at or below this one on the stack. */
void callscope_begin(struct callscope *window)
{
	window->skipped = !opencl_is_recording();
	if (window->skipped)
		return;
	window->nested =
		current.outermost && (const char *)current.outermost > (const char *)window;
	if (window->nested) {
		window->around = current.inner;
		current.inner = window;
		return;
	}
	current.outermost = window;
	current.inner = NULL;
	window->newest = probe_last_correlation();
	window->enter = clock_monotonic();
}

/* With a loader, the driver's own calls do not come through the wrappers. */
bool callscope_is_drivers(void)
{
	const char here = 0;

	return opencl_is_hooked() && current.outermost && (const char *)current.inner > &here;
}

static void make_event(const struct callscope *window, const struct call *made)
{
	uint64_t records = probe_last_correlation() - window->newest;
	struct probe probe;
	struct call *call;

	probe_begin(&probe);
	call = (void *)probe_event(&probe, FRAME_CALL);
	if (call) {
		call->enter = made->enter;
		call->leave = made->leave;
		if (records && records <= UINT16_MAX) { /* otherwise the thread forked in the
							 * call */
			call->made = window->newest + 1;
			call->records = (uint16_t)records;
		}
		call->result = made->result;
		call->name = made->name;
		call->api = made->api;
		probe_commit();
	}
	probe_end(&probe);
}

void callscope_end(const struct callscope *window, const char *name, _Atomic uint32_t *id,
		   int32_t result)
{
	struct call call = {.enter = window->enter, .result = result, .api = API_OPENCL};
	int error = errno;

	if (window->skipped)
		return;
	if (window->nested) {
		current.inner = window->around;
		return;
	}
	call.leave = clock_monotonic();
	current.outermost = NULL;
	/* The name is looked up before the record is open, since that takes a lock. */
	if (!*id)
		*id = session_name(name, strlen(name));
	call.name = *id;
	if (!call_totals_add(&call))
		make_event(window, &call);
	errno = error;
}
