/* SPDX-License-Identifier: MIT */
#include "backend/cuda/activity.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "backend/cuda/calls.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/library.h"
#include "base/say.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on;
static uint32_t kernels; /* the kind that stands for them */

static const uint32_t transfers[] = {
	CUPTI_KIND_MEMCPY,
	CUPTI_KIND_MEMCPY_PEER,
	CUPTI_KIND_MEMSET,
};
enum { TRANSFERS = sizeof(transfers) / sizeof(*transfers) };

void activity_watch_contexts(void)
{
	static int said;
	int result = cupti.ActivityEnable(CUPTI_KIND_CONTEXT);

	if (result)
		say_once(&said, "CUPTI does not record contexts (%s): streamid 1 may not be the "
				"default stream", library_error(result));
}

/* Only the calls that make device work, or keep others from making it, where the release can do
 * that: from CUDA 12.5 on. */
static bool choose_calls(uint32_t domain, int (*choose)(uint32_t callback, uint8_t enable),
			 bool enable)
{
	bool any = false;

	for (uint32_t id = 1; choose && id < CALL_LIMIT; id++) {
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
			 library_error(result));
}

static void stop_calls(void)
{
	if (!choose_calls(CUPTI_DOMAIN_RUNTIME, cupti.ActivityEnableRuntimeApi, false))
		cupti.ActivityDisable(CUPTI_KIND_RUNTIME);
	if (!choose_calls(CUPTI_DOMAIN_DRIVER, cupti.ActivityEnableDriverApi, false))
		cupti.ActivityDisable(CUPTI_KIND_DRIVER);
}

/* Some releases and devices know only the one kind of kernels, or only the other. */
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
		say_once(&said, "CUDA is in no log: CUPTI does not record kernels (%s)",
			 library_error(result));
		return -1;
	}
	say_once(&said, concurrent ? "CUPTI records kernels only one at a time (%s)"
				   : "CUPTI cannot keep kernels apart (%s): they may overlap",
		 library_error(result));
	return 0;
}

static int start(bool concurrent)
{
	static int said;

	/* Calls first: no kernel shall be there without its call. */
	start_calls();
	if (start_kernels(concurrent)) {
		stop_calls();
		return -1;
	}
	for (int i = 0; i < TRANSFERS; i++) {
		int result = cupti.ActivityEnable(transfers[i]);

		if (result)
			say_once(&said, "CUPTI does not record all copies (%s): some are in no log",
				 library_error(result));
	}
	return 0;
}

int activity_start(bool concurrent)
{
	int result = 0;

	pthread_mutex_lock(&lock);
	if (!on) {
		result = start(concurrent);
		on = !result;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

bool activity_is_on(void)
{
	return atomic_load(&on);
}

void activity_stop(void)
{
	pthread_mutex_lock(&lock);
	if (on) {
		cupti.ActivityFlushAll(0);
		stop_calls();
		cupti.ActivityDisable(kernels);
		for (int i = 0; i < TRANSFERS; i++)
			cupti.ActivityDisable(transfers[i]);
	}
	on = false;
	pthread_mutex_unlock(&lock);
}
