/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_SCRIPTED_ENGINE_H
#define TESTS_UNIT_SCRIPTED_ENGINE_H

/* Included by counters_stubs.h. */
#include <stdatomic.h>

#include "backend/cuda/counters/engine.h"

/* The engine. A value is 10 * the number of the launch in its context + the number of the input. */
static struct {
	int start, enter, leave, pause; /* results of the next calls */
	bool late;			/* values come with the next call, not at `leave` */
	unsigned graph;			/* kernels of a graph */
} script;

static struct engine_state {
	unsigned launches, owed; /* kernels whose values are not delivered yet */
	bool inside, started, paused;
} states[CONTEXTS];
static atomic_bool measures[CONTEXTS]; /* started and not paused */
static unsigned starts, stops, pauses;
static atomic_int inside; /* a thread is in the engine: no other may be */

static void go_in(void)
{
	assert_int_equal(atomic_exchange(&inside, 1), 0);
}

static void go_out(void)
{
	atomic_store(&inside, 0);
}

static void give(struct engine_context *context, engine_take *take, void *argument)
{
	struct engine_state *state = context->state;

	for (; state->owed; state->owed--) {
		double values[16];

		for (size_t i = 0; i < context->count; i++)
			values[i] = 10.0 * state->launches + (double)i;
		take(argument, values);
	}
	context->no_more_values = true;
}

static int engine_start(struct engine_context *context)
{
	struct engine_state *state = &states[NUMBER(context->handle)];
	unsigned first = NUMBER(context->handle) & ~3u;

	starts++;
	if (script.start)
		return script.start;
	for (unsigned i = first; i < first + 4; i++)
		assert_false(states[i].started);
	*state = (struct engine_state){.started = true, .launches = state->launches};
	atomic_store(&measures[NUMBER(context->handle)], true);
	context->state = state;
	context->no_more_values = true;
	return 0;
}

static int engine_enter(struct engine_context *context, engine_take *take, void *argument)
{
	struct engine_state *state = context->state;

	go_in();
	assert_true(state->started && !state->inside);
	give(context, take, argument);
	if (script.enter) {
		go_out();
		return script.enter;
	}
	state->inside = true;
	state->paused = false;
	atomic_store(&measures[NUMBER(context->handle)], true);
	state->launches++;
	state->owed = context->graph ? script.graph : 1;
	return 0;
}

static int engine_leave(struct engine_context *context, engine_take *take, void *argument)
{
	struct engine_state *state = context->state;

	assert_true(state->started && state->inside);
	state->inside = false;
	context->no_more_values = false;
	go_out();
	if (script.leave)
		return script.leave;
	if (!script.late)
		give(context, take, argument);
	return 0;
}

static int engine_pause(struct engine_context *context, engine_take *take, void *argument)
{
	struct engine_state *state = context->state;

	assert_true(state->started && !state->inside);
	if (state->paused)
		return 0;
	go_in();
	pauses++;
	if (yields)
		usleep(10);
	state->paused = true;
	atomic_store(&measures[NUMBER(context->handle)], false);
	if (!script.pause)
		give(context, take, argument);
	go_out();
	return script.pause;
}

static void engine_stop(struct engine_context *context, engine_take *take, void *argument)
{
	struct engine_state *state = context->state;

	stops++;
	if (yields)
		usleep(10);
	assert_true(state->started);
	give(context, take, argument);
	state->started = state->inside = false;
	atomic_store(&measures[NUMBER(context->handle)], false);
	context->state = NULL;
	go_out();
}

static const char *engine_examine(struct engine_device *device)
{
	return device->handle == (cuda_device)device->number ? NULL : "never";
}

static bool engine_together(const struct engine_device *device, cuda_context context,
			    const char *const *inputs, size_t count)
{
	(void)device;
	(void)context;
	(void)inputs;
	return count < 4;
}

#define ENGINE                                                                                     \
	{                                                                                          \
		.examine = engine_examine, .together = engine_together, .start = engine_start,     \
		.enter = engine_enter, .leave = engine_leave, .pause = engine_pause,               \
		.stop = engine_stop, .one_at_a_time = true,                                        \
	}

const struct engine event_engine = ENGINE;
const struct engine range_engine = ENGINE;

#endif
