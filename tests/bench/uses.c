/* SPDX-License-Identifier: MIT */
/*
 * uses COUNT: the cost of recording the uses of memory by a launch with four arguments, and of
 * setting one of them, without a driver: hot_uses() and hot_arguments() have what is counted.
 * Prints nanoseconds per launch.
 */
#include <stdio.h>
#include <stdlib.h>

#include "backend/opencl/allocation.h"
#include "backend/opencl/arguments.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/kernel.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "base/clock.h"
#include "session/locks.h"
#include "session/probe.h"
#include "session/session.h"
#include "session/thread.h"

#include "fake.h"
#include "flow_stubs.h"
#include "session/round.h"
#include "session/writer.h"

enum { BATCH = 500, ARGUMENTS = 4, KERNEL = 0x1000, MEMORY = 0x2000 };

static const struct source source = {.poll = fake_poll, .release = fake_release};

/* What the sources of the back end need of it. */
atomic_bool opencl_records = true;

bool opencl_is_hooked(void)
{
	return false;
}

struct opencl_kernel *kernel_of(cl_kernel handle)
{
	return object_find(OBJECT_KERNEL, handle);
}

const struct opencl_device *kernel_device(cl_kernel handle)
{
	(void)handle;
	return NULL;
}

cl_int kernel_release(cl_kernel handle, unsigned *count)
{
	(void)handle;
	*count = 0;
	return CL_SUCCESS;
}

cl_int profiled_clSetKernelArg(cl_kernel handle, cl_uint index, size_t size, const void *value)
{
	(void)handle;
	(void)index;
	(void)size;
	(void)value;
	return CL_SUCCESS;
}

cl_kernel profiled_clCloneKernel(cl_kernel source_kernel, cl_int *error)
{
	(void)error;
	return source_kernel;
}

static cl_mem memory_at(cl_uint index)
{
	return (cl_mem)(uintptr_t)(MEMORY + 16 * index);
}

static __attribute__((noinline)) void hot_arguments(long count)
{
	for (long i = 0; i < count; i++) {
		cl_uint index = (cl_uint)(i % ARGUMENTS);
		cl_mem memory = memory_at(index);

		used_clSetKernelArg((cl_kernel)KERNEL, index, sizeof(memory), &memory);
	}
}

/* What a launch does more with the uses than without. */
static __attribute__((noinline)) void hot_uses(long count)
{
	for (long i = 0; i < count; i++) {
		struct used used;

		used_begin(&used, NULL);
		if (!used_open(&used, true))
			abort();
		arguments_used(&used, (cl_kernel)KERNEL);
		used_close(&used);
	}
}

static void round_of_writer(void)
{
	drain_enter();
	writer_round(thread_live_session(), false);
	drain_leave();
}

static void prepare(void)
{
	const struct opencl_kernel kernel = {.references = 1};
	const struct opencl_memory memory = {
		.bytes = 64, .kind = MEMORY_KIND_DEVICE, .references = 1};

	object_prepare();
	object_put(OBJECT_KERNEL, (const void *)KERNEL, &kernel, sizeof(kernel));
	for (cl_uint i = 0; i < ARGUMENTS; i++)
		object_put(OBJECT_MEMORY, memory_at(i), &memory, sizeof(memory));
}

int main(int argc, char **argv)
{
	static char log[] = "log", trace[] = "trace";
	static struct settings settings = {.enabled = true, .layout.api = API_OPENCL, .log = log,
					   .trace = trace, .api_calls = true};
	long count = argc == 2 ? atol(argv[1]) : 0, batches;
	uint64_t began, launching = 0;
	struct probe probe;

	if (count < BATCH || count % BATCH) {
		fprintf(stderr, "usage: uses COUNT, a multiple of %d\n", BATCH);
		return EXIT_FAILURE;
	}
	if (session_attach(API_OPENCL, &settings, &source) ||
	    session_device(&(struct device){.name = "Fake"}) ||
	    session_context(&(struct context){0}))
		return EXIT_FAILURE;
	prepare();
	probe_begin(&probe);
	probe_end(&probe);
	writer_park(thread_live_session());
	hot_arguments(count);
	batches = count / BATCH;
	for (long i = 0; i < batches; i++) {
		began = clock_monotonic();
		hot_uses(count / batches);
		launching += clock_monotonic() - began;
		round_of_writer();
	}
	session_end();
	printf("uses of a launch %.1f\n", (double)launching / (double)count);
	return EXIT_SUCCESS;
}
