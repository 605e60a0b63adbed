/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cupti_fake.h"
#include "cupti_doors.h"

/* The subscriber and its callbacks, and all functions other than activities. */

enum { DOMAINS = 7 };

static const struct driver *driver;
static struct cupti_subscriber {
	cupti_callback_function *callback;
	void *user;
	int is_there;
} subscriber;
static uint8_t enabled[DOMAINS][CALLBACKS];
static int dead;
static __thread int last_error;
__thread const char *cupti_forbidden;

const struct driver *cupti_driver(void)
{
	const struct driver *found = __atomic_load_n(&driver, __ATOMIC_ACQUIRE);
	void *library = found ? NULL : dlopen("libcuda.so.1", RTLD_NOW);

	if (!library)
		return found;
	found = dlsym(library, FAKE_DRIVER);
	__atomic_store_n(&driver, found, __ATOMIC_RELEASE);
	return found;
}

bool cupti_is_dead(void)
{
	return __atomic_load_n(&dead, __ATOMIC_RELAXED);
}

bool cupti_refuses(const char *word)
{
	return cupti_lists(script.refuse, word);
}

int cupti_answer(int result)
{
	if (result)
		last_error = result;
	return result;
}

/*
 * Each function of the releases from 13.2 on first checks the driver. If that fails, 13.2 calls a
 * function for the text of the error, which first checks the driver, too, and so on until the stack
 * is full; later releases return an error.
 */
static int look_at_driver(void)
{
	if (cupti_version < 130200 || (cupti_driver() && cupti_driver()->can_start()))
		return CUPTI_DONE;
	if (cupti_version >= 130300)
		return CUPTI_UNKNOWN;
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return CUPTI_UNKNOWN;
}

int cupti_gate(const char *function, bool needs_driver)
{
	int failure;

	script_start();
	if (look_at_driver())
		return CUPTI_UNKNOWN;
	if (cupti_is_dead())
		return cupti_answer(CUPTI_NOT_INITIALIZED);
	if (cupti_refuses(function))
		return cupti_answer(CUPTI_NOT_COMPATIBLE);
	failure = cupti_fails(function);
	if (failure)
		return cupti_answer(failure);
	if (needs_driver && (script.noinit || !cupti_driver()))
		return cupti_answer(CUPTI_UNKNOWN);
	if (needs_driver)
		cupti_driver()->attach(&cupti_hooks);
	return CUPTI_DONE;
}

static bool is_on(uint32_t domain, uint32_t callback)
{
	return domain < DOMAINS && callback < CALLBACKS &&
	       __atomic_load_n(&enabled[domain][callback], __ATOMIC_RELAXED) &&
	       __atomic_load_n(&subscriber.is_there, __ATOMIC_ACQUIRE);
}

void cupti_call_back(uint32_t domain, uint32_t callback, const void *data)
{
	const char *before = cupti_forbidden;

	if (!is_on(domain, callback))
		return;
	if (domain == CUPTI_DOMAIN_RESOURCE)
		cupti_forbidden = "a callback of a resource";
	if (domain == CUPTI_DOMAIN_STATE)
		cupti_forbidden = "a callback of a state";
	subscriber.callback(subscriber.user, domain, callback, data);
	cupti_forbidden = before;
}

void cupti_die(void)
{
	struct { /* CUpti_StateData */
		int result;
		const char *message;
	} state = {CUPTI_UNKNOWN, "the script says so"};

	__atomic_store_n(&dead, 1, __ATOMIC_RELAXED);
	cupti_call_back(CUPTI_DOMAIN_STATE, CUPTI_STATE_FATAL_ERROR, &state);
}

int cuptiGetVersion(uint32_t *version)
{
	int status = cupti_gate("cuptiGetVersion", false);

	if (status == CUPTI_UNKNOWN)
		return status;
	*version = release()->version;
	if (cupti_version && !script.generation)
		*version = cupti_version;
	return status;
}

int cuptiGetTimestamp(uint64_t *nanoseconds)
{
	int status = cupti_gate("cuptiGetTimestamp", false);
	struct timespec time;

	if (status)
		return status;
	clock_gettime(CLOCK_REALTIME, &time);
	*nanoseconds = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
	if (cupti_driver())
		*nanoseconds = cupti_driver()->clock();
	return CUPTI_DONE;
}

int cuptiSubscribe(cupti_subscriber *to, cupti_callback_function *callback, void *user)
{
	int status = cupti_gate("cuptiSubscribe", true);
	int taken = release()->version < 13 ? CUPTI_MAX_LIMIT_REACHED : CUPTI_MULTIPLE_SUBSCRIBERS;

	if (status)
		return status;
	if (script.second)
		return cupti_answer(script.second == 1 ? taken : (int)script.second);
	if (__atomic_load_n(&subscriber.is_there, __ATOMIC_ACQUIRE))
		return cupti_answer(taken);
	subscriber.callback = callback;
	subscriber.user = user;
	__atomic_store_n(&subscriber.is_there, 1, __ATOMIC_RELEASE);
	*to = &subscriber;
	return CUPTI_DONE;
}

