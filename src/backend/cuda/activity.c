/* SPDX-License-Identifier: MIT */
#include "backend/cuda/activity.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "backend/cuda/calls.h"
#include "backend/cuda/cupti_events.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/libcupti.h"
#include "base/say.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on;
static atomic_uint stops;
static uint32_t kernels; /* the kind of kernel records in use */
static bool all_calls;	/* record all calls and all events */

static const uint32_t transfers[] = {
	CUPTI_KIND_MEMCPY,
	CUPTI_KIND_MEMCPY_PEER,
	CUPTI_KIND_MEMSET,
};
enum { TRANSFERS = sizeof(transfers) / sizeof(*transfers) };

/* Recorded with all calls: the kind, and its substitute in older releases. */
static const struct {
	uint32_t kinds[2];
	const char *what;
} further[] = {
	{{CUPTI_KIND_SYNCHRONIZATION}, "waits"},
	{{CUPTI_KIND_STREAM}, "new streams"},
	{{CUPTI_KIND_RECORDED}, "which events are recorded"},
	{{CUPTI_KIND_OVERHEAD}, "overheads"},
	{{CUPTI_KIND_MEMORY2, CUPTI_KIND_MEMORY}, "allocations"},
};
enum { FURTHER = sizeof(further) / sizeof(*further) };
static uint32_t started[FURTHER]; /* the kind in use, 0: none */

/* The events of managed memory. CUPTI before 13.4 waits for a thread of its own, about two seconds,
 * when they end. */
static bool all_managed; /* they are requested */
enum { MANAGED_OFF, MANAGED_WAITS, MANAGED_ON };
static atomic_int managed;

enum { MANAGED_SINCE = 8 /* CUPTI_API_VERSION of CUDA 7.0, which has struct cupti_managed */ };

void activity_watch_contexts(void)
{
	static int said;
	int result = cupti.ActivityEnable(CUPTI_KIND_CONTEXT);

	if (result)
		say_once(&said, "CUPTI does not record contexts (%s): streamid 1 may not be the "
				"default stream", libcupti_error(result));
}

/* Selects only the calls that make device work or are part of a capture, if the release supports
 * that (from CUDA 12.5 on) and not all calls are recorded. */
static bool choose_calls(uint32_t domain, int (*choose)(uint32_t callback, uint8_t enable),
			 bool enable)
{
	bool any = false;

	for (uint32_t id = 1; choose && !all_calls && id < CALL_LIMIT; id++) {
		enum call_kind kind = calls_kind(domain, id);

		if (calls_make_work(kind) || kind == CALL_CAPTURE || kind == CALL_CAPTURE_END)
			any |= !choose(id, enable);
	}
	return any;
}

static void start_calls(void)
{
	static int said;
	int result = CUPTI_DONE;

	if (!choose_calls(CUPTI_DOMAIN_RUNTIME, cupti.ActivityEnableRuntimeApi, true))
		result = cupti.ActivityEnable(CUPTI_KIND_RUNTIME);
	if (!choose_calls(CUPTI_DOMAIN_DRIVER, cupti.ActivityEnableDriverApi, true))
		result = cupti.ActivityEnable(CUPTI_KIND_DRIVER);
	if (result)
		say_once(&said, "CUPTI does not record calls (%s): there is no cputime",
			 libcupti_error(result));
}

static void stop_calls(void)
{
	if (!choose_calls(CUPTI_DOMAIN_RUNTIME, cupti.ActivityEnableRuntimeApi, false))
		cupti.ActivityDisable(CUPTI_KIND_RUNTIME);
	if (!choose_calls(CUPTI_DOMAIN_DRIVER, cupti.ActivityEnableDriverApi, false))
		cupti.ActivityDisable(CUPTI_KIND_DRIVER);
}

static void start_further(size_t number)
{
	static int said[FURTHER];
	int first = CUPTI_DONE, result = CUPTI_INVALID_KIND;

	for (int i = 0; i < 2 && result; i++) {
		uint32_t kind = further[number].kinds[i];

		if (!kind)
			continue;
		result = cupti.ActivityEnable(kind);
		first = first ? first : result;
		started[number] = result ? 0 : kind;
	}
	if (result)
		say_once(&said[number], "CUPTI does not record %s (%s): they are not in the trace",
			 further[number].what, libcupti_error(first));
}

static void stop_further(void)
{
	for (size_t i = 0; i < FURTHER; i++) {
		if (started[i])
			cupti.ActivityDisable(started[i]);
		started[i] = 0;
	}
}

