/* SPDX-License-Identifier: MIT */
/*
 * Usage: cupti_facts LIBCUPTI
 * What a libcupti says where there is no driver, a line each:
 *	missing NAME		a function of cupti.def that it does not have
 *	exports NUMBER		of functions_version_by_exports; not if it is 0
 *	version NUMBER		of cuptiGetVersion
 *	clock NANOSECONDS	the difference between cuptiGetTimestamp and the time of day
 *	NAME RESULT		the result of a call, in the order of a profiler's calls
 *	string RESULT TEXT	of cuptiGetResultString
 *	call DOMAIN ID NAME KIND	of cuptiGetCallbackName, for all ids that have one; the
 *				kind is that of the back end (calls.h)
 *
 * Exit code: 0, or 77 if this is not CUPTI.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backend/cuda/calls.h"
#include "backend/cuda/functions.h"

enum { NO_CUPTI = 77 };

static void open_cupti(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(NO_CUPTI);
	}
	functions_of_cupti(library);
#define NEED(name, parameters)                                                                     \
	if (!cupti.name)                                                                           \
		printf("missing %s\n", #name);
#define MAY(name, parameters) NEED(name, parameters)
#include "backend/cuda/cupti.def"
#undef NEED
#undef MAY
	if (!cupti.GetVersion)
		exit(NO_CUPTI);
	if (functions_version_by_exports(library))
		printf("exports %u\n", functions_version_by_exports(library));
}

static void print_clock(void)
{
	struct timespec now;
	uint64_t stamp = 0, here;

	cupti.GetTimestamp(&stamp); /* the first call takes longer */
	clock_gettime(CLOCK_REALTIME, &now);
	cupti.GetTimestamp(&stamp);
	here = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	printf("clock %" PRId64 "\n", (int64_t)(stamp - here));
}

static void called(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	(void)user, (void)domain, (void)callback, (void)data;
}

static void requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = NULL;
	*size = *max_records = 0;
}

static void completed(cuda_context context, uint32_t stream, uint8_t *buffer, size_t size,
		      size_t valid)
{
	(void)context, (void)stream, (void)buffer, (void)size, (void)valid;
}

#define CALL(name, ...)                                                                            \
	do {                                                                                       \
		if (cupti.name)                                                                    \
			printf("%s %d\n", #name, cupti.name(__VA_ARGS__));                         \
	} while (0)

static void print_results(void)
{
	cupti_subscriber subscriber = NULL;
	struct cupti_record *record = NULL;
	size_t dropped = 0;
	int supported = 0;

	CALL(Subscribe, &subscriber, called, NULL);
	CALL(EnableCallback, 1, subscriber, CUPTI_DOMAIN_DRIVER, CUPTI_DRIVER_PROFILER_START);
	CALL(ActivityRegisterCallbacks, requested, completed);
	CALL(SetThreadIdType, 1);
	CALL(ActivityEnable, CUPTI_KIND_CONCURRENT_KERNEL);
	CALL(ActivityEnable, CUPTI_KIND_MEMCPY);
	CALL(ActivityEnableRuntimeApi, 211, 1);
	CALL(ActivityEnableDriverApi, 307, 1);
	CALL(ActivityFlushPeriod, 1000);
	CALL(ActivityFlushAll, 0);
	CALL(ActivityFlushAll, CUPTI_FLUSH_FORCED);
	CALL(ActivityGetNumDroppedRecords, NULL, 0, &dropped);
	CALL(ActivityGetNextRecord, NULL, 0, &record);
	CALL(DeviceSupported, 0, &supported);
	CALL(ActivityDisable, CUPTI_KIND_MEMCPY);
	CALL(Unsubscribe, subscriber);
}

static void print_strings(void)
{
	static const int codes[] = {
		CUPTI_DONE,
		CUPTI_INVALID_DEVICE,
		CUPTI_NOT_INITIALIZED,
		CUPTI_INSUFFICIENT_PRIVILEGES,
		CUPTI_LEGACY_PROFILER_NOT_SUPPORTED,
		CUPTI_MULTIPLE_SUBSCRIBERS,
		CUPTI_UNKNOWN,
	};

	for (size_t i = 0; cupti.GetResultString && i < sizeof(codes) / sizeof(codes[0]); i++) {
		const char *text = NULL;

		if (cupti.GetResultString(codes[i], &text) == CUPTI_DONE && text)
			printf("string %d %s\n", codes[i], text);
	}
}

static void print_calls(uint32_t domain)
{
	static const char *const kinds[CALL_KINDS] = {
		[CALL_OTHER] = "other",	    [CALL_LAUNCH] = "launch",
		[CALL_LAUNCH_COOPERATIVE] = "cooperative",
		[CALL_LAUNCH_EX] = "extended",
		[CALL_GRAPH] = "graph",	    [CALL_COPY] = "copy",
		[CALL_LAUNCHES] = "launches",
		[CALL_CAPTURE] = "capture", [CALL_CAPTURE_END] = "captured",
		[CALL_FLUSH] = "flush",
		[CALL_UNLOAD] = "unload",
	};

	for (uint32_t id = 1; id < CALL_LIMIT; id++) {
		const char *name = NULL;

		if (cupti.GetCallbackName(domain, id, &name) == CUPTI_DONE && name)
			printf("call %u %u %s %s\n", domain, id, name,
			       kinds[calls_kind(domain, id)]);
	}
}

int main(int argc, char **argv)
{
	uint32_t version = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: %s LIBCUPTI\n", argv[0]);
		return EXIT_FAILURE;
	}
	setvbuf(stdout, NULL, _IOLBF, 0); /* so that the failing call is visible after a crash */
	open_cupti(argv[1]);
	cupti.GetVersion(&version);
	printf("version %u\n", version);
	print_clock();
	print_results();
	print_strings();
	calls_find();
	print_calls(CUPTI_DOMAIN_DRIVER);
	print_calls(CUPTI_DOMAIN_RUNTIME);
	return EXIT_SUCCESS;
}
