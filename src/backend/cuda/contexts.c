/* SPDX-License-Identifier: MIT */
#include "backend/cuda/contexts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/cuda/cuda.h"
#include "backend/cuda/device_attributes.h"
#include "backend/cuda/functions.h"
#include "base/handles.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/say.h"
#include "session/session.h"

enum {
	DEVICES = 256,
	NULL_STREAM = 1, /* its streamid */
	GONE_STREAMS = 1 << 16, /* destroyed streams that are kept, for records that CUPTI still
				 * holds */
};

struct known_device {
	bool known;
	uint32_t id;
	struct occupancy_device limits;
};

enum context_state { NOTED, ADDED, REFUSED };

struct known_context {
	struct cuda_context_entry entry;
	uint32_t number;  /* CUPTI's */
	uint32_t device;  /* CUPTI's */
	uint32_t streams; /* the highest streamid in use */
	_Atomic int state; /* enum context_state; the entry is valid if ADDED */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_device devices[DEVICES];
static struct known_context *room; /* array of CATALOG_CONTEXTS, mapped lazily */
static uint32_t made;
static atomic_uint added; /* contexts that are not NOTED any more: the first ones */
static atomic_bool no_queries;
static struct map contexts; /* by key_of */
static struct handles streams = {.keep = GONE_STREAMS}; /* by key_of: streamids */

/* The times at which the library queried the driver about devices, since CUPTI records these as
 * calls of the program. They are CUPTI's stamps: other clocks differ by some microseconds, as long
 * as a query. */
static struct question {
	uint32_t thread;
	uint64_t from;
	uint64_t to; /* UINT64_MAX: in progress */
} questions[DEVICES];
static unsigned question_count;

static uint32_t query_attribute(enum cuda_attribute attribute, cuda_device device)
{
	int value = 0;

	if (driver.cuDeviceGetAttribute(&value, (int)attribute, device) || value < 0)
		return 0;
	return (uint32_t)value;
}

/* A libcupti may not support devices that are newer or much older than it. */
static void look_whether_known(cuda_device handle, const struct device *device)
{
	static int said;
	int supported = 1;

	if (cupti.DeviceSupported && !cupti.DeviceSupported(handle, &supported) && !supported)
		say_once(&said, "this libcupti does not support device %u (compute capability "
				"%u.%u): set COMPUTEPROF_CUPTI to the libcupti of another release",
			 device->number, device->compute_major, device->compute_minor);
}

/* Reads the properties of the driver's device device->number; defaults stay if that fails. */
static void examine(struct device *device, struct occupancy_device *limits, char *name, int size)
{
	cuda_device handle;

	if (atomic_load(&no_queries))
		return;
	if (!driver.cuDeviceGet || !driver.cuDeviceGetName || !driver.cuDeviceGetAttribute ||
	    driver.cuDeviceGet(&handle, (int)device->number))
		return;
	if (!driver.cuDeviceGetName(name, size - 1, handle) && *name)
		device->name = name;
	device->multiprocessors = query_attribute(CUDA_MULTIPROCESSORS, handle);
	device->compute_major = query_attribute(CUDA_COMPUTE_MAJOR, handle);
	device->compute_minor = query_attribute(CUDA_COMPUTE_MINOR, handle);
	look_whether_known(handle, device);
	*limits = (struct occupancy_device){
		.compute = device->compute_major * 10 + device->compute_minor,
		.threads = query_attribute(CUDA_THREADS, handle),
		.blocks = query_attribute(CUDA_BLOCKS, handle),
		.registers = query_attribute(CUDA_REGISTERS, handle),
		.block_registers = query_attribute(CUDA_BLOCK_REGISTERS, handle),
		.shared = query_attribute(CUDA_SHARED, handle),
		.block_shared = query_attribute(CUDA_BLOCK_SHARED, handle),
		.reserved_shared = query_attribute(CUDA_RESERVED_SHARED, handle),
	};
	if (settings_need_calls(cuda_settings()))
		device_attributes_read(device->number, handle);
}

/* Returns this thread's id as in CUPTI's records: see cuda.c. */
static uint32_t this_thread(void)
{
	return cupti.SetThreadIdType ? (uint32_t)syscall(SYS_gettid)
				     : (uint32_t)(uintptr_t)pthread_self();
}

/* Called before the query: CUPTI may deliver a call while the next one is in progress. */
static struct question *begin_question(void)
{
	struct question *question;
	uint64_t now;

	if (cupti.GetTimestamp(&now))
		return NULL;
	pthread_mutex_lock(&lock);
	question = &questions[question_count++ % DEVICES];
	*question = (struct question){this_thread(), now, UINT64_MAX};
	pthread_mutex_unlock(&lock);
	return question;
}

/* The caller holds the lock. */
static void end_question(struct question *question)
{
	uint64_t now;

	if (question)
		question->to = cupti.GetTimestamp(&now) ? question->from : now;
}

bool contexts_is_own_query(uint32_t thread, uint64_t start, uint64_t end)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < question_count && i < DEVICES && !found; i++)
		found = questions[i].thread == thread && questions[i].from <= start &&
			end <= questions[i].to;
	pthread_mutex_unlock(&lock);
	return found;
}

/* The lock is not held during the query: another thread in the driver may wait for the lock in one
 * of our callbacks. */
