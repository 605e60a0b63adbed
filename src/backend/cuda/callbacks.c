/* SPDX-License-Identifier: MIT */
#include "backend/cuda/callbacks.h"

#include <stddef.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/calls.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/counters/counters.h"
#include "backend/cuda/cuda.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/launch_stacks.h"
#include "backend/cuda/memory_calls.h"
#include "backend/cuda/pending_uses.h"
#include "backend/cuda/source.h"
#include "backend/cuda/subscription.h"
#include "backend/cuda/takeover.h"
#include "session/control.h"

/* Objects are about to be destroyed. CUPTI permits a flush here, but not in resource callbacks. */
static void look_before(uint32_t domain, uint32_t callback)
{
	enum call_kind kind = calls_kind(domain, callback);

	if (calls_need_flush(kind))
		source_look_before(kind == CALL_UNLOAD);
}

/* Only called if counters are requested, or if another client has taken over. */
static void on_launch(const struct cupti_call *call, enum call_kind kind)
{
	takeover_count(call, kind);
	if (!cuda_has_counter_memory())
		return;
	if (kind == CALL_CAPTURE || kind == CALL_CAPTURE_END)
		counters_capture(call, kind);
	else if (call->site == CUPTI_ENTER)
		counters_enter(call, kind);
	else
		counters_leave(call);
}

static void on_start(void)
{
	control_switched(true);
	cuda_start();
}

static void on_stop(void)
{
	control_switched(false);
	cuda_stop();
}

static void on_driver_call(uint32_t callback, const struct cupti_call *call)
{
	bool entering = call->site == CUPTI_ENTER;
	enum call_kind kind = calls_kind(CUPTI_DOMAIN_DRIVER, callback);

	if (subscription_is_launch(kind))
		on_launch(call, kind);
	else if (callback == CUPTI_DRIVER_PROFILER_START && !entering)
		on_start();
	else if (callback == CUPTI_DRIVER_PROFILER_STOP && entering)
		on_stop();
	else if (callback == CUPTI_DRIVER_PROFILER_INITIALIZE && entering)
		cuda_initialize(call->parameters, call->context);
	else if (entering)
		look_before(CUPTI_DOMAIN_DRIVER, callback);
}

static void on_context(cuda_context handle)
{
	uint32_t context, device;

	if (!cupti.GetContextId(handle, &context) && !cupti.GetDeviceId(handle, &device))
		contexts_note(context, device);
}

/* CUPTI's record of the context has this number, too, but other threads' kernels may precede it. */
static void ask_null_stream(cuda_context handle)
{
	uint32_t context, stream;

	if (cupti.GetStreamIdEx && !cupti.GetContextId(handle, &context) &&
	    !cupti.GetStreamIdEx(handle, NULL, 0, &stream))
		contexts_set_null_stream(context, stream);
}

/* The driver is called here only for counters, whose columns must be known before the first row. */
static void on_new_context(cuda_context handle)
{
	on_context(handle);
	ask_null_stream(handle);
	if (cuda_measures_counters())
		counters_add_context(handle);
}

static bool ask_stream(const struct cupti_resource *resource, uint32_t *context, uint32_t *stream)
{
	return cupti.GetStreamIdEx && resource->stream &&
	       !cupti.GetContextId(resource->context, context) &&
	       !cupti.GetStreamIdEx(resource->context, resource->stream, 0, stream);
}

static void on_stream(const struct cupti_resource *resource)
{
	uint32_t context, stream;

	if (!ask_stream(resource, &context, &stream))
		return;
	on_context(resource->context);
	contexts_stream_made(context, stream);
}

static void on_stream_gone(const struct cupti_resource *resource)
{
	uint32_t context, stream;

	if (ask_stream(resource, &context, &stream))
		contexts_stream_gone(context, stream);
}

/* `original`: the node of which graph->node is a copy, or NULL. */
static void on_graph_node(const struct cupti_graph *graph, cuda_node original)
{
	uint64_t node, of = 0;

	if (cupti.GetGraphNodeId(graph->node, &node))
		return;
	if (!original)
		launch_stacks_node(node);
	else if (!cupti.GetGraphNodeId(original, &of))
		launch_stacks_node_copied(node, of);
}

static void on_resource(uint32_t callback, const struct cupti_resource *resource)
{
	if (callback == CUPTI_RESOURCE_CONTEXT_DESTROY_STARTING)
		counters_context_ends(resource->context);
	else if (callback == CUPTI_RESOURCE_CONTEXT_CREATED)
		on_new_context(resource->context);
	else if (callback == CUPTI_RESOURCE_STREAM_CREATED)
		on_stream(resource);
	else if (callback == CUPTI_RESOURCE_STREAM_DESTROY_STARTING)
		on_stream_gone(resource);
	else if (callback == CUPTI_RESOURCE_GRAPHNODE_CREATED)
		on_graph_node(resource->descriptor, NULL);
	else if (callback == CUPTI_RESOURCE_GRAPHNODE_CLONED)
		on_graph_node(resource->descriptor,
			      ((const struct cupti_graph *)resource->descriptor)->original_node);
}

/* For a launch during which CUPTI has failed: releases the launch lock, for which other threads may
 * wait. */
static void leave_at_the_end(uint32_t domain, uint32_t callback, const struct cupti_call *call)
{
	enum call_kind kind = calls_kind(CUPTI_DOMAIN_DRIVER, callback);

	if (domain == CUPTI_DOMAIN_DRIVER && call->site == CUPTI_EXIT && cuda_started_here() &&
	    cuda_has_counter_memory() && (calls_launch(kind) || kind == CALL_GRAPH))
		counters_leave(call);
}

void callbacks_called(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	(void)user;
	if (!cuda_is_usable()) {
		leave_at_the_end(domain, callback, data);
		return;
	}
	if (domain == CUPTI_DOMAIN_DRIVER)
		on_driver_call(callback, data);
	else if (domain == CUPTI_DOMAIN_RUNTIME &&
		 ((const struct cupti_call *)data)->site == CUPTI_ENTER)
		look_before(domain, callback);
	else if (domain == CUPTI_DOMAIN_RESOURCE)
		on_resource(callback, data);
	else if (domain == CUPTI_DOMAIN_STATE)
		cuda_fail();
}

void callbacks_called_for_uses(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	if (domain == CUPTI_DOMAIN_DRIVER && __atomic_load_n(&pending_uses_on, __ATOMIC_ACQUIRE) &&
	    cuda_is_usable())
		memory_calls_note(callback, data, activity_is_on());
	callbacks_called_for_stacks(user, domain, callback, data);
}

void callbacks_called_for_stacks(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	if (domain == CUPTI_DOMAIN_DRIVER || domain == CUPTI_DOMAIN_RUNTIME)
		launch_stacks_note(data);
	callbacks_called(user, domain, callback, data);
}