/* Releases before CUDA 9.2 know only the first kinds, and refuse all if there is another. */
static int configure_managed(void)
{
	enum { ALL = CUPTI_MANAGED_KINDS - 1, LEAST = CUPTI_MANAGED_DEVICE_TO_HOST };
	struct cupti_managed_config configs[ALL];
	int result = CUPTI_INVALID_PARAMETER;

	if (libcupti_version() < MANAGED_SINCE || !cupti.ActivityConfigureUnifiedMemoryCounter)
		return CUPTI_NOT_SUPPORTED;
	for (uint32_t i = 0; i < ALL; i++)
		configs[i] = (struct cupti_managed_config){
			.scope = CUPTI_MANAGED_ONE_DEVICE, .kind = i + 1, .enable = 1};
	for (uint32_t count = ALL; count >= LEAST && result == CUPTI_INVALID_PARAMETER; count--)
		result = cupti.ActivityConfigureUnifiedMemoryCounter(configs, count);
	return result;
}

static const char *why_no_managed(int result)
{
	switch (result) {
	case CUPTI_MANAGED_NOT_SUPPORTED:
		return "not on this platform";
	case CUPTI_MANAGED_DEVICE_NOT_SUPPORTED:
		return "not of this device";
	case CUPTI_MANAGED_NEEDS_PEERS:
		return "not with devices that cannot copy to each other directly";
	case CUPTI_MANAGED_NOT_WITH_MPS:
		return "not with MPS";
	case CUPTI_INSUFFICIENT_PRIVILEGES:
		return "the user has no permission";
	default:
		return libcupti_error(result);
	}
}

static void say_without_managed(int result)
{
	static int said;

	managed = MANAGED_OFF;
	say_once(&said,
		 "CUPTI does not record migrations of managed memory (%s): they are not in "
		 "the trace",
		 why_no_managed(result));
}

/* CUPTI is started while the driver starts, and these events may need a driver that has started. */
static void start_managed(void)
{
	int result = configure_managed();

	if (!result)
		result = cupti.ActivityEnable(CUPTI_KIND_MANAGED);
	if (result && result != CUPTI_NOT_INITIALIZED)
		say_without_managed(result);
	else
		managed = result ? MANAGED_WAITS : MANAGED_ON;
}

static void stop_managed(void)
{
	if (managed == MANAGED_ON)
		cupti.ActivityDisable(CUPTI_KIND_MANAGED);
	managed = MANAGED_OFF;
}

/* Some releases and devices support only one kind of kernel records. */
static int start_kernels(bool concurrent)
{
	const uint32_t kinds[] = {CUPTI_KIND_CONCURRENT_KERNEL, CUPTI_KIND_KERNEL};
	static int said;
	int result;

	kernels = kinds[!concurrent];
	result = cupti.ActivityEnable(kernels);
	if (!result)
		return 0;
	kernels = kinds[concurrent];
	if (cupti.ActivityEnable(kernels)) {
		say_once(&said, "CUDA is not logged: CUPTI does not record kernels (%s)",
			 libcupti_error(result));
		return -1;
	}
	say_once(&said, concurrent ? "CUPTI records kernels only if they run one after the other "
				     "(%s)"
				   : "CUPTI cannot make kernels run one after the other (%s): they "
				     "may overlap",
		 libcupti_error(result));
	return 0;
}

static int start(bool concurrent, bool all)
{
	static int said;

	all_calls = all;
	/* Calls are started first, so that no kernel comes without its call. */
	start_calls();
	if (start_kernels(concurrent)) {
		stop_calls();
		return -1;
	}
	for (int i = 0; i < TRANSFERS; i++) {
		int result = cupti.ActivityEnable(transfers[i]);

		if (result)
			say_once(&said, "CUPTI does not record all copies (%s): some are not "
					"logged",
				 libcupti_error(result));
	}
	for (size_t i = 0; all && i < FURTHER; i++)
		start_further(i);
	if (all_managed)
		start_managed();
	return 0;
}

int activity_start(bool concurrent, bool all, bool with_managed)
{
	int result = 0;

	pthread_mutex_lock(&lock);
	if (!on) {
		all_managed = with_managed;
		result = start(concurrent, all);
		on = !result;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

/* The writer does not wait for a thread that starts or stops recording. */
void activity_continue(bool is_last)
{
	if (managed != MANAGED_WAITS || pthread_mutex_trylock(&lock))
		return;
	if (on && managed == MANAGED_WAITS && is_last)
		say_without_managed(CUPTI_NOT_INITIALIZED);
	else if (on && managed == MANAGED_WAITS)
		start_managed();
	pthread_mutex_unlock(&lock);
}

bool activity_is_on(void)
{
	return atomic_load(&on);
}

bool activity_has_all(void)
{
	return all_calls;
}

bool activity_has_managed(void)
{
	return all_managed;
}

void activity_stop(void)
{
	pthread_mutex_lock(&lock);
	if (on) {
		cupti.ActivityFlushAll(0);
		stop_calls();
		stop_further();
		stop_managed();
		cupti.ActivityDisable(kernels);
		for (int i = 0; i < TRANSFERS; i++)
			cupti.ActivityDisable(transfers[i]);
	}
	stops += on;
	on = false;
	pthread_mutex_unlock(&lock);
}

unsigned activity_stops(void)
{
	return atomic_load(&stops);
}
