/* SPDX-License-Identifier: MIT */
/* The queries of an OpenCL driver about its commands, and the detection of wrong answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/event_times.h"

enum { FIRST = 64, SAMPLE = 64 };

/* A scripted driver with one event. */
struct opencl_functions next;

static struct {
	cl_int status;
	cl_ulong queued, submitted, started, ended;
	bool early; /* stamps exist before the command is complete */
	cl_int refusal; /* result of each query for a stamp */
	int questions;
} driver;

static uint32_t device; /* each test has its own device */

static cl_int CL_API_CALL info(cl_event event, cl_event_info name, size_t size, void *value,
			       size_t *needed)
{
	(void)event;
	(void)needed;
	assert_int_equal(name, CL_EVENT_COMMAND_EXECUTION_STATUS);
	assert_int_equal(size, sizeof(driver.status));
	driver.questions++;
	*(cl_int *)value = driver.status;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL stamp(cl_event event, cl_profiling_info name, size_t size, void *value,
				size_t *needed)
{
	(void)event;
	(void)needed;
	assert_int_equal(size, sizeof(cl_ulong));
	driver.questions++;
	if (driver.refusal)
		return driver.refusal;
	if (driver.status != CL_COMPLETE && !driver.early)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	*(cl_ulong *)value = name == CL_PROFILING_COMMAND_QUEUED   ? driver.queued
			     : name == CL_PROFILING_COMMAND_SUBMIT ? driver.submitted
			     : name == CL_PROFILING_COMMAND_START  ? driver.started
								   : driver.ended;
	return CL_SUCCESS;
}

static int set_up(void **state)
{
	(void)state;
	next.clGetEventInfo = info;
	next.clGetEventProfilingInfo = stamp;
	device++;
	driver.status = CL_COMPLETE;
	driver.queued = 10;
	driver.submitted = 20;
	driver.started = 30;
	driver.ended = 40;
	driver.early = false;
	driver.refusal = CL_SUCCESS;
	return 0;
}

static struct record record;

/* Reads the stamps, and checks the result and the number of queries. */
static void check(bool whole, enum stamps expected, int questions)
{
	record = (struct record){.device = device};
	driver.questions = 0;
	assert_int_equal(event_times_read(NULL, &record, whole), expected);
	assert_int_equal(driver.questions, questions);
	if (expected == STAMPS_GOOD) {
		assert_int_equal(record.started, 30);
		assert_int_equal(record.ended, 40);
		assert_int_equal(record.queued, questions == 2 ? 0 : 10);
		assert_int_equal(record.submitted, questions == 2 ? 0 : 20);
	} else {
		assert_int_equal(record.queued + record.submitted + record.started + record.ended,
				 0);
	}
}

static void check_first(int commands)
{
	while (commands--)
		check(false, STAMPS_GOOD, 5);
}

static void test_fewest_questions(void **state)
{
	(void)state;
	check_first(FIRST + 1);
	for (int i = 1; i < SAMPLE; i++)
		check(false, STAMPS_GOOD, 2);
	check(false, STAMPS_GOOD, 5);
	check(false, STAMPS_GOOD, 2);
	check(true, STAMPS_GOOD, 5);
}

static void test_still_running(void **state)
{
	(void)state;
	driver.status = CL_RUNNING;
	check(false, STAMPS_RUNNING, 2);
	driver.status = CL_COMPLETE;
	check_first(FIRST + 1);
	driver.status = CL_SUBMITTED;
	check(false, STAMPS_RUNNING, 2);
	driver.status = CL_COMPLETE;
	check(false, STAMPS_GOOD, 2);
}

static void test_failed(void **state)
{
	(void)state;
	driver.status = CL_OUT_OF_RESOURCES;
	check(false, STAMPS_FAILED, 2);
	driver.status = CL_COMPLETE;
	check_first(FIRST);
	driver.status = CL_OUT_OF_RESOURCES;
	check(false, STAMPS_FAILED, 2);
	check(true, STAMPS_FAILED, 1);
}

static void test_none(void **state)
{
	(void)state;
	driver.refusal = CL_INVALID_VALUE;
	check(false, STAMPS_NONE, 2);
	driver.refusal = CL_SUCCESS;
	check_first(FIRST);
	driver.refusal = CL_INVALID_VALUE;
	check(false, STAMPS_NONE, 3);
}

/* One error is enough: from then on all stamps are queried. */
static void check_lost(void)
{
	for (int i = 0; i < 2 * SAMPLE; i++)
		check(false, STAMPS_GOOD, 5);
}

static void test_out_of_order_at_first(void **state)
{
	(void)state;
	driver.submitted = 31;
	check(false, STAMPS_BAD, 5);
	driver.submitted = 20;
	check_lost();
}

static void test_out_of_order_later(void **state)
{
	(void)state;
	check_first(FIRST + 1);
	driver.ended = 29;
	check(false, STAMPS_BAD, 7);
	driver.ended = 40;
	check_lost();
}

static void test_zero_later(void **state)
{
	(void)state;
	check_first(FIRST + 1);
	driver.queued = driver.submitted = driver.started = driver.ended = 0;
	check(false, STAMPS_BAD, 7);
}

/* Without a sample in between, the late queued time is not detected. */
static void test_sample(void **state)
{
	(void)state;
	check_first(FIRST + 1);
	driver.queued = 25;
	for (int i = 1; i < SAMPLE; i++)
		check(false, STAMPS_GOOD, 2);
	check(false, STAMPS_BAD, 5);
	driver.queued = 10;
	check_lost();
}

static void test_before_it_is_over(void **state)
{
	(void)state;
	driver.status = CL_RUNNING;
	driver.early = true;
	check(false, STAMPS_RUNNING, 2);
	check(false, STAMPS_RUNNING, 1);
	driver.status = CL_COMPLETE;
	check_lost();
	driver.status = CL_RUNNING;
	check(false, STAMPS_RUNNING, 1);
}

static void test_failed_with_an_end(void **state)
{
	(void)state;
	driver.status = CL_OUT_OF_RESOURCES;
	driver.early = true;
	check(false, STAMPS_FAILED, 2);
	check(false, STAMPS_FAILED, 1);
	driver.status = CL_COMPLETE;
	check_lost();
	driver.status = CL_OUT_OF_RESOURCES;
	check(false, STAMPS_FAILED, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_fewest_questions, set_up),
		cmocka_unit_test_setup(test_still_running, set_up),
		cmocka_unit_test_setup(test_failed, set_up),
		cmocka_unit_test_setup(test_none, set_up),
		cmocka_unit_test_setup(test_out_of_order_at_first, set_up),
		cmocka_unit_test_setup(test_out_of_order_later, set_up),
		cmocka_unit_test_setup(test_zero_later, set_up),
		cmocka_unit_test_setup(test_sample, set_up),
		cmocka_unit_test_setup(test_before_it_is_over, set_up),
		cmocka_unit_test_setup(test_failed_with_an_end, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
