/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/range_session.h"

#include <math.h>

#include "backend/cuda/counters/range_device.h"
#include "base/memory.h"
#include "base/say.h"

/* The largest image that is tried. */
#define LARGEST_IMAGE ((size_t)1 << 30)

static int initialize_image(struct range_session *session)
{
	struct range_data_initialize begin = {
		.size = RANGE_SIZE(range_data_initialize, data),
		.object = session->object,
		.bytes = session->bytes,
		.data = session->data,
	};
	int result = session->library->call.RangeProfilerCounterDataImageInitialize(&begin);

	if (!result)
		session->given = 0;
	return result;
}

static int make_image(struct range_session *session)
{
	struct range_data_size size = {
		.size = RANGE_SIZE(range_data_size, bytes),
		.object = session->object,
		.metrics = session->context->inputs,
		.count = session->context->count,
		.ranges = session->capacity,
		.nodes = (uint32_t)session->capacity,
	};
	int result = session->library->call.RangeProfilerGetCounterDataSize(&size);

	if (result)
		return result;
	if (size.bytes && size.bytes <= LARGEST_IMAGE)
		session->data = memory_map(size.bytes);
	if (!session->data)
		return CUPTI_OUT_OF_MEMORY;
	session->bytes = size.bytes;
	return initialize_image(session);
}

static int configure(struct range_session *session)
{
	struct range_config config = {
		.size = RANGE_SIZE(range_config, nesting),
		.object = session->object,
		.config_bytes = session->plan.bytes,
		.config = session->plan.config,
		.data_bytes = session->bytes,
		.data = session->data,
		.mode = RANGE_AUTO,
		.replay = RANGE_KERNEL_REPLAY,
		.ranges_per_pass = session->capacity,
		.nesting_levels = 1,
		.least_nesting = 1,
	};

	return session->library->call.RangeProfilerSetConfig(&config);
}

/* Errors are ignored, since disabling cannot be repeated. */
static void disable(struct range_session *session)
{
	struct range_disable end = {.size = RANGE_SIZE(range_disable, object),
				    .object = session->object};

	session->library->call.RangeProfilerDisable(&end);
	session->object = NULL;
	session->started = false;
	memory_unmap(session->data, session->bytes);
	session->data = NULL;
	session->bytes = 0;
}

static int start(struct range_session *session)
{
	struct range_disable start = {.size = RANGE_SIZE(range_disable, object),
				      .object = session->object};
	int result = session->library->call.RangeProfilerStart(&start);

	session->started = !result;
	return result;
}

static int stop(struct range_session *session)
{
	struct range_stop stop = {.size = RANGE_SIZE(range_stop, all_passes),
				  .object = session->object};

	session->started = false;
	return session->library->call.RangeProfilerStop(&stop);
}

/* Sets *too_many if the error may be due to the number of ranges. */
static int try_capacity(struct range_session *session, bool *too_many)
{
	struct range_enable enable = {.size = RANGE_SIZE(range_enable, object),
				      .context = session->context->handle};
	int result = session->library->call.RangeProfilerEnable(&enable);

	*too_many = !result;
	if (result)
		return result;
	session->object = enable.object;
	session->dropped = session->given = 0;
	result = make_image(session);
	if (!result)
		result = configure(session);
	if (!result)
		result = start(session);
	if (result)
		disable(session);
	return result;
}

/* Halves the capacity until CUPTI accepts it, down to `least`. */
static int begin(struct range_session *session, size_t least)
{
	bool too_many;
	int result;

	for (;;) {
		result = try_capacity(session, &too_many);
		if (!result || !too_many || session->capacity / 2 < least)
			return result;
		session->capacity /= 2;
		session->most = session->capacity;
	}
}

int range_session_open(struct range_session *session, const struct range_library *library,
		       const struct engine_context *context)
{
	const uint8_t *availability =
		range_availability(library, context->device->number, context->handle,
				   context->inputs, context->count);
	int result;

	*session = (struct range_session){
		.library = library,
		.context = context,
		.capacity = RANGES_AT_FIRST,
		.most = context->most_ranges ? context->most_ranges : RANGES_AT_MOST,
		.values = memory_map(context->count * sizeof(double)),
	};
	if (!session->values)
		return CUPTI_OUT_OF_MEMORY;
	result = hostapi_plan(&library->host, context->device->chip, availability, context->inputs,
			      context->count, &session->plan);
	if (!result)
		result = begin(session, RANGES_AT_FIRST);
	if (result)
		range_session_close(session, true, NULL, NULL);
	return result;
}

