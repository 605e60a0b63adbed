/* SPDX-License-Identifier: MIT */
/*
 * kineto subscribe|register|lookup: a program whose own profiler is a second client of CUPTI. It
 * makes the calls of kineto, the profiler in PyTorch, in their order, around launches:
 *	subscribe	until pull request 1250 of pytorch/kineto: cuptiSubscribe first, and no
 *			other call if that fails (libkineto/src/CuptiCallbackApi.cpp,
 *			initCallbackApi, and init.cpp)
 *	register	since then: nothing is subscribed (libkineto/src/CuptiActivityApi.cpp,
 *			enableCuptiActivities, disableCuptiActivities and activityBuffers)
 *	lookup		the same, with the functions of the libcupti in COMPUTEPROF_CUPTI by dlsym
 * The program is linked with libcupti, as PyTorch's libraries are.
 * Prints the results of the calls, the numbers of launches and of kernels in its buffers, and
 * the number of buffers that were returned to it and are not its own.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "kernels.h"

enum {
	BUFFER = 4 << 20, /* kBufSize */
	BUFFERS = 32,
	BEFORE = 55, /* launches before the profiler starts, while it runs, and after it */
	DURING = 60,
	AFTER = 40,
	KIND_OVERHEAD = 17,
	KIND_EXTERNAL_CORRELATION = 39,
	EXTERNAL_CUSTOM0 = 3,
	PER_THREAD_BUFFER = 9, /* CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER */
};

/* In the order of enableCuptiActivities: a std::set of ActivityType. */
static const uint32_t kinds[] = {
	CUPTI_KIND_MEMCPY,  CUPTI_KIND_MEMSET, CUPTI_KIND_CONCURRENT_KERNEL,
	CUPTI_KIND_RUNTIME, CUPTI_KIND_DRIVER, KIND_EXTERNAL_CORRELATION,
	KIND_OVERHEAD,
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static struct {
	int (*GetVersion)(uint32_t *version);
	int (*Subscribe)(cupti_subscriber *to, cupti_callback_function *function, void *user);
	int (*ActivityRegisterCallbacks)(cupti_buffer_requested *, cupti_buffer_completed *);
	int (*ActivityEnable)(uint32_t kind);
	int (*ActivityDisable)(uint32_t kind);
	int (*ActivityFlushAll)(uint32_t flag);
	int (*ActivityGetNextRecord)(uint8_t *buffer, size_t valid, struct cupti_record **record);
	int (*ActivitySetAttribute)(int attribute, size_t *size, void *value);
	int (*ActivityPushExternalCorrelationId)(int kind, uint64_t id);
	int (*ActivityPopExternalCorrelationId)(int kind, uint64_t *last);
} cupti;

static struct cuda_function *kernel;
static uint8_t *buffers[BUFFERS]; /* that CUPTI has */
static size_t told, buffers_out, unknown;

#define DO(name, ...) done(cu.name(__VA_ARGS__), "cu" #name)

static void done(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "kineto: %s: error %d\n", what, result);
	exit(1);
}

/* Kineto warns of errors and goes on. */
static void warn(const char *what, int result)
{
	printf("%s: %d\n", what, result);
}

static void find_cupti(bool by_path)
{
	static const struct {
		const char *name;
		size_t offset;
	} functions[] = {
#define FUNCTION(name) {"cupti" #name, offsetof(__typeof__(cupti), name)}
		FUNCTION(GetVersion),
		FUNCTION(Subscribe),
		FUNCTION(ActivityRegisterCallbacks),
		FUNCTION(ActivityEnable),
		FUNCTION(ActivityDisable),
		FUNCTION(ActivityFlushAll),
		FUNCTION(ActivityGetNextRecord),
		FUNCTION(ActivitySetAttribute),
		FUNCTION(ActivityPushExternalCorrelationId),
		FUNCTION(ActivityPopExternalCorrelationId),
#undef FUNCTION
	};
	const char *path = getenv("COMPUTEPROF_CUPTI");
	void *library = RTLD_DEFAULT;

	if (by_path)
		library = path ? dlopen(path, RTLD_NOW) : NULL;
	if (by_path && !library)
		done(1, path ? dlerror() : "COMPUTEPROF_CUPTI is not set");
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *address = dlsym(library, functions[i].name);

		if (!address)
			done(1, functions[i].name);
		*(void **)((char *)&cupti + functions[i].offset) = address;
	}
}

