/* SPDX-License-Identifier: MIT */
/*
 * Decides when values are requested. NVIDIA's own tools decode a launch's range at the next
 * launch's entry, where it is certain to be available. To avoid that delay, it is tried at the
 * launch's own exit as long as that succeeds, and in the writer's rounds.
 */
#include "backend/cuda/counters/engine.h"

#include "backend/cuda/counters/range_device.h"
#include "backend/cuda/counters/range_session.h"
#include "base/memory.h"

/* Number of incomplete results at exits after which this is not tried any more. */
enum { PATIENCE = 3 };

struct range_state {
	struct range_session session;
	bool broken;   /* after an error: it can only be stopped */
	bool at_exit;  /* values are requested at exits */
	bool in_round; /* values are requested in rounds */
	bool exit_works;
	bool round_works;
	bool tried; /* tried at the last exit without success */
	unsigned misses;
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
	state->at_exit = state->in_round = true;
	context->state = state;
	context->settled = true;
	return 0;
}

static struct range_state *state_of(const struct engine_context *context)
{
	struct range_state *state = context->state;

	return state && !state->broken ? state : NULL;
}

static int fail(struct engine_context *context, struct range_state *state, int result)
{
	state->broken = result != 0;
	context->settled = context->settled || state->broken;
	return result;
}

/* Values that came after the exit, or a second time, show that results at exits are unreliable. */
static void learn(struct range_state *state, bool settled, size_t kernels)
{
	if (kernels && (settled || state->tried))
		state->misses++;
	if (state->misses >= PATIENCE)
		state->at_exit = false;
	state->tried = false;
}

/* Values available now belong to earlier launches. If the last launch already has all its values,
 * they are dropped: they belong to a launch that was not reported. If it still has none, the
 * session is restarted to get them, since they must not be taken for those of the new launch. This
 * happens when CUPTI has looked for them on another thread's entry. */
static int range_enter(struct engine_context *context, engine_take *take, void *argument)
{
	struct range_state *state = state_of(context);
	bool settled = context->settled;
	size_t kernels;
	int result;

	context->settled = true;
	if (!state)
		return 0;
	result = range_session_collect(&state->session, settled ? NULL : take, argument, &kernels);
	learn(state, settled, kernels);
	if (!result && !settled && !kernels)
		result = range_session_again(&state->session, take, argument);
	else if (!result && state->session.dropped)
		result = range_session_grow(&state->session);
	return fail(context, state, result);
}

/* Requests values at a time when CUPTI may not have them yet or may refuse the request. After a
 * first failure it is not requested at such times again (*wanted). */
static int look(struct engine_context *context, struct range_state *state, bool *wanted,
		bool *works, engine_take *take, void *argument)
{
	size_t kernels;
	int result = range_session_collect(&state->session, take, argument, &kernels);

	if (result && !*works) {
		*wanted = false;
		return 0;
	}
	if (kernels)
		*works = context->settled = true;
	return fail(context, state, result);
}

static int range_leave(struct engine_context *context, engine_take *take, void *argument)
{
	struct range_state *state = state_of(context);
	int result;

	context->settled = !state;
	if (!state || !state->at_exit)
		return 0;
	result = look(context, state, &state->at_exit, &state->exit_works, take, argument);
	state->tried = !context->settled;
	return result;
}

static int range_drain(struct engine_context *context, engine_take *take, void *argument)
{
	struct range_state *state = state_of(context);
	int result;

	if (!state || context->settled || !state->in_round)
		return 0;
	result = look(context, state, &state->in_round, &state->round_works, take, argument);
	if (!result && context->settled)
		learn(state, false, 1);
	return result;
}

static void range_end(struct engine_context *context, engine_take *take, void *argument)
{
	struct range_state *state = context->state;

	if (state) {
		range_session_close(&state->session, state->broken, context->settled ? NULL : take,
				    argument);
		memory_unmap(state, sizeof(*state));
	}
	context->state = NULL;
	context->settled = true;
}

const struct engine range_engine = {
	.examine = range_examine,
	.together = range_together,
	.start = range_start,
	.enter = range_enter,
	.leave = range_leave,
	.drain = range_drain,
	.stop = range_end,
	.one_at_a_time = true,
};
