/* SPDX-License-Identifier: MIT */
#include "backend/cuda/subscription.h"

#include <stddef.h>

#include "backend/cuda/functions.h"
#include "backend/cuda/memory_calls.h"

static const struct {
	uint32_t domain;
	uint32_t callback;
} wanted[] = {
	{CUPTI_DOMAIN_DRIVER, CUPTI_DRIVER_PROFILER_START},
	{CUPTI_DOMAIN_DRIVER, CUPTI_DRIVER_PROFILER_STOP},
	{CUPTI_DOMAIN_DRIVER, CUPTI_DRIVER_PROFILER_INITIALIZE},
	{CUPTI_DOMAIN_RESOURCE, CUPTI_RESOURCE_CONTEXT_CREATED},
	{CUPTI_DOMAIN_RESOURCE, CUPTI_RESOURCE_STREAM_CREATED},
	{CUPTI_DOMAIN_RESOURCE, CUPTI_RESOURCE_STREAM_DESTROY_STARTING},
	{CUPTI_DOMAIN_STATE, CUPTI_STATE_FATAL_ERROR},
};

static cupti_subscriber subscriber;

/* Releases without one of them do not need it. */
static void want_calls_of(uint32_t domain)
{
	for (uint32_t id = 1; id < CALL_LIMIT; id++)
		if (calls_need_flush(calls_kind(domain, id)))
			cupti.EnableCallback(1, subscriber, domain, id);
}

void subscription_want_launches(void)
{
	for (uint32_t id = 1; id < CALL_LIMIT; id++)
		if (subscription_is_launch(calls_kind(CUPTI_DOMAIN_DRIVER, id)))
			cupti.EnableCallback(1, subscriber, CUPTI_DOMAIN_DRIVER, id);
}

void subscription_want_stacks(bool all)
{
	static const uint32_t domains[] = {CUPTI_DOMAIN_RUNTIME, CUPTI_DOMAIN_DRIVER};

	for (size_t i = 0; i < sizeof(domains) / sizeof(*domains); i++)
		for (uint32_t id = 1; id < CALL_LIMIT; id++)
			if (all || calls_make_work(calls_kind(domains[i], id)))
				cupti.EnableCallback(1, subscriber, domains[i], id);
	if (!cupti.GetGraphNodeId)
		return;
	cupti.EnableCallback(1, subscriber, CUPTI_DOMAIN_RESOURCE,
			     CUPTI_RESOURCE_GRAPHNODE_CREATED);
	cupti.EnableCallback(1, subscriber, CUPTI_DOMAIN_RESOURCE, CUPTI_RESOURCE_GRAPHNODE_CLONED);
}

void subscription_want_uses(void)
{
	for (uint32_t id = 1; id < CALL_LIMIT; id++)
		if (memory_calls_has(id))
			cupti.EnableCallback(1, subscriber, CUPTI_DOMAIN_DRIVER, id);
}

void subscription_want_context_ends(void)
{
	cupti.EnableCallback(1, subscriber, CUPTI_DOMAIN_RESOURCE,
			     CUPTI_RESOURCE_CONTEXT_DESTROY_STARTING);
}

int subscription_begin(cupti_callback_function *called)
{
	int result = cupti.Subscribe(&subscriber, called, NULL);

	if (result)
		return result;
	calls_find();
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		cupti.EnableCallback(1, subscriber, wanted[i].domain, wanted[i].callback);
	want_calls_of(CUPTI_DOMAIN_DRIVER);
	want_calls_of(CUPTI_DOMAIN_RUNTIME);
	return CUPTI_DONE;
}

void subscription_end(void)
{
	if (cupti.Unsubscribe)
		cupti.Unsubscribe(subscriber);
}
