/* SPDX-License-Identifier: MIT */
#include "backend/cuda/cuda.h"

#include <stdatomic.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/buffers.h"
#include "backend/cuda/callbacks.h"
#include "backend/cuda/clients.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/driver_start.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/launch_stacks.h"
#include "backend/cuda/libcupti.h"
#include "backend/cuda/match.h"
#include "backend/cuda/memory_calls.h"
#include "backend/cuda/pending_uses.h"
#include "backend/cuda/source.h"
#include "backend/cuda/subscription.h"
#include "backend/cuda/takeover.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/handles.h"
#include "base/say.h"
#include "session/control.h"
#include "session/session.h"

/* ms between CUPTI's own checks for full buffers; source.c requests the other buffers. */
enum { FULL_BUFFERS = 100 };

static cupti_callback_function *callback_of(const struct settings *settings)
{
	if (settings->values != VALUES_NONE)
		return callbacks_called_for_uses;
	return settings->stacks ? callbacks_called_for_stacks : callbacks_called;
}

/* Kernel thread ids are enabled in CUPTI's records, and the buffers are set. */
static int prepare_cupti(void)
{
	int result;

	if (clients_are_first())
		return CUPTI_MULTIPLE_SUBSCRIBERS;
	result = subscription_begin(callback_of(cuda_settings()));
	if (result)
		return result;
	if (cupti.SetThreadIdType)
		cupti.SetThreadIdType(1);
	if (cupti.ActivityFlushPeriod)
		cupti.ActivityFlushPeriod(FULL_BUFFERS);
	cupti_clock_compare();
	buffers_prepare();
	result = takeover_register(buffers_requested, buffers_completed);
	if (result)
		subscription_end();
	return result;
}

/* Nsight's tools put their own CUPTI into the program, and do not share. */
static bool is_taken(void)
{
	static const char *const signs[] = {
		"NSYS_PROFILING_SESSION_ID",
		"NV_NSIGHT_INJECTION_PORT_BASE",
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (!env_get(signs[i]))
			continue;
		say("CUDA is not logged: NVIDIA Nsight is profiling this program");
		return true;
	}
	return false;
}

/* Repeated if another thread has switched recording meanwhile. */
static void begin(const struct settings *settings)
{
	bool begins = control_starts_recording(settings);

	if (begins)
		cuda_start();
	if (control_starts_recording(settings) != begins)
		cuda_control(!begins);
}

static void expect_uses(void)
{
	memory_calls_find();
	if (pending_uses_start())
		say_no_memory();
	else
		subscription_want_uses();
}

/* The last step, with an opened libcupti. Returns its result. */
static int start_cupti(void)
{
	const struct settings *first = cuda_settings();
	int result = library_start(prepare_cupti);

	if (result)
		return result;
	cuda_set_usable(true);
	cuda_expect_counters(first);
	if (launch_stacks_start(first))
		subscription_want_stacks(first->api_calls);
	if (first->values != VALUES_NONE)
		expect_uses();
	if (first->values >= VALUES_FLOW)
		say("what CUDA's commands change is not recorded: --values flow and patterns are "
		    "for OpenCL, and the uses of memory are recorded as with objects");
	else if (first->values == VALUES_LINES)
		say("what CUDA's kernels load and store is not recorded: --values lines is for "
		    "OpenCL, and the uses of memory are recorded as with objects");
	activity_watch_contexts();
	begin(first);
	return CUPTI_DONE;
}

static void start_cupti_late(void)
{
	int result = start_cupti();

	if (result)
		library_say_refused(result);
}

/* Within cuInit, which may still fail. That is fatal for the CUPTI of CUDA 13.2, and later releases
 * may need a driver that has started. */
static void start_cupti_in_time(void)
{
	bool started = driver_start_is_over(), needed = library_needs_driver() && !started;
	int result = needed ? CUPTI_NOT_INITIALIZED : start_cupti();

	if (!result || (!started && library_may_wait(result) &&
			!driver_start_wait(start_cupti_late)))
		return;
	if (needed)
		library_say_no_driver();
	else
		library_say_refused(result);
}

static void attach(void)
{
	const struct settings *first = cuda_load_settings();

	if (!first->enabled)
		return;
	if (first->bad_config) {
		session_refuse(first);
		return;
	}
	functions_of_driver();
	if (is_taken())
		return;
	if (match_init()) {
		say_no_memory();
		return;
	}
	handles_prepare();
	if (session_attach(API_CUDA, first, &cuda_source) ||
	    libcupti_open())
		return;
	start_cupti_in_time();
}

/* Once per process, though CUPTI may call cuInit itself. */
void cuda_attach(void)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;
	uint64_t begun;

	if (atomic_flag_test_and_set(&done))
		return;
	begun = clock_monotonic();
	attach();
	cuda_set_attach_times(begun, clock_monotonic());
}
