/* SPDX-License-Identifier: MIT */
#include "backend/cuda/source.h"

#include <stdatomic.h>
#include <string.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/activity_event.h"
#include "backend/cuda/api_event.h"
#include "backend/cuda/buffers.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/counters/counters.h"
#include "backend/cuda/cuda.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/decode.h"
#include "backend/cuda/device_attributes.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/match.h"
#include "backend/cuda/takeover.h"
#include "base/clock.h"
#include "base/say.h"

/*
 * CUPTI returns a buffer when it is full or on request. While the program runs, buffers of finished
 * work are requested each PERIOD, so that a killed process loses at most that much. At exit the
 * requests go on while kernels still come; then a forced flush gets the rest.
 */
#define PERIOD UINT64_C(200000000)  /* ns */
#define STALLED UINT64_C(500000000) /* ns without new work after which running kernels are given up,
				     * also those in buffers that CUPTI withholds; less than
				     * session_stop's timeout */

#define UNLOADS UINT64_C(50000000)  /* ns after a flush in which an unload of a module needs none if
				     * CUPTI has requested no buffer */

enum stage { RUNNING, LEAVING, FORCING, FORCED };

static _Atomic int stage;
static atomic_bool is_requesting; /* a request to CUPTI is in progress */
static _Atomic uint64_t left_at; /* CLOCK_MONOTONIC ns of the last flush */
static uint64_t asked;		 /* of the last request; the members below are under the drain
				  * lock */
static uint64_t progress;
static uint64_t forced_at;
static uint32_t waited; /* number of launches waited for */
static atomic_uint quiet; /* number of stops after which all earlier records had come */
static uint64_t lost_launches; /* launches counted as lost that may still come */

static void flush(void)
{
	int running = RUNNING;

	if (!cuda_is_usable())
		return;
	atomic_store(&left_at, clock_monotonic());
	buffers_begin_generation();
	if (!atomic_compare_exchange_strong(&stage, &running, LEAVING) && running == FORCED)
		atomic_store(&stage, LEAVING);
}

/* A forced flush returns all buffers, to whatever client has registered last. `due` is the number
 * of buffers that were requested before it. */
static void look_for_missing_buffers(uint64_t due)
{
	static int said;

	takeover_look();
	if (buffers_returned() < due && !takeover_has_happened())
		say_once(&said, "another CUPTI client in this program seems to get CUPTI's "
				"records: commands are missing in the log");
}

static void ask_for_all(uint32_t flag)
{
	static int said;
	uint64_t due = buffers_requested_until_now();
	int result;

	atomic_store(&is_requesting, true);
	result = cupti.ActivityFlushAll(flag);
	atomic_store(&is_requesting, false);
	if (!result && flag == CUPTI_FLUSH_FORCED) {
		buffers_count_dropped(NULL, 0); /* there may be no buffer after the last one */
		look_for_missing_buffers(due);
	}
	if (result && flag == CUPTI_FLUSH_FORCED && buffers_are_out() && cuda_is_usable())
		say_once(&said, "CUPTI does not deliver its records (error %d): the last commands "
				"are not logged", result);
}

static void fetch(void)
{
	uint64_t now = clock_monotonic();
	int at = atomic_load(&stage);

	if (!cuda_is_usable())
		return;
	takeover_look();
	if (at == RUNNING)
		buffers_prepare();
	contexts_add_noted();
	activity_continue(at != RUNNING);
	if (at == FORCING) {
		forced_at = now;
		cupti_clock_check();
		if (cuda_measures_counters())
			counters_fetch(true);
		ask_for_all(CUPTI_FLUSH_FORCED);
		atomic_compare_exchange_strong(&stage, &at, FORCED);
		return;
	}
	if (cuda_measures_counters())
		counters_fetch(false);
	if (at == RUNNING &&
	    ((now - asked < PERIOD && !match_has_backlog()) || !buffers_are_out()))
		return;
	asked = now;
	cupti_clock_check();
	ask_for_all(0);
}

/* Counts the lost launches that are not counted yet. */
static void count_lost(uint64_t launches)
{
	static int said;
	uint64_t counted = buffers_lost();

	if (launches <= counted)
		return;
	if (match_doubts_launches()) {
		say_once(&said, "launches without records: %llu. They were captured into graphs, "
				"or are lost: this release of CUPTI does not report captures",
			 (unsigned long long)(launches - counted));
		return;
	}
	session_lost(launches - counted);
	lost_launches += launches - counted;
}

/* Corrects the count for work that was given up while it ran, but has come after all. */
static void count_found(void)
{
	uint64_t found = match_count_late();

	found = found < lost_launches ? found : lost_launches;
	if (found)
		session_not_lost(found);
	lost_launches -= found;
}

/* Another client gets all buffers after it has registered. */
static bool has_records_to_come(void)
{
	return !takeover_has_happened() && buffers_hold_records();
}

