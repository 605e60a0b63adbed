/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/launch_filter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "backend/cuda/cuda.h"
#include "base/map.h"
#include "base/say.h"
#include "model/frames.h"

/*
 * Kernels of libraries: a component of the name begins with `begin`, and `part` occurs after it.
 * NCCL: ncclDevKernel_AllReduce_Sum_f32_RING_LL, ncclSymkDevKernel_..., in older releases
 * ncclKernel_AllReduce_RING_LL_Sum_float and ncclAllReduceRingLLKernel_sum_f32. vLLM and SGLang:
 * vllm::cross_device_reduce_1stage. PyTorch's symmetric memory: one_shot_all_reduce_kernel,
 * two_shot_..., multimem_....
 */
static const struct {
	const char *begin;
	const char *part;
} libraries[] = {
	{"nccl", "Kernel"},
	{"nvshmem", ""},
	{"cross_device_reduce_", ""},
	{"one_shot_all_reduce", ""},
	{"two_shot_all_reduce", ""},
	{"multimem_", "kernel"},
};

/* The decision about a kernel's name: the low bits of a value of the map. The other bits are the
 * address of the settings that it was made with. */
enum decision { DECISION_MEASURE, DECISION_UNWANTED, DECISION_LIBRARY, DECISION_ADDED, DECISIONS };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for changes of the map */
static struct map decisions;				 /* by the hash of the name */
static atomic_bool graphs_wait;

/* Components of a mangled name follow their length: _ZN4vllm26cross_device_reduce_1stageI... */
static bool begins_component(const char *name, const char *at)
{
	return at == name || (at[-1] >= '0' && at[-1] <= '9');
}

static bool is_of_library(const char *name)
{
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		for (const char *at = name; (at = strstr(at, libraries[i].begin)); at++)
			if (begins_component(name, at) && strstr(at, libraries[i].part))
				return true;
	return false;
}

static enum decision decide(const struct settings *settings, const char *name)
{
	if (is_of_library(name))
		return DECISION_LIBRARY;
	return settings_logs_kernel(settings, name) ? DECISION_MEASURE : DECISION_UNWANTED;
}

static uint64_t key_of(const char *name)
{
	uint64_t hash = frames_hash(name, strlen(name));

	return hash ? hash : 1;
}

static void store(uint64_t key, uintptr_t value)
{
	pthread_mutex_lock(&lock);
	if (((uintptr_t)map_get(&decisions, key) & (DECISIONS - 1)) != DECISION_ADDED)
		map_set(&decisions, key, (void *)value); /* without memory it is decided again */
	pthread_mutex_unlock(&lock);
}

static enum decision decision_of(const char *name)
{
	const struct settings *settings = cuda_settings();
	uint64_t key = key_of(name);
	uintptr_t known = (uintptr_t)map_get(&decisions, key);
	enum decision decision = (enum decision)(known & (DECISIONS - 1));

	if (decision == DECISION_ADDED ||
	    (known & ~(uintptr_t)(DECISIONS - 1)) == (uintptr_t)settings)
		return decision;
	decision = decide(settings, name);
	store(key, (uintptr_t)settings | (uintptr_t)decision);
	return decision;
}

/* In all versions of the call, its parameters begin with the configuration (CUlaunchConfig). */
static bool has_cooperative_attribute(const struct cupti_call *call)
{
	const struct cuda_launch_config *const *given = call->parameters;
	const struct cuda_launch_config *config = given ? *given : NULL;

	for (unsigned i = 0; config && config->attributes && i < config->count; i++)
		if (config->attributes[i].id == CUDA_LAUNCH_COOPERATIVE &&
		    config->attributes[i].value.cooperative)
			return true;
	return false;
}

static bool is_cooperative(const struct cupti_call *call, enum call_kind kind)
{
	return kind == CALL_LAUNCH_COOPERATIVE || kind == CALL_LAUNCHES ||
	       (kind == CALL_LAUNCH_EX && has_cooperative_attribute(call));
}

static enum launch_class class_of_graph(void)
{
	static int said;

	if (!atomic_load(&graphs_wait))
		return LAUNCH_MEASURED;
	say_once(&said, "kernels of CUDA graphs have no counters in the log from here on: the "
			"program has captured kernels that wait for each other");
	return LAUNCH_WAITS;
}

static enum launch_class class_of_name(const char *name)
{
	static int said;
	enum decision decision = decision_of(name);

	if (decision == DECISION_LIBRARY)
		say_once(&said, "kernels of communication libraries (%.100s) wait for each other, "
				"so they have no counters in the log", name);
	if (decision == DECISION_UNWANTED)
		return LAUNCH_UNWANTED;
	return decision == DECISION_MEASURE ? LAUNCH_MEASURED : LAUNCH_WAITS;
}

enum launch_class launch_filter_class(const struct cupti_call *call, enum call_kind kind)
{
	static int said;

	if (kind == CALL_GRAPH)
		return class_of_graph();
	if (is_cooperative(call, kind)) {
		say_once(&said, "cooperative kernels may wait for each other, so they have no "
				"counters in the log");
		return LAUNCH_WAITS;
	}
	return call->symbol ? class_of_name(call->symbol) : LAUNCH_MEASURED;
}

void launch_filter_captured(void)
{
	atomic_store(&graphs_wait, true);
}

void launch_filter_add(const char *kernel)
{
	store(key_of(kernel), DECISION_ADDED);
}
