/* SPDX-License-Identifier: MIT */
/*
 * The range engine with the installed libcupti, if there is one, without a driver: nothing works,
 * and nothing crashes. COMPUTEPROF_CUPTI names another one. The metrics of chips need no driver up
 * to CUDA 13.1. The functions of CUDA 13.2 are not called.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "backend/cuda/counters/range_device.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/libcupti.h"
#include "backend/cuda/libcupti_path.h"

static const char *const inputs[] = {"sm__warps_active.sum", "sm__cycles_active.avg"};

enum { INPUTS = sizeof(inputs) / sizeof(inputs[0]) };

static const struct range_library *library;
static bool needs_driver; /* also for metrics */

const char *libcupti_error(int result)
{
	return result ? "an error" : "none";
}

static int take(const char *path, void *argument)
{
	void *candidate = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	(void)argument;
	return candidate && !functions_of_cupti(candidate);
}

static int look(void **state)
{
	const char *sanitizers = getenv("COMPUTEPROF_SANITIZERS");
	uint32_t version;

	(void)state;
	if (sanitizers && *sanitizers)
		return 0; /* they end the process when libcupti opens libnvperf_host */
	assert_null(range_library()); /* there is none yet */
	if (libcupti_path_walk(take, NULL) != 1)
		return 0;
	version = functions_version_by_exports(functions_library());
	needs_driver = version != 0;
	if (version == CUPTI_OF_13_2)
		return printf("# the libcupti of CUDA 13.2 needs a driver\n") < 0;
	library = range_library();
	if (library)
		printf("# cuptiProfilerInitialize answers %d\n", library->refusal);
	return 0;
}

static void test_examine(void **state)
{
	struct engine_device device = {.chip = "x"};
	struct engine_context context = {.device = &device, .inputs = inputs, .count = INPUTS};

	(void)state;
	if (!library || !library->refusal)
		skip(); /* no libcupti, or a driver for it */
	assert_non_null(range_engine.examine(&device));
	assert_null(device.chip);
	assert_false(range_engine.together(&device, NULL, inputs, INPUTS));
	assert_int_equal(range_engine.start(&context), library->refusal);
	assert_null(context.state);
}

static void test_plan(void **state)
{
	static const char *const wrong[] = {"sm__warps_active.sum", "sm__no_such_thing.sum"};
	struct host_plan plan;
	int result;

	(void)state;
	if (!library)
		skip();
	assert_int_not_equal(hostapi_plan(&library->host, "XX100", NULL, inputs, INPUTS, &plan), 0);
	assert_int_not_equal(hostapi_plan(&library->host, "GH100", NULL, wrong, 2, &plan), 0);
	assert_null(plan.object);
	result = hostapi_plan(&library->host, "GH100", NULL, inputs, INPUTS, &plan);
	if (needs_driver && library->refusal) {
		assert_int_not_equal(result, 0);
		assert_null(plan.object);
		return;
	}
	assert_int_equal(result, 0);
	assert_int_equal(plan.passes, 1);
	assert_true(plan.bytes > 0);
	hostapi_forget(&library->host, &plan);
	assert_null(plan.object);
}

/* An empty image. */
static void test_empty_image(void **state)
{
	static uint8_t data[65536] __attribute__((aligned(16)));
	double values[INPUTS];
	struct host_plan plan;
	struct range_data_info info = {
		.size = RANGE_SIZE(range_data_info, ranges), .data = data, .bytes = sizeof(data)};
	struct host_evaluate evaluate = {
		.size = sizeof(evaluate),
		.data = data,
		.bytes = sizeof(data),
		.metrics = inputs,
		.count = INPUTS,
		.values = values,
	};

	(void)state;
	if (!library || (needs_driver && library->refusal))
		skip();
	assert_true(library->call.RangeProfilerGetCounterDataInfo(&info) || !info.ranges);
	assert_int_equal(hostapi_plan(&library->host, "GH100", NULL, inputs, INPUTS, &plan), 0);
	evaluate.object = plan.object;
	assert_int_not_equal(library->host.EvaluateToGpuValues(&evaluate), 0);
	hostapi_forget(&library->host, &plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examine),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_empty_image),
	};

	return cmocka_run_group_tests(tests, look, NULL);
}
