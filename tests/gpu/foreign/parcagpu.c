/* SPDX-License-Identifier: MIT */
/*
 * The functions of CUPTI that computeprof needs and parcagpu's test/mock_cupti.c lacks. Compiled
 * together with it into a libcupti, with its cuptiActivityRegisterCallbacks renamed to
 * mock_register. For each completed buffer, "delivered BYTES" is printed on stderr.
 */
#include <stdio.h>
#include <time.h>

#include "cupti_fake.h"

int mock_register(cupti_buffer_requested *requested, cupti_buffer_completed *completed);
ENTRY_POINT int cuptiActivityRegisterCallbacks(cupti_buffer_requested *requested,
					       cupti_buffer_completed *completed);
ENTRY_POINT int cuptiGetTimestamp(uint64_t *nanoseconds);
ENTRY_POINT int cuptiGetCallbackName(uint32_t domain, uint32_t callback, const char **name);
ENTRY_POINT int cuptiGetDeviceId(cuda_context context, uint32_t *id);

static cupti_buffer_completed *client_completed;

static void completed_and_printed(cuda_context context, uint32_t stream, uint8_t *buffer,
				  size_t size, size_t valid)
{
	fprintf(stderr, "delivered %zu\n", valid);
	client_completed(context, stream, buffer, size, valid);
}

int cuptiActivityRegisterCallbacks(cupti_buffer_requested *requested,
				   cupti_buffer_completed *completed)
{
	client_completed = completed;
	return mock_register(requested, completed_and_printed);
}

/* The clock of the records that test_cupti_prof.c makes. */
int cuptiGetTimestamp(uint64_t *nanoseconds)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*nanoseconds = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
	return CUPTI_DONE;
}

static const char *const drivers[CALLBACKS] = {
#define NAME(id, name) [id] = #name,
#define DRIVER
#include "cupti_names.def"
#undef DRIVER
};

static const char *const runtimes[CALLBACKS] = {
#include "cupti_names.def"
#undef NAME
};

int cuptiGetCallbackName(uint32_t domain, uint32_t callback, const char **name)
{
	*name = NULL;
	if (callback < CALLBACKS && domain == CUPTI_DOMAIN_DRIVER)
		*name = drivers[callback];
	if (callback < CALLBACKS && domain == CUPTI_DOMAIN_RUNTIME)
		*name = runtimes[callback];
	return *name ? CUPTI_DONE : CUPTI_INVALID_PARAMETER;
}

int cuptiGetDeviceId(cuda_context context, uint32_t *id)
{
	(void)context;
	*id = 0;
	return CUPTI_DONE;
}