/* New launches on other threads do not count as progress. */
static void leave(void)
{
	uint64_t now = clock_monotonic(), moment = atomic_load(&left_at);
	int at = atomic_load(&stage);

	if (at == LEAVING) {
		uint32_t count = match_count_waiting(moment);

		if (count != waited || progress < moment)
			progress = now;
		waited = count;
		if ((!count && !has_records_to_come()) || now - progress > STALLED)
			atomic_compare_exchange_strong(&stage, &at, FORCING);
	} else if (at == FORCED) {
		match_deliver(true);
		api_event_deliver(true);
		activity_event_deliver(true);
		count_lost(match_end_waiting(forced_at));
		atomic_compare_exchange_strong(&stage, &at, RUNNING);
	}
}

/* No more records come. The number that CUPTI still holds is unknown. */
static void count_missing(void)
{
	static int said;

	count_lost(match_end_waiting(clock_monotonic()));
	if ((atomic_load(&is_requesting) || atomic_load(&stage) != RUNNING) && buffers_are_out() &&
	    cuda_is_usable())
		say_once(&said, "CUPTI did not answer in time: the last commands are not logged");
}

static bool is_quiet(void)
{
	return !activity_is_on() && atomic_load(&quiet) == activity_stops();
}

/* When a process ends, hundreds of modules may go one after the other. The buffers that CUPTI still
 * holds after a flush have unfinished commands. */
void source_look_before(bool unload)
{
	static _Atomic uint64_t last;	      /* time of the last flush */
	static _Atomic uint64_t last_request; /* the buffers that CUPTI had requested by then */
	uint64_t now = clock_monotonic();

	if (is_quiet() || !buffers_are_out())
		return;
	if (unload && now - atomic_load(&last) < UNLOADS &&
	    buffers_requested_until_now() == atomic_load(&last_request))
		return;
	atomic_store(&last_request, buffers_requested_until_now());
	cupti.ActivityFlushAll(0);
	atomic_store(&last, now);
}

/* `stops` was read before the buffers: recording may be started and stopped again meanwhile. */
static void look_whether_quiet(unsigned stops)
{
	if (!activity_is_on() && !buffers_are_out() && !buffers_waiting() &&
	    !match_count_waiting(UINT64_MAX))
		atomic_store(&quiet, stops);
}

/* CUPTI starts inside the program's first cuInit, and so has no record of it. It is counted from
 * the start of the profiler to its end: the driver's own part is not known. */
static void count_first_init(void)
{
	static bool counted;
	struct call call = {
		.frame = {.kind = FRAME_CALL, .size = sizeof(call)}, .api = API_CUDA};

	if (counted || !cuda_attach_times(&call.enter, &call.leave))
		return;
	counted = true;
	call.name = session_name("cuInit", strlen("cuInit"));
	session_count_call(&call);
}

static uint64_t collect(enum collecting how)
{
	unsigned stops = activity_stops();
	uint64_t count = 0;

	if (!cuda_started_here())
		return 0;
	if (how == COLLECT_LAST)
		contexts_stop_queries();
	api_event_wanted = settings_need_calls(cuda_settings());
	count_first_init();
	decode_at_the_end(how == COLLECT_LAST || atomic_load(&stage) == FORCED);
	/* Bounded, since the program may fill buffers as fast as they are read. */
	for (uint32_t left = buffers_waiting(); left > 0 && buffers_read(decode); left--)
		count += match_deliver_certain();
	count += match_deliver(how != COLLECT_COMPLETE);
	count += api_event_deliver(how != COLLECT_COMPLETE);
	count += activity_event_deliver(how != COLLECT_COMPLETE);
	count += api_event_wanted ? device_attributes_deliver() : 0;
	count_found();
	look_whether_quiet(stops);
	leave();
	if (how == COLLECT_LAST)
		count_missing();
	return count;
}

/* CUPTI delivers the records of calls within this time, unless they are in one buffer with a record
 * that is not complete. */
#define CALLS_COME UINT64_C(1000000000) /* ns */

static uint64_t event_horizon(void)
{
	uint64_t horizon = clock_monotonic() - CALLS_COME;
	uint64_t calls = api_event_oldest(), events = activity_event_oldest();

	horizon = calls < horizon ? calls : horizon;
	return events < horizon ? events : horizon;
}

static bool waiting(void)
{
	return cuda_is_usable() && atomic_load(&stage) != RUNNING;
}

/* Applies the settings of the program. The session has no records of the earlier settings any
 * more. */
static void take_over(const struct settings *changed)
{
	bool counted = cuda_measures_counters();

	cuda_set_settings(changed);
	if (counted || cuda_measures_counters())
		counters_replan();
}

const struct source cuda_source = {
	.flush = flush,
	.fetch = fetch,
	.collect = collect,
	.horizon = match_horizon,
	.event_horizon = event_horizon,
	.waiting = waiting,
	.changed = take_over,
};
