/* SPDX-License-Identifier: MIT */
/* The settings of the back end, and its state. */
#include "backend/cuda/cuda.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/say.h"

static struct settings first; /* of the user */
static const struct settings *_Atomic settings = &first; /* in force */
static atomic_int owner; /* the process in which CUPTI was started, 0 if in none */
static atomic_bool works;
static atomic_bool can_count; /* there is memory for values */

static uint64_t attach_begun;
static _Atomic uint64_t attach_ended; /* 0: not yet */

void cuda_set_attach_times(uint64_t begun, uint64_t ended)
{
	attach_begun = begun;
	atomic_store(&attach_ended, ended);
}

bool cuda_attach_times(uint64_t *begun, uint64_t *ended)
{
	*ended = atomic_load(&attach_ended);
	*begun = attach_begun;
	return *ended;
}

const struct settings *cuda_settings(void)
{
	return atomic_load(&settings);
}

bool cuda_measures_counters(void)
{
	return atomic_load(&can_count) && cuda_settings()->counters.count > 0;
}

bool cuda_started_here(void)
{
	return atomic_load(&owner) == getpid();
}

bool cuda_is_usable(void)
{
	return atomic_load(&works) && cuda_started_here();
}

void cuda_fail(void)
{
	static int said;

	if (!cuda_is_usable())
		return;
	atomic_store(&works, false);
	say_once(&said, "CUPTI has failed: commands are not logged from here on");
}

const struct settings *cuda_load_settings(void)
{
	settings_load(&first, API_CUDA);
	return &first;
}

void cuda_set_settings(const struct settings *changed)
{
	atomic_store(&settings, changed);
}

void cuda_set_usable(bool is_here)
{
	if (is_here)
		atomic_store(&owner, getpid());
	atomic_store(&works, is_here);
}

void cuda_set_counter_memory(void)
{
	atomic_store(&can_count, true);
}

bool cuda_has_counter_memory(void)
{
	return atomic_load(&can_count);
}