static void callback(void *user, uint32_t domain, uint32_t id, const void *data)
{
	(void)user;
	(void)domain;
	(void)id;
	(void)data;
}

static void requested(uint8_t **buffer, size_t *size, size_t *most)
{
	*buffer = NULL;
	*size = *most = 0;
	if (buffers_out == BUFFERS)
		return;
	*buffer = buffers[buffers_out++] = aligned_alloc(CUPTI_BUFFER_ALIGNMENT, BUFFER);
	*size = BUFFER;
}

/* bufferCompleted() reports a buffer that it does not know, and leaves it alone. */
static bool is_own(const uint8_t *buffer)
{
	for (size_t i = 0; i < buffers_out; i++) {
		if (buffers[i] != buffer)
			continue;
		buffers[i] = buffers[--buffers_out];
		return true;
	}
	unknown++;
	return false;
}

static void completed(cuda_context context, uint32_t stream, uint8_t *buffer, size_t size,
		      size_t valid)
{
	struct cupti_record *record = NULL;

	(void)context;
	(void)stream;
	(void)size;
	if (!is_own(buffer))
		return;
	while (valid && cupti.ActivityGetNextRecord(buffer, valid, &record) == CUPTI_DONE)
		told += record->kind == CUPTI_KIND_CONCURRENT_KERNEL;
	free(buffer);
}

static void launch(int count, unsigned width, bool profiled)
{
	for (int i = 0; i < count; i++) {
		if (profiled)
			cupti.ActivityPushExternalCorrelationId(EXTERNAL_CUSTOM0, (uint64_t)i + 1);
		DO(LaunchKernel, kernel, width, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL);
		if (profiled)
			cupti.ActivityPopExternalCorrelationId(EXTERNAL_CUSTOM0, NULL);
	}
	DO(CtxSynchronize);
}

static void start_profiler(void)
{
	int worst = CUPTI_DONE;
	uint32_t version;

	warn("version", cupti.GetVersion(&version));
	warn("register", cupti.ActivityRegisterCallbacks(requested, completed));
	for (int i = 0; i < KINDS; i++) {
		int result = cupti.ActivityEnable(kinds[i]);

		worst = result ? result : worst;
	}
	warn("enable", worst);
}

static void stop_profiler(void)
{
	size_t size = 1;
	uint8_t off = 0;
	int worst = CUPTI_DONE;

	for (int i = 0; i < KINDS; i++) {
		int result = cupti.ActivityDisable(kinds[i]);

		worst = result ? result : worst;
	}
	warn("disable", worst);
	/* activityBuffers() does nothing if none of its buffers is out. */
	if (!buffers_out)
		return;
	warn("flush", cupti.ActivityFlushAll(CUPTI_FLUSH_FORCED));
	cupti.ActivitySetAttribute(PER_THREAD_BUFFER, &size, &off);
}

int main(int count, char **arguments)
{
	struct cuda_module *module;
	cupti_subscriber subscriber = NULL;
	cuda_context context;
	const char *missing = driver_open();
	bool profile = true;

	if (missing || count != 2)
		done(1, missing ? missing : "usage: kineto subscribe|register|lookup");
	find_cupti(!strcmp(arguments[1], "lookup"));
	DO(Init, 0);
	DO(DevicePrimaryCtxRetain, &context, 0);
	DO(CtxSetCurrent, context);
	DO(ModuleLoadData, &module, kernels_ptx);
	DO(ModuleGetFunction, &kernel, module, "empty");
	if (!strcmp(arguments[1], "subscribe")) {
		int result = cupti.Subscribe(&subscriber, callback, NULL);

		warn("subscribe", result);
		profile = result == CUPTI_DONE;
	}
	launch(BEFORE, 1, false);
	if (profile)
		start_profiler();
	launch(DURING, 2, profile);
	if (profile)
		stop_profiler();
	launch(AFTER, 3, false);
	printf("launches: %d\nkernels: %zu\nunknown buffers: %zu\n", BEFORE + DURING + AFTER, told,
	       unknown);
	return 0;
}
