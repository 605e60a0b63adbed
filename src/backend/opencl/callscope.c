/* SPDX-License-Identifier: MIT */
#include "backend/opencl/callscope.h"

#include <errno.h>
#include <string.h>

#include "backend/opencl/opencl.h"
#include "session/call_totals.h"
#include "session/probe.h"
#include "session/session.h"

/* The call that this thread is in. Memory at `outermost` is never written: after a longjmp it may
 * have been reused. */
static __thread struct {
	const struct callscope *outermost;
	const struct callscope *inner; /* the newest nested call, or NULL */
} current __attribute__((tls_model("initial-exec")));

/* Returns false if there is nothing to record. A call that was left by longjmp or an exception is
 * at or below this one on the stack. */
static inline bool begin(struct callscope *window)
{
	window->skipped = !opencl_is_recording();
	if (window->skipped)
		return false;
	window->nested =
		current.outermost && (const char *)current.outermost > (const char *)window;
	if (window->nested) {
		window->around = current.inner;
		current.inner = window;
		probe_announce_none();
		return false;
	}
	current.outermost = window;
	current.inner = NULL;
	return true;
}

void callscope_begin(struct callscope *window)
{
	if (begin(window))
		probe_call_begin(&window->call);
}

void callscope_begin_command(struct callscope *window)
{
	if (begin(window))
		probe_command_begin(&window->call);
}

/* With a loader, the driver's own calls do not come through the wrappers. */
bool callscope_is_drivers(void)
{
	const char here = 0;

	return opencl_is_hooked() && current.outermost && (const char *)current.inner > &here;
}

/* Takes a lock. */
__attribute__((noinline)) static void find_id(const char *name, _Atomic uint32_t *id)
{
	int error = errno;

	*id = session_name(name, strlen(name));
	errno = error;
}

static bool is_added(const struct probe_call *call, uint32_t name, int32_t result)
{
	return call_totals_are_on(API_OPENCL) &&
	       call_totals_add(&(struct call){
		       .enter = call->enter,
		       .leave = call->leave,
		       .result = result,
		       .name = name,
		       .api = API_OPENCL,
	       });
}

void callscope_end(struct callscope *window, const char *name, _Atomic uint32_t *id, int32_t result)
{
	struct probe_call *call = &window->call;

	if (window->skipped)
		return;
	if (window->nested) {
		current.inner = window->around;
		return;
	}
	probe_call_end(call);
	current.outermost = NULL;
	if (!*id)
		find_id(name, id);
	if (!is_added(call, *id, result))
		probe_call_event(call, API_OPENCL, *id, result);
}
