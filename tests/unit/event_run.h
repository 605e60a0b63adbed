/* SPDX-License-Identifier: MIT */
#ifndef TESTS_EVENT_RUN_H
#define TESTS_EVENT_RUN_H

#include "base/say.h"
#include "scripted_events.h"

/* Include once, after cmocka.h: a device and a context for the event engine, and its steps. */

static const char *const some[] = {"inst_executed", "l2_read"};
static const char *const first[] = {"inst_executed[0]", "l2_read[0]"};
static const char *const both[] = {"inst_executed[0]", "inst_executed"};
static const char *const all[] = {"branch", "l2_read", "inst_executed", "l2_write"};

static struct engine_device device;
static struct engine_context context;
static double taken[EVENTS];
static int takes;
static int said;

void say_once(int *flag, const char *format, ...)
{
	assert_non_null(strstr(format, "CUDA graphs"));
	said += !*flag;
	*flag = 1;
}

static void take(void *argument, const double *values)
{
	assert_ptr_equal(argument, &takes);
	memcpy(taken, values, context.count * sizeof(*values));
	takes++;
}

static int begin(void **state)
{
	(void)state;
	begin_script();
	device = (struct engine_device){
		.handle = 3, .capability = 35, .multiprocessors = 8};
	context = (struct engine_context){.device = &device, .inputs = some, .count = 2};
	takes = 0;
	return 0;
}

static int start(void)
{
	return event_engine.start(&context);
}

static int enter(void)
{
	return event_engine.enter(&context, take, &takes);
}

static int leave(void)
{
	return event_engine.leave(&context, take, &takes);
}

static void stop(void)
{
	event_engine.stop(&context, take, &takes);
	assert_null(context.state);
	assert_true(context.no_more_values);
}

/* Checks the calls since the last check. */
static void assert_calls(const char *expected)
{
	assert_string_equal(calls, expected);
	*calls = '\0';
}

#endif
