/* SPDX-License-Identifier: MIT */
/*
 * Decides when values are requested: at the entry of the next launch, as NVIDIA's samples do, when
 * the range of the last one is certainly complete. If there is none then, measuring is stopped and
 * started again, since CUPTI's header promises values only after Stop.
 */
#include "backend/cuda/counters/engine.h"

#include "backend/cuda/counters/range_device.h"
#include "backend/cuda/counters/range_session.h"
#include "base/memory.h"

/* Consecutive launches without a range, even after Stop. After so many kernels the context is not
 * measured any more; after so many graphs, which may have no kernels, they are not looked for. */
enum { SILENT_LAUNCHES = 3 };

struct range_state {
	struct range_session session;
	bool broken; /* after an error: it can only be stopped */
	bool graph;  /* the last launch was a graph */
	unsigned silent_kernels;
	unsigned silent_graphs;
};

static int range_start(struct engine_context *context)
{
	struct range_state *state = memory_map(sizeof(*state));
	const struct range_library *library = range_library();
	int result;

	if (!state)
		return CUPTI_OUT_OF_MEMORY;
	result = library ? library->refusal : CUPTI_NOT_SUPPORTED;
	if (!result)
		result = range_session_open(&state->session, library, context);
	if (result) {
		memory_unmap(state, sizeof(*state));
		return result;
	}
	context->state = state;
	context->no_more_values = true;
	return 0;
}

static struct range_state *state_of(const struct engine_context *context)
{
	struct range_state *state = context->state;

	return state && !state->broken ? state : NULL;
}

/* An error may be due to the number of ranges: the next session has fewer. */
static int fail(struct engine_context *context, struct range_state *state, int result)
{
	state->broken = result != 0;
	if (result && state->session.capacity > RANGES_AT_FIRST)
		context->most_ranges = state->session.capacity / 2;
	return result;
}

/* Counts launches without ranges. Returns 0, or ENGINE_SILENT after too many of them. */
static int note(struct range_state *state, size_t kernels)
{
	unsigned *silent = state->graph ? &state->silent_graphs : &state->silent_kernels;

	*silent = kernels ? 0 : *silent + 1;
	return !state->graph && *silent >= SILENT_LAUNCHES ? ENGINE_SILENT : 0;
}

/* The last launch has no range yet. */
static int force(struct range_state *state, engine_take *take, void *argument)
{
	size_t kernels;
	int result;

	if (state->graph && state->silent_graphs >= SILENT_LAUNCHES)
		return 0;
	result = range_session_pause(&state->session, take, argument, &kernels);
	return result ? result : note(state, kernels);
}

/* Values available now belong to earlier launches. If the last launch has none to come, they are
 * dropped: they belong to a launch that was not reported. */
static int take_last(struct engine_context *context, struct range_state *state, engine_take *take,
		     void *argument)
{
	bool wanted = !context->no_more_values;
	size_t kernels;
	int result;

	if (!state->session.started)
		return 0;
	result = range_session_collect(&state->session, wanted ? take : NULL, argument, &kernels);
	if (result || !wanted)
		return result;
	return kernels ? note(state, kernels) : force(state, take, argument);
}

static int range_enter(struct engine_context *context, engine_take *take, void *argument)
{
	struct range_state *state = state_of(context);
	int result;

	if (!state)
		return 0;
	result = take_last(context, state, take, argument);
	context->no_more_values = true;
	if (!result && state->session.dropped)
		result = range_session_grow(&state->session);
	if (!result)
		result = range_session_resume(&state->session);
	return fail(context, state, result);
}

/* Values come later. */
static int range_leave(struct engine_context *context, engine_take *take, void *argument)
{
	struct range_state *state = state_of(context);

	(void)take;
	(void)argument;
	context->no_more_values = !state || !context->expected;
	if (state)
		state->graph = context->graph;
	return 0;
}

static int range_pause(struct engine_context *context, engine_take *take, void *argument)
{
	struct range_state *state = state_of(context);
	size_t kernels;
	int result;

	if (!state || !state->session.started)
		return 0;
	result = range_session_pause(&state->session, context->no_more_values ? NULL : take,
				     argument, &kernels);
	if (!result && !context->no_more_values)
		result = note(state, kernels);
	context->no_more_values = true;
	return fail(context, state, result);
}

static void range_end(struct engine_context *context, engine_take *take, void *argument)
{
	struct range_state *state = context->state;

	if (state) {
		range_session_close(&state->session, state->broken,
				    context->no_more_values ? NULL : take, argument);
		memory_unmap(state, sizeof(*state));
	}
	context->state = NULL;
	context->no_more_values = true;
}

const struct engine range_engine = {
	.examine = range_examine,
	.together = range_together,
	.start = range_start,
	.enter = range_enter,
	.leave = range_leave,
	.pause = range_pause,
	.stop = range_end,
	.one_at_a_time = true,
};
