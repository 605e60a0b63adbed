/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/cupti_events.h"
#include "cuda_driver.h"

/* Contexts. Each thread has a stack of them; the top is the current one. */

enum { MAX_CONTEXTS = 4096, MAX_STACK = 64 };

static struct context *contexts[MAX_CONTEXTS + 1]; /* by id */
static uint32_t count;
static struct context *primary[MAX_DEVICES];
static unsigned primary_flags[MAX_DEVICES];
static __thread struct context *stack[MAX_STACK];
static __thread int depth;

/* Another thread may release it at this moment. */
static bool is_released(const struct context *context)
{
	return __atomic_load_n(&context->object.released, __ATOMIC_RELAXED);
}

/* A released context on the stack is not an error: another thread may have released it. */
struct context *context_current(void)
{
	struct context *context = depth ? stack[depth - 1] : NULL;

	return context && !is_released(context) ? context : NULL;
}

bool context_facts(struct context *context, uint32_t *id, uint32_t *device)
{
	bool found = false;
	LOCKED();

	for (uint32_t i = 1; context && i <= count && !found; i++)
		found = contexts[i] == context && !is_released(context);
	if (found) {
		*id = context->id;
		*device = (uint32_t)context->device;
	}
	return found;
}

uint32_t context_next(int device, uint32_t id)
{
	LOCKED();

	while (++id <= MAX_CONTEXTS && contexts[id])
		if (contexts[id]->device == device && !is_released(contexts[id]))
			return id;
	return 0;
}

uint32_t context_null_stream(uint32_t context)
{
	return (uint32_t)(script.nullstream + script.nullstep * (context - 1));
}

static int push(struct context *context)
{
	if (depth == MAX_STACK)
		complain("too many contexts on the stack");
	stack[depth++] = context;
	return CUDA_DONE;
}

static struct context *make(int device)
{
	struct context *context = object_make(KIND_CONTEXT, sizeof(*context));

	driver_lock();
	if (count == MAX_CONTEXTS)
		complain("too many contexts");
	context->device = device;
	context->id = ++count;
	contexts[context->id] = context;
	context->null_stream = (struct stream){.object = {.kind = KIND_STREAM},
					       .context = context,
					       .id = context_null_stream(context->id)};
	driver_unlock(NULL);
	/* In the callback the context is current, even if it is a primary one. */
	push(context);
	call_resource(CUPTI_RESOURCE_CONTEXT_CREATED, context, NULL, NULL);
	depth--;
	return context;
}

static void end(struct context *context)
{
	context_wait(context);
	call_resource(CUPTI_RESOURCE_CONTEXT_DESTROY_STARTING, context, NULL, NULL);
	__atomic_store_n(&context->object.released, true, __ATOMIC_RELAXED);
}

int fake_cuCtxCreate_v2(struct context **context, unsigned flags, int device)
{
	if (!device_is(device))
		return CUDA_INVALID_DEVICE;
	*context = make(device);
	(*context)->flags = flags;
	return push(*context);
}

int fake_cuCtxCreate(struct context **context, unsigned flags, int device)
{
	return fake_cuCtxCreate_v2(context, flags, device);
}

int fake_cuCtxCreate_v4(struct context **context, void *parameters, unsigned flags, int device)
{
	return fake_cuCtxCreate_v2(context, flags, device);
}

int fake_cuCtxDestroy_v2(struct context *context)
{
	if (!object_is(context, KIND_CONTEXT) || context->primary)
		return CUDA_INVALID_CONTEXT;
	end(context);
	if (depth && stack[depth - 1] == context)
		depth--;
	return CUDA_DONE;
}

int fake_cuCtxDestroy(struct context *context)
{
	return fake_cuCtxDestroy_v2(context);
}

int fake_cuCtxSynchronize(void)
{
	struct context *context = context_current();
	uint64_t now = clock_now();

	if (!object_is(context, KIND_CONTEXT))
		return CUDA_INVALID_CONTEXT;
	if (capture_breaks())
		return CUDA_CAPTURE_UNSUPPORTED;
	context_wait(context);
	tell_wait(CUPTI_WAIT_CONTEXT, NULL, NULL, now);
	return CUDA_DONE;
}

int fake_cuCtxGetCurrent(struct context **context)
{
	*context = context_current();
	return CUDA_DONE;
}

int fake_cuCtxSetCurrent(struct context *context)
{
	if (depth)
		depth--;
	return object_is(context, KIND_CONTEXT) ? push(context) : CUDA_DONE;
}

int fake_cuCtxPushCurrent_v2(struct context *context)
{
	return object_is(context, KIND_CONTEXT) ? push(context) : CUDA_INVALID_CONTEXT;
}

int fake_cuCtxPopCurrent_v2(struct context **context)
{
	if (!depth)
		return CUDA_INVALID_CONTEXT;
	depth--;
	if (context)
		*context = stack[depth];
	return CUDA_DONE;
}

int fake_cuCtxGetDevice(int *device)
{
	struct context *context = context_current();

	if (!object_is(context, KIND_CONTEXT))
		return CUDA_INVALID_CONTEXT;
	*device = context->device;
	return CUDA_DONE;
}

int fake_cuCtxGetApiVersion(struct context *context, unsigned *version)
{
	*version = 3020;
	return CUDA_DONE;
}

int fake_cuCtxEnablePeerAccess(struct context *peer, unsigned flags)
{
	return object_is(peer, KIND_CONTEXT) ? CUDA_DONE : CUDA_INVALID_CONTEXT;
}

int fake_cuDevicePrimaryCtxRetain(struct context **context, int device)
{
	static int making;

	if (!device_is(device))
		return CUDA_INVALID_DEVICE;
	/* One thread at a time; the lock must not be held while contexts are made, since hooks are
	 * called. */
	while (__atomic_exchange_n(&making, 1, __ATOMIC_ACQUIRE))
		;
	if (!primary[device]) {
		primary[device] = make(device);
		primary[device]->primary = true;
		primary[device]->flags = primary_flags[device];
	}
	primary[device]->retained++;
	*context = primary[device];
	__atomic_store_n(&making, 0, __ATOMIC_RELEASE);
	return CUDA_DONE;
}

int fake_cuDevicePrimaryCtxReset(int device)
{
	if (!device_is(device))
		return CUDA_INVALID_DEVICE;
	if (primary[device]) {
		end(primary[device]);
		primary[device] = NULL;
	}
	return CUDA_DONE;
}

int fake_cuDevicePrimaryCtxReset_v2(int device)
{
	return fake_cuDevicePrimaryCtxReset(device);
}

int fake_cuDevicePrimaryCtxRelease(int device)
{
	if (!device_is(device))
		return CUDA_INVALID_DEVICE;
	if (!primary[device])
		return CUDA_INVALID_CONTEXT;
	if (!--primary[device]->retained)
		return fake_cuDevicePrimaryCtxReset(device);
	return CUDA_DONE;
}

int fake_cuDevicePrimaryCtxRelease_v2(int device)
{
	return fake_cuDevicePrimaryCtxRelease(device);
}

int fake_cuDevicePrimaryCtxSetFlags(int device, unsigned flags)
{
	if (!device_is(device))
		return CUDA_INVALID_DEVICE;
	primary_flags[device] = flags;
	return CUDA_DONE;
}

int fake_cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
	return fake_cuDevicePrimaryCtxSetFlags(device, flags);
}

int fake_cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
	if (!device_is(device))
		return CUDA_INVALID_DEVICE;
	*flags = primary_flags[device];
	*active = primary[device] != NULL;
	return CUDA_DONE;
}
