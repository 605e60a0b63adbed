/* SPDX-License-Identifier: MIT */
/* Compares computeprof's declarations of CUPTI's events with the headers of a toolkit, as
 * test_cupti.c and test_cupti_names.c do for the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <cupti_events.h>

/* CUPTI's are macros, which are undefined before computeprof's. */
static const uint64_t their_overflow = CUPTI_EVENT_OVERFLOW;
static const uint64_t their_invalid = CUPTI_EVENT_INVALID;
#undef CUPTI_EVENT_OVERFLOW
#undef CUPTI_EVENT_INVALID

#include "backend/cuda/counters/events.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(CUPTI_DOMAIN_INSTANCES, CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT);
	assert_int_equal(CUPTI_DOMAIN_TOTAL_INSTANCES,
			 CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT);
	assert_int_equal(CUPTI_GROUP_DOMAIN, CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID);
	assert_int_equal(CUPTI_GROUP_ALL_INSTANCES,
			 CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES);
	assert_int_equal(CUPTI_GROUP_EVENT_COUNT, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS);
	assert_int_equal(CUPTI_GROUP_EVENTS, CUPTI_EVENT_GROUP_ATTR_EVENTS);
	assert_int_equal(CUPTI_GROUP_INSTANCES, CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT);
	assert_int_equal(CUPTI_EVENTS_OF_KERNELS, CUPTI_EVENT_COLLECTION_MODE_KERNEL);
	assert_int_equal(CUPTI_INVALID_EVENT, CUPTI_ERROR_INVALID_EVENT_ID);
	assert_true(CUPTI_EVENT_OVERFLOW == their_overflow);
	assert_true(CUPTI_EVENT_INVALID == their_invalid);
}

static void test_layouts(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct cupti_event_set), sizeof(CUpti_EventGroupSet));
	assert_int_equal(offsetof(struct cupti_event_set, count),
			 offsetof(CUpti_EventGroupSet, numEventGroups));
	assert_int_equal(offsetof(struct cupti_event_set, groups),
			 offsetof(CUpti_EventGroupSet, eventGroups));
	assert_int_equal(sizeof(struct cupti_event_sets), sizeof(CUpti_EventGroupSets));
	assert_int_equal(offsetof(struct cupti_event_sets, count),
			 offsetof(CUpti_EventGroupSets, numSets));
	assert_int_equal(offsetof(struct cupti_event_sets, sets),
			 offsetof(CUpti_EventGroupSets, sets));
	assert_int_equal(sizeof(cupti_event_group), sizeof(CUpti_EventGroup));
}

/* computeprof's prototypes are compiled once with its own types. */
#define FUNCTION(function, parameters) typedef int ours_##function parameters;
#include "backend/cuda/counters/events.def"
#undef FUNCTION

/* In the list the types are replaced by CUPTI's, so that a wrong pointer type is detected. */
static const struct {
	const char *name;
	bool same;
} functions[] = {
#define cupti_event_group CUpti_EventGroup
#define cupti_event_set	  CUpti_EventGroupSet
#define cupti_event_sets  CUpti_EventGroupSets
#define cuda_context	  CUcontext
#define cuda_device	  CUdevice
#define struct /* CUPTI's types have no tags */
#define FUNCTION(function, parameters)                                                             \
	{#function,                                                                                \
	 __builtin_types_compatible_p(__typeof__(cupti##function), CUptiResult parameters)},
#include "backend/cuda/counters/events.def"
#undef FUNCTION
#undef struct
};

static void test_functions(void **state)
{
	int wrong = 0;

	(void)state;
	assert_int_equal(COUNT(functions), sizeof(struct event_functions) / sizeof(void *));
	for (size_t i = 0; i < COUNT(functions); i++) {
		if (functions[i].same)
			continue;
		print_error("cupti%s has another prototype\n", functions[i].name);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