int cuptiUnsubscribe(cupti_subscriber given)
{
	int status = cupti_gate("cuptiUnsubscribe", true);

	if (status)
		return status;
	if (given != &subscriber || !subscriber.is_there)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	__atomic_store_n(&subscriber.is_there, 0, __ATOMIC_RELEASE);
	for (uint32_t domain = 0; domain < DOMAINS; domain++)
		for (uint32_t id = 0; id < CALLBACKS; id++)
			__atomic_store_n(&enabled[domain][id], 0, __ATOMIC_RELAXED);
	return CUPTI_DONE;
}

static bool is_subscriber(cupti_subscriber given)
{
	return given == &subscriber && __atomic_load_n(&subscriber.is_there, __ATOMIC_ACQUIRE);
}

int cuptiEnableCallback(uint32_t enable, cupti_subscriber given, uint32_t domain, uint32_t callback)
{
	int status = cupti_gate("cuptiEnableCallback", false);

	if (status)
		return status;
	if (!is_subscriber(given) || domain >= DOMAINS || callback >= CALLBACKS ||
	    (domain <= CUPTI_DOMAIN_RUNTIME && !name_of_callback(domain, callback)))
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	__atomic_store_n(&enabled[domain][callback], enable != 0, __ATOMIC_RELAXED);
	return CUPTI_DONE;
}

int cuptiEnableDomain(uint32_t enable, cupti_subscriber given, uint32_t domain)
{
	int status = cupti_gate("cuptiEnableDomain", false);

	if (status)
		return status;
	if (!is_subscriber(given) || domain >= DOMAINS)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	for (uint32_t id = 1; id < CALLBACKS; id++)
		__atomic_store_n(&enabled[domain][id], enable != 0, __ATOMIC_RELAXED);
	return CUPTI_DONE;
}

int cuptiGetCallbackName(uint32_t domain, uint32_t callback, const char **name)
{
	int status = cupti_gate("cuptiGetCallbackName", false);
	const char *found = name_of_callback(domain, callback);

	if (status)
		return status;
	if (!found)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	*name = found;
	return CUPTI_DONE;
}

int cuptiGetContextId(cuda_context context, uint32_t *id)
{
	int status = cupti_gate("cuptiGetContextId", true);
	uint32_t device;

	if (status)
		return status;
	return cupti_driver()->context((void *)context, id, &device)
		       ? CUPTI_DONE
		       : cupti_answer(CUPTI_INVALID_CONTEXT);
}

int cuptiGetDeviceId(cuda_context context, uint32_t *id)
{
	int status = cupti_gate("cuptiGetDeviceId", true);
	uint32_t context_id;

	if (status)
		return status;
	return cupti_driver()->context((void *)context, &context_id, id)
		       ? CUPTI_DONE
		       : cupti_answer(CUPTI_INVALID_CONTEXT);
}

int cuptiGetGraphNodeId(cuda_node node, uint64_t *id)
{
	int status = cupti_gate("cuptiGetGraphNodeId", true);

	if (status)
		return status;
	*id = cupti_driver()->node((void *)node);
	return *id ? CUPTI_DONE : cupti_answer(CUPTI_INVALID_PARAMETER);
}

int cuptiGetStreamIdEx(cuda_context context, cuda_stream stream, uint8_t per_thread, uint32_t *id)
{
	int status = cupti_gate("cuptiGetStreamIdEx", true);
	uint32_t context_id, device;

	if (status)
		return status;
	if (!cupti_driver()->context((void *)context, &context_id, &device))
		return cupti_answer(CUPTI_INVALID_CONTEXT);
	*id = cupti_driver()->stream((void *)context, (void *)stream, per_thread);
	return CUPTI_DONE;
}

int cuptiGetStreamId(cuda_context context, cuda_stream stream, uint32_t *id)
{
	return cuptiGetStreamIdEx(context, stream, 0, id);
}

int cuptiGetLastError(void)
{
	int error = last_error;

	last_error = CUPTI_DONE;
	return error;
}

int cuptiDeviceSupported(cuda_device device, int *supported)
{
	if (script.noinit || !cupti_driver() || device < 0 || device >= script.devices)
		return cupti_answer(CUPTI_INVALID_DEVICE);
	*supported = (!script.unsupported || *script.unsupported) &&
		     (release()->version < 130000 || script.cc >= 75);
	return cupti_gate("cuptiDeviceSupported", false);
}

int cuptiFinalize(void)
{
	int status = cupti_gate("cuptiFinalize", false);

	if (!status)
		__atomic_store_n(&dead, 1, __ATOMIC_RELAXED);
	return status;
}
