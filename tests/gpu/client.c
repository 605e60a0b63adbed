/* SPDX-License-Identifier: MIT */
#include "client.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "cuptilib.h"
#include "work.h"

enum { PAIRS = 2, BUFFERS = 4096 };

struct client client;
struct client_seen client_seen[PAIRS];
static size_t buffer_bytes;
static struct {
	uint8_t *bytes;
	int pair;
} given[BUFFERS];
static size_t given_count;

/* clang-format off */
static const struct {
	const char *name;
	size_t offset;
	bool needed;
} functions[] = {
#define NEED(name) {"cupti" #name, offsetof(struct client, name), true}
#define MAY(name, member) {"cupti" #name, offsetof(struct client, member), false}
	NEED(GetVersion), NEED(Subscribe), NEED(EnableCallback), NEED(ActivityRegisterCallbacks),
	NEED(ActivityEnable), NEED(ActivityDisable), NEED(ActivityFlushAll),
	NEED(ActivityGetNextRecord), MAY(GetStreamIdEx, GetStreamIdEx),
#define FUNCTION(name, parameters) MAY(name, ranges.name),
#include "backend/cuda/counters/ranges.def"
#undef FUNCTION
	MAY(ProfilerHostInitialize, host.Initialize),
	MAY(ProfilerHostConfigAddMetrics, host.ConfigAddMetrics),
	MAY(ProfilerHostGetConfigImageSize, host.GetConfigImageSize),
	MAY(ProfilerHostGetConfigImage, host.GetConfigImage),
#undef NEED
#undef MAY
};
/* clang-format on */

void client_open(void)
{
	struct cuptilib library;

	if (cuptilib_open(&library))
		work_skip("no libcupti");
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *address = dlsym(library.handle, functions[i].name);

		if (!address && functions[i].needed)
			work_skip(functions[i].name);
		*(void **)((char *)&client + functions[i].offset) = address;
	}
}

/* CUPTI's threads may call these at the same time. */
static int lock;

static void enter(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
}

static void leave(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static void give(int pair, uint8_t **buffer, size_t *size, size_t *most)
{
	uint8_t *bytes = aligned_alloc(CUPTI_BUFFER_ALIGNMENT, buffer_bytes);

	*most = 0;
	*size = buffer_bytes;
	*buffer = bytes;
	enter();
	if (given_count < BUFFERS) {
		given[given_count].bytes = bytes;
		given[given_count++].pair = pair;
	}
	leave();
}

/* Returns the pair that gave it; -1: none. */
static int take_back(const uint8_t *buffer)
{
	int pair = -1;

	for (size_t i = 0; i < given_count && pair < 0; i++) {
		if (given[i].bytes != buffer)
			continue;
		pair = given[i].pair;
		given[i] = given[--given_count];
	}
	return pair;
}

static void look(int pair, uint8_t *buffer, size_t valid)
{
	struct client_seen *seen = &client_seen[pair];
	struct cupti_record *record = NULL;
	int giver;

	enter();
	giver = take_back(buffer);
	seen->buffers++;
	seen->foreign += giver != pair;
	while (giver >= 0 && valid &&
	       client.ActivityGetNextRecord(buffer, valid, &record) == CUPTI_DONE) {
		const struct cupti_kernel *kernel = (const void *)record;

		if (record->kind != CUPTI_KIND_CONCURRENT_KERNEL)
			continue;
		if (seen->kernels < CLIENT_STREAMS)
			seen->streams[seen->kernels] = kernel->stream;
		seen->kernels++;
	}
	leave();
	if (giver >= 0)
		free(buffer);
}

static void requested(uint8_t **buffer, size_t *size, size_t *most)
{
	give(0, buffer, size, most);
}

static void completed(cuda_context context, uint32_t stream, uint8_t *buffer, size_t size,
		      size_t valid)
{
	(void)context;
	(void)stream;
	(void)size;
	look(0, buffer, valid);
}

static void requested_second(uint8_t **buffer, size_t *size, size_t *most)
{
	give(1, buffer, size, most);
}

static void completed_second(cuda_context context, uint32_t stream, uint8_t *buffer, size_t size,
			     size_t valid)
{
	(void)context;
	(void)stream;
	(void)size;
	look(1, buffer, valid);
}

void client_buffer_size(size_t bytes)
{
	buffer_bytes = bytes;
}

int client_register(size_t bytes)
{
	client_buffer_size(bytes);
	return client.ActivityRegisterCallbacks(requested, completed);
}

int client_register_second(void)
{
	return client.ActivityRegisterCallbacks(requested_second, completed_second);
}
