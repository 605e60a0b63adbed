/* SPDX-License-Identifier: MIT */
#include "backend/opencl/callscope.h"

#include <errno.h>
#include <string.h>

#include "backend/opencl/driver_code.h"
#include "backend/opencl/opencl.h"
#include "session/call_totals.h"
#include "session/probe.h"
#include "session/session.h"

/* The call that this thread is in. Memory at `outermost` is never written: after a longjmp it may
 * have been reused. */
static __thread struct {
	const struct callscope *outermost;
	const struct callscope *inner; /* the newest nested call if it is the driver's, or NULL */
	uint64_t newest; /* probe_last_correlation when the last nested call ended, or 0 */
} current __attribute__((tls_model("initial-exec")));

/* Returns false if there is nothing to record. */
__attribute__((noinline)) static bool begin_nested(struct callscope *window, const void *caller)
{
	bool drivers = opencl_is_hooked() && driver_code_has(caller);

	window->kind = drivers ? CALLSCOPE_DRIVERS : CALLSCOPE_CALLBACKS;
	window->around = current.inner;
	current.inner = drivers ? window : NULL;
	probe_announce_none();
	return !drivers;
}

/* Returns false if there is nothing to record. A call that was left by longjmp or an exception is
 * at or below this one on the stack. */
static inline bool begin(struct callscope *window, const void *caller)
{
	if (!opencl_is_recording()) {
		window->kind = CALLSCOPE_SKIPPED;
		return false;
	}
	if (current.outermost && (const char *)current.outermost > (const char *)window)
		return begin_nested(window, caller);
	window->kind = CALLSCOPE_OUTERMOST;
	current.outermost = window;
	current.inner = NULL;
	return true;
}

void callscope_begin(struct callscope *window, const void *caller)
{
	if (begin(window, caller))
		probe_call_begin(&window->call);
}

void callscope_begin_command(struct callscope *window, const void *caller)
{
	if (begin(window, caller))
		probe_command_begin(&window->call);
}

uint64_t callscope_nested_records(void)
{
	return current.newest;
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

/* The records of nested calls are theirs only. In a forked child numbers begin anew. */
__attribute__((noinline)) static void leave_out_nested(struct probe_call *call)
{
	if (current.newest > call->newest && current.newest <= probe_last_correlation())
		call->newest = current.newest;
}

/* Returns false if the call is not recorded. */
__attribute__((noinline)) static bool end_nested(struct callscope *window)
{
	if (window->kind == CALLSCOPE_SKIPPED)
		return false;
	current.inner = window->around;
	if (window->kind == CALLSCOPE_DRIVERS)
		return false;
	probe_call_end(&window->call);
	leave_out_nested(&window->call);
	current.newest = probe_last_correlation();
	return true;
}

static inline void end_outermost(struct callscope *window)
{
	probe_call_end(&window->call);
	current.outermost = NULL;
	if (__builtin_expect(current.newest != 0, false)) {
		leave_out_nested(&window->call);
		current.newest = 0;
	}
}

void callscope_end(struct callscope *window, const char *name, _Atomic uint32_t *id, int32_t result)
{
	struct probe_call *call = &window->call;

	if (__builtin_expect(window->kind == CALLSCOPE_OUTERMOST, true))
		end_outermost(window);
	else if (!end_nested(window))
		return;
	if (!*id)
		find_id(name, id);
	if (!is_added(call, *id, result))
		probe_call_event(call, API_OPENCL, *id, result);
}