static void set_to_nothing(struct range_session *session)
{
	for (size_t i = 0; i < session->context->count; i++)
		session->values[i] = NAN;
}

static int evaluate(struct range_session *session, size_t range)
{
	struct host_evaluate evaluate = {
		.size = sizeof(evaluate),
		.object = session->plan.object,
		.data = session->data,
		.bytes = session->bytes,
		.range = range,
		.metrics = session->context->inputs,
		.count = session->context->count,
		.values = session->values,
	};
	int result;

	set_to_nothing(session);
	result = session->library->host.EvaluateToGpuValues(&evaluate);
	for (size_t i = 0; i < session->context->count; i++)
		if (!isfinite(session->values[i]))
			session->values[i] = NAN; /* a ratio with denominator 0 */
	return result;
}

/* If the image is full, the last kernels of a launch are missing. Otherwise dropped ranges are at
 * an unknown position, so no value can be assigned. */
static bool is_owner_unknown(const struct range_session *session, size_t dropped, size_t ranges)
{
	return dropped && ranges < session->capacity;
}

static int give(struct range_session *session, size_t ranges, bool unknown, engine_take *take,
		void *argument)
{
	int result = 0;

	for (; session->given < ranges; session->given++) {
		if (unknown)
			set_to_nothing(session);
		else if (take)
			result = evaluate(session, session->given);
		if (result)
			return result;
		if (take)
			take(argument, session->values);
	}
	return 0;
}

static void count_dropped(struct range_session *session, size_t dropped)
{
	static int said;

	session->dropped += dropped;
	if (dropped)
		say_once(&said,
			 "CUPTI has dropped counters of kernels (%zu of one launch): their rows "
			 "have no counters",
			 dropped);
}

int range_session_collect(struct range_session *session, engine_take *take, void *argument,
			  size_t *kernels)
{
	const struct range_functions *call = &session->library->call;
	struct range_decode decode = {.size = RANGE_SIZE(range_decode, dropped),
				      .object = session->object};
	struct range_data_info info = {.size = RANGE_SIZE(range_data_info, ranges),
				       .data = session->data,
				       .bytes = session->bytes};
	size_t before = session->given;
	int result = call->RangeProfilerDecodeData(&decode);

	*kernels = 0;
	if (result)
		return result;
	count_dropped(session, decode.dropped);
	result = call->RangeProfilerGetCounterDataInfo(&info);
	if (result || !info.ranges)
		return result;
	result = give(session, info.ranges, is_owner_unknown(session, decode.dropped, info.ranges),
		      take, argument);
	*kernels = session->given - before;
	return result ? result : initialize_image(session);
}

int range_session_grow(struct range_session *session)
{
	size_t old = session->capacity, wanted = old;

	while (wanted < old + session->dropped && wanted < session->most)
		wanted *= 2;
	session->dropped = 0;
	if (wanted == old)
		return 0;
	if (session->started)
		stop(session);
	disable(session);
	session->capacity = wanted;
	return begin(session, old);
}

int range_session_pause(struct range_session *session, engine_take *take, void *argument,
			size_t *kernels)
{
	int result = stop(session);

	*kernels = 0;
	return result ? result : range_session_collect(session, take, argument, kernels);
}

int range_session_resume(struct range_session *session)
{
	int result;

	if (session->started || (!session->configures && !start(session)))
		return 0;
	session->configures = true;
	result = configure(session);
	return result ? result : start(session);
}

void range_session_close(struct range_session *session, bool lost, engine_take *take,
			 void *argument)
{
	size_t kernels;

	if (session->object) {
		if (session->started && !stop(session) && !lost)
			range_session_collect(session, take, argument, &kernels);
		disable(session);
	}
	hostapi_forget(&session->library->host, &session->plan);
	memory_unmap(session->values, session->context->count * sizeof(double));
	session->values = NULL;
}
