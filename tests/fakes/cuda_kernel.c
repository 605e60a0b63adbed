/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cuda_driver.h"

/* The kernels with an effect. Their arguments are 64-bit numbers. */

static uint64_t run_fill(const uint64_t *arguments)
{
	uint32_t *data = (void *)(uintptr_t)arguments[0];

	for (uint64_t i = 0; i < arguments[2]; i++)
		data[i] = (uint32_t)arguments[1];
	return 0;
}

static uint64_t run_add(const uint64_t *arguments)
{
	uint32_t *data = (void *)(uintptr_t)arguments[0];
	const uint32_t *other = (const void *)(uintptr_t)arguments[1];

	for (uint64_t i = 0; i < arguments[2]; i++)
		data[i] += other[i];
	return 0;
}

static uint64_t run_spin(const uint64_t *arguments)
{
	uint64_t *result = (void *)(uintptr_t)arguments[0];

	*result = arguments[1];
	return arguments[1];
}

/* These exist for their counter values: their results are not used. */
static uint64_t run_copy(const uint64_t *arguments)
{
	uint32_t *data = (void *)(uintptr_t)arguments[0];

	*data = *(const uint32_t *)(uintptr_t)arguments[1];
	return 0;
}

static uint64_t run_loop(const uint64_t *arguments)
{
	uint32_t *data = (void *)(uintptr_t)arguments[0];

	*data = (uint32_t)arguments[1];
	return 0;
}

static __thread bool is_measured; /* the kernel that this thread runs */

static uint64_t run_await(const uint64_t *arguments)
{
	uint32_t *result = (void *)(uintptr_t)arguments[0];

	*result = !is_measured;
	return is_measured ? arguments[2] : 0;
}

static uint64_t run_meet(const uint64_t *arguments)
{
	uint32_t *flags = (void *)(uintptr_t)arguments[0];

	__atomic_store_n(&flags[arguments[1]], 1, __ATOMIC_RELEASE);
	return 0;
}

static bool have_met(const uint64_t *arguments)
{
	const uint32_t *flags = (const void *)(uintptr_t)arguments[0];

	return __atomic_load_n(&flags[arguments[2]], __ATOMIC_ACQUIRE);
}

static const struct kernel {
	const char *name;
	uint64_t (*run)(const uint64_t *arguments);
	size_t sizes[MAX_PARAMETERS];
	bool (*ended)(const uint64_t *arguments); /* NULL: by its time alone */
} kernels[] = {
	{"fill", run_fill, {8, 4, 4}, NULL},
	{"add", run_add, {8, 8, 4}, NULL},
	{"spin", run_spin, {8, 8}, NULL},
	{"copy", run_copy, {8, 8, 4}, NULL},
	{"loop", run_loop, {8, 4}, NULL},
	{"await", run_await, {8, 8, 8}, NULL},
	{"meet", run_meet, {8, 4, 4}, have_met},
	{"ncclDevKernel_Meet", run_meet, {8, 4, 4}, have_met},
	{NULL, NULL, {0}, NULL},
};

static const struct kernel *find_kernel(const char *name)
{
	const struct kernel *kernel = kernels;

	while (kernel->name && strcmp(kernel->name, name) != 0)
		kernel++;
	return kernel->name ? kernel : NULL;
}

void kernel_arguments(struct work *work, void **parameters)
{
	const struct kernel *kernel = find_kernel(work->function->name);

	if (!kernel || !parameters)
		return;
	work->has_arguments = true;
	for (int i = 0; i < MAX_PARAMETERS && kernel->sizes[i]; i++)
		memcpy(&work->arguments[i], parameters[i], kernel->sizes[i]);
}

uint64_t kernel_run(const struct work *work)
{
	const struct kernel *kernel;

	if (!work->has_arguments || !memory_is(work->arguments[0], 1))
		return 0;
	kernel = find_kernel(work->function->name);
	if (kernel->run == run_await)
		is_measured = call_passes(work->function->module->context);
	return kernel->run(work->arguments);
}

bool kernel_has_ended(const struct work *work)
{
	const struct kernel *kernel;

	if (!work->has_arguments)
		return true;
	kernel = find_kernel(work->function->name);
	return !kernel->ended || kernel->ended(work->arguments);
}
