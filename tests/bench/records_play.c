/* SPDX-License-Identifier: MIT */
#include "records.h"

#include <stdio.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/counters/counters.h"
#include "backend/cuda/cuda.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/libcupti.h"
#include "backend/cuda/takeover.h"
#include "base/clock.h"
#include "model/column.h"

/* Replaces cuda.c, and the counters, which are not used. */
static char log_name[] = "log";
static struct settings settings = {.enabled = true, .layout.api = API_CUDA, .log = log_name};

const struct settings *cuda_settings(void)
{
	return &settings;
}

bool cuda_measures_counters(void)
{
	return false;
}

bool cuda_started_here(void)
{
	return true;
}

bool cuda_attach_times(uint64_t *begun, uint64_t *ended)
{
	*begun = *ended = 0;
	return false;
}

bool cuda_is_usable(void)
{
	return true;
}

bool activity_is_on(void)
{
	return true;
}

void activity_continue(bool is_last)
{
	(void)is_last;
}

unsigned activity_stops(void)
{
	return 0;
}

void cuda_set_settings(const struct settings *changed)
{
	(void)changed;
}

bool takeover_has_happened(void)
{
	return false;
}

void takeover_look(void)
{
}

void counters_replan(void)
{
}

void counters_fetch(bool all)
{
	(void)all;
}

uint32_t libcupti_version(void)
{
	return 130001;
}

static size_t size_of(uint32_t kind)
{
	return kind == CUPTI_KIND_CONCURRENT_KERNEL ? PLAY_KERNEL : sizeof(struct cupti_api);
}

/* As cuptiActivityGetNextRecord. */
static __attribute__((noinline)) int hot_cupti(uint8_t *buffer, size_t valid,
					       struct cupti_record **record)
{
	uint8_t *next = buffer;

	if (*record)
		next = (uint8_t *)*record + size_of((*record)->kind);
	if (next == buffer + valid)
		return CUPTI_MAX_LIMIT_REACHED;
	*record = (struct cupti_record *)(void *)next;
	return CUPTI_DONE;
}

static int drop_none(cuda_context context, uint32_t stream, size_t *dropped)
{
	(void)context;
	(void)stream;
	*dropped = 0;
	return CUPTI_DONE;
}

static int give_nothing(uint32_t flag)
{
	(void)flag;
	return CUPTI_DONE;
}

static int read_clock(uint64_t *now)
{
	*now = clock_read(CLOCK_REALTIME);
	return CUPTI_DONE;
}

static int name_call(uint32_t domain, uint32_t call, const char **name)
{
	*name = call > PLAY_CALLS ? NULL : "other";
	if (domain == CUPTI_DOMAIN_DRIVER && call == PLAY_LAUNCH)
		*name = "cuLaunchKernel";
	if (domain == CUPTI_DOMAIN_DRIVER && call == PLAY_GRAPH)
		*name = "cuGraphLaunch";
	if (domain == CUPTI_DOMAIN_RUNTIME && call == PLAY_RUNTIME)
		*name = "cudaLaunchKernel_v7000";
	return CUPTI_DONE;
}

static int get_device(cuda_device *device, int number)
{
	*device = number;
	return 0;
}

static int get_name(char *name, int size, cuda_device device)
{
	(void)device;
	snprintf(name, (size_t)size, "Fake");
	return 0;
}

/* Compute capability 9.0. */
static int get_attribute(int *value, int attribute, cuda_device device)
{
	static const int values[] = {
		[CUDA_BLOCK_REGISTERS] = 65536,
		[CUDA_MULTIPROCESSORS] = 132,
		[CUDA_THREADS] = 2048,
		[CUDA_COMPUTE_MAJOR] = 9,
		[CUDA_SHARED] = 233472,
		[CUDA_REGISTERS] = 65536,
		[CUDA_BLOCK_SHARED] = 232448,
		[CUDA_BLOCKS] = 32,
		[CUDA_RESERVED_SHARED] = 1024,
	};

	(void)device;
	*value = values[attribute];
	return 0;
}

void play_begin(void)
{
	settings.layout.columns = column_set(0, API_CUDA, DIALECT_CLASSIC);
	cupti.ActivityGetNextRecord = hot_cupti;
	cupti.ActivityGetNumDroppedRecords = drop_none;
	cupti.ActivityFlushAll = give_nothing;
	cupti.GetTimestamp = read_clock;
	cupti.GetCallbackName = name_call;
	driver.cuDeviceGet = get_device;
	driver.cuDeviceGetName = get_name;
	driver.cuDeviceGetAttribute = get_attribute;
}
