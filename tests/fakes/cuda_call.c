/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuda_driver.h"

/* The code around every call: the clock, CUPTI's hooks, and the initialization. */

enum { CALL_TIME = 10000, NESTED_BEFORE = 2000 };

static const struct hooks *attached;
static uint64_t virtual_clock;
static uint32_t correlations;
static int initialized; /* 2: cuInit has returned */
static pid_t process;
static char early[4096];
static __thread struct call *current;
static __thread int inside; /* a callback of CUPTI's client */
static __thread int inside_resource; /* and it is one of a resource */

__attribute__((constructor)) static void load(void)
{
	const char *library = getenv("CUDA_INJECTION64_PATH");

	if (library)
		strncpy(early, library, sizeof(early) - 1);
}

static uint64_t clock_real(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static bool is_virtual(void)
{
	script_start();
	return !strcmp(script.clock, "virtual");
}

uint64_t clock_now(void)
{
	uint64_t none = 0, base;

	if (!is_virtual())
		return clock_real();
	if (!__atomic_load_n(&virtual_clock, __ATOMIC_RELAXED)) {
		base = script.base ? (uint64_t)script.base : clock_real();
		__atomic_compare_exchange_n(&virtual_clock, &none, base, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
	}
	return __atomic_load_n(&virtual_clock, __ATOMIC_RELAXED);
}

void clock_advance(uint64_t nanoseconds)
{
	clock_now();
	if (is_virtual())
		__atomic_fetch_add(&virtual_clock, nanoseconds, __ATOMIC_RELAXED);
}

void clock_reach(uint64_t when)
{
	uint64_t now = clock_now();

	if (is_virtual()) {
		while (now < when &&
		       !__atomic_compare_exchange_n(&virtual_clock, &now, when, false,
						    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			;
		return;
	}
	for (; now < when; now = clock_now()) {
		uint64_t left = when - now;

		nanosleep(&(struct timespec){.tv_sec = (time_t)(left / 1000000000),
					     .tv_nsec = (long)(left % 1000000000)},
			  NULL);
	}
}

static void tell(struct call *call, uint32_t domain, uint32_t site)
{
	inside++;
	call->hooks->call(call, domain, site);
	inside--;
}

static void enter_runtime(struct call *call)
{
	const struct runtime_call *runtime = find_runtime(call->id);

	if (!script.runtime || !runtime)
		return;
	call->runtime_id = runtime->runtime;
	call->runtime_name = runtime->name;
	call->runtime_start = clock_now();
	if (call->hooks)
		tell(call, CUPTI_DOMAIN_RUNTIME, CUPTI_ENTER);
	clock_advance(NESTED_BEFORE);
}

static bool is_usable(const struct call *call)
{
	int state = __atomic_load_n(&initialized, __ATOMIC_ACQUIRE);

	script_start();
	if (call->id >= 372 && call->id <= 373)
		return true;
	if (state && process != getpid())
		return false;
	return call->id <= 2 || state == 2 || (state == 1 && !script.lateinit);
}

int call_enter(struct call *call)
{
	uint32_t device;

	if (!is_usable(call))
		return CUDA_NOT_INITIALIZED;
	if (inside_resource && script.strictresource)
		complain("%s in a callback of a resource", call->name);
	call->outer = current;
	current = call;
	if (inside)
		return 0;
	call->correlation = __atomic_add_fetch(&correlations, 1, __ATOMIC_RELAXED);
	call->context = context_current();
	if (!context_facts(call->context, &call->context_id, &device))
		call->context = NULL;
	call->hooks = __atomic_load_n(&attached, __ATOMIC_ACQUIRE);
	call->symbol = launch_symbol(call->id, call->parameters);
	enter_runtime(call);
	call->start = clock_now();
	if (call->hooks)
		tell(call, CUPTI_DOMAIN_DRIVER, CUPTI_ENTER);
	if (!call->query)
		clock_advance(CALL_TIME / 2 - (call->runtime_name ? NESTED_BEFORE : 0));
	return 0;
}

int call_exit(struct call *call, int result)
{
	call->result = result;
	current = call->outer;
	if (!call->correlation)
		return result;
	if (!call->query)
		clock_advance(CALL_TIME / 2 - (call->runtime_name ? NESTED_BEFORE : 0));
	call->end = clock_now();
	if (call->hooks)
		tell(call, CUPTI_DOMAIN_DRIVER, CUPTI_EXIT);
	if (!call->runtime_name)
		return result;
	clock_advance(NESTED_BEFORE);
	call->runtime_end = clock_now();
	if (call->hooks)
		tell(call, CUPTI_DOMAIN_RUNTIME, CUPTI_EXIT);
	return result;
}

struct call *call_current(void)
{
	return current && current->correlation ? current : NULL;
}

void call_resource(uint32_t callback, struct context *context, struct stream *stream,
		   void *descriptor)
{
	const struct hooks *hooks = __atomic_load_n(&attached, __ATOMIC_ACQUIRE);

	if (!hooks)
		return;
	inside++;
	inside_resource++;
	hooks->resource(callback, context, stream, descriptor);
	inside_resource--;
	inside--;
}

void call_command(const struct command *command)
{
	const struct hooks *hooks = __atomic_load_n(&attached, __ATOMIC_ACQUIRE);

	if (hooks)
		hooks->command(command);
}

void call_fact(const void *record, size_t size)
{
	const struct hooks *hooks = __atomic_load_n(&attached, __ATOMIC_ACQUIRE);

	if (hooks && call_current())
		hooks->fact(record, size, call_current()->context_id);
}

bool call_is_serial(void)
{
	const struct hooks *hooks = __atomic_load_n(&attached, __ATOMIC_ACQUIRE);

	return hooks && hooks->is_serial();
}

unsigned call_passes(struct context *context)
{
	const struct hooks *hooks = __atomic_load_n(&attached, __ATOMIC_ACQUIRE);

	return hooks ? hooks->passes(context) : 0;
}

void call_forget(const char *from, const char *to)
{
	const struct hooks *hooks = __atomic_load_n(&attached, __ATOMIC_ACQUIRE);

	if (hooks)
		hooks->forget(from, to);
}

void call_attach(const struct hooks *hooks)
{
	__atomic_store_n(&attached, hooks, __ATOMIC_RELEASE);
}

static void inject(void)
{
	const char *library = script.earlyenv ? early : getenv("CUDA_INJECTION64_PATH");
	void *handle = library && *library ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*start)(void);

	if (!handle)
		return;
	start = (int (*)(void))dlsym(handle, "InitializeInjection");
	inside++;
	if (start)
		start();
	inside--;
}

/* Other threads wait until the first call has initialized it. */
int call_initialize(void)
{
	static int first = 1;

	if (__atomic_exchange_n(&first, 0, __ATOMIC_ACQ_REL)) {
		process = getpid();
		__atomic_store_n(&initialized, 1, __ATOMIC_RELEASE);
		inject();
		__atomic_store_n(&initialized, 2, __ATOMIC_RELEASE);
		call_resource(5, NULL, NULL, NULL); /* CU_INIT_FINISHED */
	}
	while (!inside && __atomic_load_n(&initialized, __ATOMIC_ACQUIRE) < 2)
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	return script.devices ? CUDA_DONE : CUDA_NO_DEVICE;
}

bool call_initialized(void)
{
	return __atomic_load_n(&initialized, __ATOMIC_ACQUIRE) && script.devices;
}

static bool can_start(void)
{
	script_start();
	return script.devices &&
	       (!script.lateinit || __atomic_load_n(&initialized, __ATOMIC_ACQUIRE) == 2);
}

int fake_cuInit(unsigned flags)
{
	return flags ? CUDA_INVALID_VALUE : call_initialize();
}

/* The functions for the fake libcupti. */
extern ENTRY_POINT const struct driver fake_driver;
const struct driver fake_driver = {
	.attach = call_attach,
	.clock = clock_now,
	.context = context_facts,
	.stream = stream_id,
	.null_stream = context_null_stream,
	.node = graph_node_id,
	.shared = device_shared,
	.can_start = can_start,
};
