/* SPDX-License-Identifier: MIT */
/* Requests of the running program: start and stop recording, and change settings. */
#include "backend/cuda/cuda.h"

#include "backend/cuda/activity.h"
#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/counters/counters.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/libcupti.h"
#include "backend/cuda/match.h"
#include "backend/cuda/source.h"
#include "backend/cuda/subscription.h"
#include "base/memory.h"
#include "base/say.h"
#include "session/session.h"

/* Subscribes to launches from here on. The data of counters is kept when they are disabled. */
void cuda_expect_counters(const struct settings *asked)
{
	static int done;

	if (!asked->counters.count || __atomic_exchange_n(&done, 1, __ATOMIC_ACQ_REL))
		return;
	if (counter_values_init()) {
		say("hardware counters are disabled: out of memory");
		return;
	}
	cuda_set_counter_memory();
	subscription_want_launches();
	subscription_want_context_ends();
}

/* Called before each start. CUPTI before CUDA 13.1 Update 1 gives wrong correlation ids to kernels
 * of graphs from the second start on. */
static void note_restart(void)
{
	enum { RIGHT_SINCE = 130101 };
	uint64_t now;

	if (activity_stops() && !activity_is_on() && libcupti_version() < RIGHT_SINCE &&
	    !cupti.GetTimestamp(&now))
		match_distrust_graphs(now);
}

void cuda_start(void)
{
	const struct settings *asked = cuda_settings();

	note_restart();
	if (activity_start(asked->concurrent_kernels != TRISTATE_OFF, settings_need_calls(asked),
			   asked->managed))
		cuda_set_usable(false);
}

void cuda_stop(void)
{
	activity_stop();
	if (cuda_measures_counters())
		counters_pause();
}

void cuda_control(bool on)
{
	if (!cuda_is_usable())
		return;
	if (on)
		cuda_start();
	else
		cuda_stop();
}

/* Replaces the settings if possible. The old ones are kept, since other threads may read them. */
static void change(struct settings *changed)
{
	struct settings *kept = memory_map(sizeof(*kept));

	if (!kept) {
		settings_free(changed);
		return;
	}
	*kept = *changed;
	cuda_expect_counters(kept);
	if (cuda_measures_counters())
		counters_pause();
	cupti.ActivityFlushAll(0);
	if (session_change(API_CUDA, kept, &cuda_source)) {
		settings_free(kept);
		memory_unmap(kept, sizeof(*kept));
		return;
	}
	if (!kept->start_enabled)
		cuda_stop();
	else if (activity_is_on() && (activity_has_all() != settings_need_calls(kept) ||
				      activity_has_managed() != kept->managed)) {
		activity_stop();
		cuda_start();
	}
}

void cuda_initialize(const struct cupti_profiler_initialize *wish, cuda_context context)
{
	struct settings changed;

	settings_load_request(&changed, API_CUDA,
			      &(struct settings_request){
				      .config = wish->config,
				      .log = wish->output,
				      .format = wish->mode == 1 ? FORMAT_CSV : FORMAT_KEYVAL,
			      });
	if (changed.enabled && !changed.bad_config) {
		change(&changed);
		/* A copy may come before the first launch, at which the counters become known. */
		if (cuda_measures_counters() && context)
			counters_add_context(context);
		return;
	}
	if (changed.bad_config) {
		cuda_stop();
		session_refuse(&changed);
	}
	settings_free(&changed);
}
