/* SPDX-License-Identifier: MIT */
#include "backend/cuda/kernel_parameters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/functions.h"
#include "base/map.h"
#include "base/say.h"

enum { MOST = 4096 /* of a kernel; CUDA permits 32764 bytes */ };

static struct map known; /* by function */
static atomic_uint generation;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns false after the last parameter. */
static bool query_parameter(cuda_function function, uint32_t index,
			    struct kernel_parameter *parameter)
{
	size_t offset = 0, size = 0;

	if (index >= MOST || driver.cuFuncGetParamInfo(function, index, &offset, &size))
		return false;
	*parameter = (struct kernel_parameter){(uint32_t)offset, (uint32_t)size};
	return true;
}

static struct kernel_parameters *make(cuda_function function, uint32_t now)
{
	struct kernel_parameter parameter;
	struct kernel_parameters *made;
	uint32_t count = 0;

	while (query_parameter(function, count, &parameter))
		count++;
	made = malloc(sizeof(*made) + count * sizeof(parameter));
	if (!made)
		return NULL;
	made->generation = now;
	for (made->count = 0; made->count < count; made->count++)
		if (!query_parameter(function, made->count, &made->items[made->count]))
			break;
	return made;
}

static bool are_equal(const struct kernel_parameters *left, const struct kernel_parameters *right)
{
	return left->count == right->count &&
	       (!left->count ||
		!memcmp(left->items, right->items, left->count * sizeof(*left->items)));
}

/* Stores `made` and returns it or, if they are equal, the former ones, which another thread may be
 * using. Otherwise the former function is unloaded: the program cannot be launching it. */
static struct kernel_parameters *keep(uint64_t key, struct kernel_parameters *made)
{
	struct kernel_parameters *former, *kept = made;

	pthread_mutex_lock(&lock);
	former = map_get(&known, key);
	if (former && are_equal(former, made)) {
		former->generation = made->generation;
		kept = former;
		former = made;
	} else if (map_set(&known, key, made)) {
		kept = NULL;
		former = made;
	}
	pthread_mutex_unlock(&lock);
	free(former);
	return kept;
}

const struct kernel_parameters *kernel_parameters_of(cuda_function function)
{
	static int said;
	uint32_t now = atomic_load(&generation);
	uint64_t key = (uintptr_t)function;
	struct kernel_parameters *found = key ? map_get(&known, key) : NULL;

	if (!key || (found && found->generation == now))
		return found;
	if (!driver.cuFuncGetParamInfo) {
		say_once(&said, "the uses of memory by kernels are not recorded: that needs a "
				"driver of CUDA 12.4 or later");
		return NULL;
	}
	found = make(function, now);
	return found ? keep(key, found) : NULL;
}

void kernel_parameters_forget(void)
{
	atomic_fetch_add(&generation, 1);
}
