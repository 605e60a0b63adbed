/* SPDX-License-Identifier: MIT */
#include "rangeuse.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "backend/cuda/libcupti.h"

enum { INPUTS = 2 };

static const char *const inputs[INPUTS] = {"a__b.sum", "c__d.avg"};
static const struct engine_device device = {.number = 3, .handle = 7, .chip = "GX100"};
struct engine_context contexts[PLAY_CONTEXTS];

double given[USE_GIVEN];
size_t given_count;

const char *libcupti_error(int result)
{
	return result == PLAY_ERROR ? "CUPTI_ERROR_UNKNOWN" : "another";
}

static void take(void *argument, const double *values)
{
	assert_ptr_equal(argument, given);
	if (play.infinite || play.drops_first)
		assert_true(isnan(values[0]) && isnan(values[1]));
	else
		assert_true(values[1] == values[0] + 0.25);
	assert_true(given_count < USE_GIVEN);
	given[given_count++] = values[0];
}

void check(double first, size_t count)
{
	assert_int_equal(given_count, count);
	for (size_t i = 0; i < count; i++)
		assert_true(given[i] == first + (double)i);
	given_count = 0;
}

int begin(void **state)
{
	(void)state;
	play_begin();
	given_count = 0;
	for (int i = 0; i < PLAY_CONTEXTS; i++)
		contexts[i] = (struct engine_context){
			.handle = play_context(i),
			.device = &device,
			.inputs = inputs,
			.count = INPUTS,
		};
	return 0;
}

int enter(int number)
{
	play.now = PLAY_AT_ENTRY;
	return range_engine.enter(&contexts[number], take, given);
}

int leave(int number)
{
	contexts[number].expected = true;
	play.now = PLAY_AT_EXIT;
	return range_engine.leave(&contexts[number], take, given);
}

int pause_context(int number)
{
	play.now = PLAY_AT_ENTRY;
	return range_engine.pause(&contexts[number], take, given);
}

void stop(int number)
{
	range_engine.stop(&contexts[number], take, given);
	assert_null(contexts[number].state);
	assert_true(contexts[number].no_more_values);
	assert_false(play.objects[number].enabled);
}

void launch(int number, double first, size_t count)
{
	assert_int_equal(enter(number), 0);
	assert_true(contexts[number].no_more_values);
	play_kernels(number, first, count);
}

void start(int number)
{
	assert_int_equal(range_engine.start(&contexts[number]), 0);
	assert_true(contexts[number].no_more_values);
}

void check_calls(const char *calls)
{
	assert_string_equal(play.calls, calls);
	*play.calls = '\0';
}

void forget_calls(void)
{
	*play.calls = '\0';
}

void finish(int number)
{
	assert_int_equal(leave(number), 0);
	assert_false(contexts[number].no_more_values);
	assert_int_equal(pause_context(number), 0);
	assert_true(contexts[number].no_more_values);
}