static const struct known_device *device_of(uint32_t number)
{
	struct known_device *known = &devices[number % DEVICES];
	struct device device = {.api = API_CUDA, .number = number, .name = "unknown"};
	struct occupancy_device limits = {0};
	char name[256] = "";
	struct question *question;

	if (__atomic_load_n(&known->known, __ATOMIC_ACQUIRE))
		return known;
	question = begin_question();
	examine(&device, &limits, name, sizeof(name));
	pthread_mutex_lock(&lock);
	end_question(question);
	if (!known->known) {
		known->id = session_device(&device);
		known->limits = limits;
		device_attributes_known(number, known->id);
		__atomic_store_n(&known->known, true, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&lock);
	return known;
}

/* Never 0. */
static uint64_t key_of(uint32_t context, uint32_t stream)
{
	return ((uint64_t)context << 32 | stream) + 1;
}

/* Returns NULL without memory. The caller holds the lock. */
static struct known_context *note(uint32_t number, uint32_t device)
{
	struct known_context *context;

	if (!room)
		room = memory_map(CATALOG_CONTEXTS * sizeof(*room));
	if (!room || made == CATALOG_CONTEXTS)
		return NULL;
	context = &room[made];
	context->number = number;
	context->device = device;
	context->streams = NULL_STREAM;
	if (map_set(&contexts, key_of(number, 0), context))
		return NULL;
	made++;
	return context;
}

/* Returns NULL as contexts_get. */
static struct known_context *find_or_note(uint32_t number, uint32_t device)
{
	struct known_context *known = map_get(&contexts, key_of(number, 0));

	if (known)
		return known;
	pthread_mutex_lock(&lock);
	known = map_get(&contexts, key_of(number, 0));
	if (!known)
		known = note(number, device);
	pthread_mutex_unlock(&lock);
	return known;
}

void contexts_note(uint32_t context, uint32_t device)
{
	find_or_note(context, device);
}

/* The caller holds the lock. */
static void add(struct known_context *context, const struct known_device *device)
{
	context->entry = (struct cuda_context_entry){
		.device = device->id,
		.limits = device->limits,
		.id = UINT32_MAX,
	};
	if (device->id != UINT32_MAX)
		context->entry.id = session_context(&(struct context){
			.api = API_CUDA,
			.index = (uint32_t)(context - room),
			.device = device->id,
		});
	atomic_store(&context->state, context->entry.id == UINT32_MAX ? REFUSED : ADDED);
}

/* Returns false if there is none left. */
static bool add_next(void)
{
	struct known_context *next;
	const struct known_device *device;

	pthread_mutex_lock(&lock);
	next = added < made ? &room[added] : NULL;
	pthread_mutex_unlock(&lock);
	if (!next)
		return false;
	device = device_of(next->device);
	pthread_mutex_lock(&lock);
	if (next == &room[added]) { /* no other thread has added it meanwhile */
		add(next, device);
		added++;
	}
	pthread_mutex_unlock(&lock);
	return true;
}

void contexts_add_noted(void)
{
	while (add_next())
		;
}

void contexts_stop_queries(void)
{
	atomic_store(&no_queries, true);
}

static const struct cuda_context_entry *entry_of(const struct known_context *context)
{
	return context && atomic_load(&context->state) == ADDED ? &context->entry : NULL;
}

const struct cuda_context_entry *contexts_find(uint32_t context)
{
	return entry_of(map_get(&contexts, key_of(context, 0)));
}

const struct cuda_context_entry *contexts_get(uint32_t context, uint32_t device)
{
	const struct known_context *known = map_get(&contexts, key_of(context, 0));
	static int said;

	if (entry_of(known))
		return entry_of(known);
	known = find_or_note(context, device);
	contexts_add_noted();
	if (entry_of(known))
		return entry_of(known);
	if (made < CATALOG_CONTEXTS)
		say_no_memory();
	else
		say_once(&said, "the program has created more than %d contexts: commands in "
				"further contexts are not logged", CATALOG_CONTEXTS);
	return NULL;
}

/* Returns 0 without memory. */
static uint32_t put_stream(uint32_t context, uint32_t stream, uint32_t id)
{
	const uint32_t *put = handles_put(&streams, key_of(context, stream), &id, sizeof(id));

	return put ? id : 0;
}

static uint32_t known_stream(uint32_t context, uint32_t stream)
{
	const uint32_t *id = handles_find(&streams, key_of(context, stream));

	return id ? *id : 0;
}

void contexts_set_null_stream(uint32_t context, uint32_t stream)
{
	if (!put_stream(context, stream, NULL_STREAM)) /* it is numbered as other streams then */
		say_no_memory();
}

uint32_t contexts_stream(uint32_t context, uint32_t stream)
{
	uint32_t id = known_stream(context, stream);
	struct known_context *known;

	if (id)
		return id;
	pthread_mutex_lock(&lock);
	id = known_stream(context, stream);
	known = map_get(&contexts, key_of(context, 0));
	if (!id && known) {
		id = put_stream(context, stream, known->streams + 1);
		known->streams += id != 0;
	}
	pthread_mutex_unlock(&lock);
	if (!id && known)
		say_no_memory();
	return id;
}

void contexts_stream_made(uint32_t context, uint32_t stream)
{
	contexts_stream(context, stream);
	handles_revive(&streams, key_of(context, stream));
}

void contexts_stream_gone(uint32_t context, uint32_t stream)
{
	handles_retire(&streams, key_of(context, stream), NULL);
}
