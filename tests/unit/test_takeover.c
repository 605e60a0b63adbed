/* SPDX-License-Identifier: MIT */
/*
 * Whether the installed libcupti, if there is one, stores the functions for buffers where
 * takeover.c searches for them. It needs no driver. COMPUTEPROF_CUPTI names another libcupti.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/libcupti_path.h"
#include "backend/cuda/subscription.h"
#include "backend/cuda/takeover.h"
#include "session/session.h"

static unsigned subscriptions;
static uint64_t lost;

bool activity_is_on(void)
{
	return true;
}

void subscription_want_launches(void)
{
	subscriptions++;
}

void session_lost(uint64_t count)
{
	lost += count;
}

static void requested(uint8_t **bytes, size_t *size, size_t *max_records)
{
	*bytes = NULL;
	*size = *max_records = 0;
}

static void other_requested(uint8_t **bytes, size_t *size, size_t *max_records)
{
	*bytes = NULL;
	*size = *max_records = 1;
}

static void completed(cuda_context context, uint32_t stream, uint8_t *bytes, size_t size,
		      size_t valid)
{
	(void)context, (void)stream, (void)bytes, (void)size, (void)valid;
}

static void other_completed(cuda_context context, uint32_t stream, uint8_t *bytes, size_t size,
			    size_t valid)
{
	(void)context, (void)stream, (void)bytes, (void)size, (void)valid;
	lost--;
}

static int take(const char *path, void *argument)
{
	void *candidate = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	(void)argument;
	return candidate && !functions_of_cupti(candidate);
}

static void leave(uint32_t site, int result, enum call_kind kind)
{
	takeover_count(&(struct cupti_call){.site = site, .result = &result}, kind);
}

static void test_another_client(void **state)
{
	int result;

	(void)state;
	if (libcupti_path_walk(take, NULL) != 1 ||
	    functions_version_by_exports(functions_library()) == CUPTI_OF_13_2)
		skip(); /* the functions of CUDA 13.2 must not be called without a driver */
	result = takeover_register(requested, completed);
	if (result) {
		printf("# cuptiActivityRegisterCallbacks answers %d\n", result);
		skip();
	}
	leave(CUPTI_EXIT, 0, CALL_LAUNCH);
	takeover_look();
	assert_false(takeover_has_happened());
	assert_int_equal(cupti.ActivityRegisterCallbacks(requested, completed), 0);
	assert_false(takeover_has_happened());
	assert_int_equal(subscriptions + lost, 0);
	assert_int_equal(cupti.ActivityRegisterCallbacks(other_requested, other_completed), 0);
	assert_true(takeover_has_happened());
	takeover_look();
	takeover_look();
	assert_int_equal(subscriptions, 1);
}

/* After the one above. */
static void test_count(void **state)
{
	(void)state;
	if (!takeover_has_happened())
		skip();
	leave(CUPTI_ENTER, 0, CALL_LAUNCH);
	leave(CUPTI_EXIT, 1, CALL_LAUNCH);
	assert_int_equal(lost, 0);
	leave(CUPTI_EXIT, 0, CALL_LAUNCH);
	leave(CUPTI_EXIT, 0, CALL_GRAPH);
	assert_int_equal(lost, 2);
	leave(CUPTI_EXIT, 1, CALL_CAPTURE);
	leave(CUPTI_EXIT, 0, CALL_LAUNCH);
	assert_int_equal(lost, 3);
	leave(CUPTI_EXIT, 0, CALL_CAPTURE);
	leave(CUPTI_EXIT, 0, CALL_LAUNCH);
	leave(CUPTI_EXIT, 1, CALL_CAPTURE_END);
	leave(CUPTI_EXIT, 0, CALL_LAUNCH);
	assert_int_equal(lost, 3);
	leave(CUPTI_EXIT, 0, CALL_CAPTURE_END);
	leave(CUPTI_EXIT, 0, CALL_CAPTURE_END);
	leave(CUPTI_EXIT, 0, CALL_LAUNCH);
	assert_int_equal(lost, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_another_client),
		cmocka_unit_test(test_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
