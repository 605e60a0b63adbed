/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_COUNTERS_STUBS_H
#define TESTS_UNIT_COUNTERS_STUBS_H

/* Include after cmocka.h, once per program: runs counters.c and the modules below it, with a
 * simulated program and a scripted engine. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/counters/counters.h"
#include "backend/cuda/counters/engine.h"
#include "backend/cuda/cuda.h"
#include "backend/cuda/functions.h"
#include "model/counter.h"
#include "session/session.h"

enum { CONTEXTS = 8, BUSY = 26 };

struct cupti_functions cupti;
struct driver_functions driver;

/* Stub of the back end: contexts 0 to 3 are of device 0, others of device 1. */
static struct cuda_context *const handles = (struct cuda_context *)4096;
static struct settings settings[2];
static const struct settings *_Atomic current_settings = &settings[0];
static atomic_bool profiler_on;
static bool yields; /* other threads run when a launch looks whether it is measured */
static atomic_bool works = true; /* CUPTI */
static struct catalog catalog;

#define HANDLE(context) ((cuda_context)((uintptr_t)handles + (uintptr_t)(context) * 64))
#define NUMBER(handle)	(((uintptr_t)(handle) - (uintptr_t)handles) / 64)

const struct settings *cuda_settings(void)
{
	return atomic_load(&current_settings);
}

bool cuda_measures_counters(void)
{
	return cuda_settings()->counters.count > 0;
}

bool cuda_is_usable(void)
{
	return atomic_load(&works);
}

bool activity_is_on(void)
{
	if (yields)
		sched_yield();
	return atomic_load(&profiler_on);
}

const struct catalog *session_catalog(void)
{
	return &catalog;
}

const struct cuda_context_entry *contexts_get(uint32_t context, uint32_t device)
{
	static const struct cuda_context_entry entries[] = {{.device = 0}, {.device = 1}};

	(void)context;
	return &entries[device];
}

static int get_context(cuda_context handle, uint32_t *number)
{
	*number = (uint32_t)NUMBER(handle);
	return 0;
}

static int get_device(cuda_context handle, uint32_t *number)
{
	*number = NUMBER(handle) >= CONTEXTS / 2;
	return 0;
}

static int get_handle(cuda_device *device, int number)
{
	*device = number;
	return 0;
}

/* The session's last data of each device. */
static unsigned told, counted_columns[2];
static char refused[256];

static int full; /* result of session_counters */

int session_counters(const struct counter_set *set)
{
	told++;
	if (full)
		return full;
	counted_columns[set->device] = set->count;
	snprintf(refused, sizeof(refused), "%s", set->refused);
	return 0;
}

const char *engine_reason(int result)
{
	if (result == ENGINE_SILENT)
		return "CUPTI has returned no counters of several kernels in a row";
	return result == BUSY ? "another profiler uses the counters" : "an error";
}

#include "scripted_engine.h"

/* The program. */
static int call_result;
static uint32_t newest; /* correlation */
static __thread uint64_t call_data; /* of this thread's launch, unless it is nested */

static inline struct cupti_call call_of(unsigned context, uint32_t correlation)
{
	return (struct cupti_call){
		.context = HANDLE(context),
		.correlation = correlation,
		.result = &call_result,
		.correlation_data = &call_data,
	};
}

static inline uint32_t enter(unsigned context, enum call_kind kind)
{
	uint32_t correlation = __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED);
	struct cupti_call call = call_of(context, correlation);

	counters_enter(&call, kind);
	return correlation;
}

static inline void leave(unsigned context, uint32_t correlation)
{
	struct cupti_call call = call_of(context, correlation);

	counters_leave(&call);
}

static inline uint32_t launch(unsigned context)
{
	uint32_t correlation = enter(context, CALL_LAUNCH);

	leave(context, correlation);
	return correlation;
}

/* Launches a kernel of this name. Returns its correlation. */
static inline uint32_t launch_named(unsigned context, enum call_kind kind, const char *kernel)
{
	uint32_t correlation = __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED);
	struct cupti_call call = call_of(context, correlation);

	call.symbol = kernel;
	counters_enter(&call, kind);
	counters_leave(&call);
	return correlation;
}

/* Returns the first value of the launch's next kernel, -1 without one. */
static inline double first_value(uint32_t correlation)
{
	double values[COUNTER_REQUESTS_MOST];

	return counter_values_take(correlation, values) ? values[0] : -1;
}

/* Destroys the program's contexts and resets everything except the plans' names. */
static inline void start_again(void)
{
	memset(&script, 0, sizeof(script));
	call_result = 0;
	yields = false;
	atomic_store(&profiler_on, true);
	for (unsigned i = 0; i < CONTEXTS; i++)
		counters_context_ends(HANDLE(i));
	atomic_store(&current_settings, &settings[0]);
	counters_replan();
	memset(states, 0, sizeof(states));
	starts = stops = pauses = told = 0;
}

/* Raw metrics, whose values are those of the engine. */
static inline void want(struct settings *to, const char *name)
{
	assert_non_null(counter_requests_add(&to->counters, name, -1));
	to->aggregate_counters = true;
}

static inline void prepare(void)
{
	struct device device = {.name = "one", .compute_major = 9, .multiprocessors = 4};

	cupti.GetContextId = get_context;
	cupti.GetDeviceId = get_device;
	driver.cuDeviceGet = get_handle;
	assert_int_equal(catalog_init(&catalog), 0);
	catalog_add_device(&catalog, &device);
	catalog_add_device(&catalog, &device);
	want(&settings[0], "sm__one.sum");
	want(&settings[0], "sm__two.sum");
	want(&settings[1], "sm__three.sum");
	assert_int_equal(counter_values_init(), 0);
}

#endif
