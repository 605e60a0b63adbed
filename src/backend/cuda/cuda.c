/* SPDX-License-Identifier: MIT */
#include "backend/cuda/cuda.h"

#include <stdatomic.h>
#include <unistd.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/buffers.h"
#include "backend/cuda/callbacks.h"
#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/counters/counters.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/library.h"
#include "backend/cuda/match.h"
#include "backend/cuda/source.h"
#include "base/env.h"
#include "base/handles.h"
#include "base/memory.h"
#include "base/say.h"
#include "session/control.h"
#include "session/session.h"

/* ms until CUPTI itself looks for buffers that are full; others are asked for (source.c). */
enum { FULL_BUFFERS = 100 };

static struct settings first; /* what the user asked for */
static const struct settings *_Atomic settings = &first; /* what holds now */
static atomic_int owner; /* the process in which CUPTI was started, 0 if in none */
static atomic_bool works;
static atomic_bool can_count; /* there is room for values */

const struct settings *cuda_settings(void)
{
	return atomic_load(&settings);
}

bool cuda_counts(void)
{
	return atomic_load(&can_count) && cuda_settings()->counters.count > 0;
}

bool cuda_is_ours(void)
{
	return atomic_load(&owner) == getpid();
}

bool cuda_is_here(void)
{
	return atomic_load(&works) && cuda_is_ours();
}

void cuda_fail(void)
{
	static int said;

	if (!cuda_is_here())
		return;
	atomic_store(&works, false);
	say_once(&said, "CUPTI has failed: commands are not logged from here on");
}

/* With kernel thread ids in its records, and its buffers coming from us. */
static int prepare_cupti(void)
{
	int result = callbacks_subscribe();

	if (result)
		return result;
	if (cupti.SetThreadIdType)
		cupti.SetThreadIdType(1);
	if (cupti.ActivityFlushPeriod)
		cupti.ActivityFlushPeriod(FULL_BUFFERS);
	cupti_clock_compare();
	result = cupti.ActivityRegisterCallbacks(buffers_requested, buffers_completed);
	if (result)
		callbacks_unsubscribe();
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

/* From here on launches are heard of. What counters need stays when nobody wants them any more. */
static void expect_counters(const struct settings *asked)
{
	static bool done;

	if (done || !asked->counters.count)
		return;
	done = true;
	if (counter_values_init()) {
		say("hardware counters are disabled: out of memory");
		return;
	}
	atomic_store(&can_count, true);
	callbacks_want_launches();
}

/* Again if another thread has asked for something else at the same moment. */
static void begin(void)
{
	bool begins = control_begins(&first);

	if (begins)
		cuda_start();
	if (control_begins(&first) != begins)
		cuda_control(!begins);
}

static void attach(void)
{
	settings_load(&first, API_CUDA);
	if (!first.enabled)
		return;
	if (first.bad_config) {
		session_refuse(&first);
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
	if (session_attach(API_CUDA, &first, &cuda_source) ||
	    library_open(prepare_cupti))
		return;
	atomic_store(&owner, getpid());
	atomic_store(&works, true);
	expect_counters(&first);
	activity_watch_contexts();
	begin();
}

/* Once per process, though CUPTI may call cuInit itself. */
void cuda_attach(void)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&done))
		attach();
}

void cuda_start(void)
{
	const struct settings *asked = cuda_settings();

	if (activity_start(asked->concurrent_kernels != WISH_OFF, asked->api_calls))
		atomic_store(&works, false);
}

void cuda_stop(void)
{
	activity_stop();
	if (cuda_counts())
		counters_pause();
}

void cuda_control(bool on)
{
	if (!cuda_is_here())
		return;
	if (on)
		cuda_start();
	else
		cuda_stop();
}

void cuda_take_over(const struct settings *changed)
{
	bool counted = cuda_counts();

	atomic_store(&settings, changed);
	if (counted || cuda_counts())
		counters_plan_again();
}

/* Takes them over if it can. Whoever reads the old ones may still do so: they are kept. */
static void change(struct settings *changed)
{
	struct settings *kept = memory_map(sizeof(*kept));

	if (!kept) {
		settings_free(changed);
		return;
	}
	*kept = *changed;
	expect_counters(kept);
	if (cuda_counts())
		counters_pause();
	cupti.ActivityFlushAll(0);
	if (session_change(API_CUDA, kept, &cuda_source)) {
		settings_free(kept);
		memory_unmap(kept, sizeof(*kept));
		return;
	}
	if (!kept->start_enabled)
		cuda_stop();
	else if (activity_is_on() && activity_has_all() != kept->api_calls) {
		activity_stop();
		cuda_start();
	}
}

void cuda_initialize(const struct cupti_profiler_initialize *wish, cuda_context context)
{
	struct settings changed;

	settings_load_wish(&changed, API_CUDA,
			   &(struct settings_wish){
				   .config = wish->config,
				   .log = wish->output,
				   .format = wish->mode == 1 ? FORMAT_CSV : FORMAT_KEYVAL,
			   });
	if (changed.enabled && !changed.bad_config) {
		change(&changed);
		/* A copy may come before its first launch, which would tell what is counted. */
		if (cuda_counts() && context)
			counters_meet(context);
		return;
	}
	if (changed.bad_config) {
		cuda_stop();
		session_refuse(&changed);
	}
	settings_free(&changed);
}
