/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/cuda/cupti_events.h"
#include "cupti_event.h"
#include "cupti_fake.h"
#include "cupti_ranges.h"

/* The driver's reports, as callbacks and as records. */

enum { CONTEXTS = 64 };

static uint64_t kinds[CONTEXTS]; /* by context; 0: all of them */
static uint8_t calls[2][CALLBACKS];
static uint32_t thread_id_type;

static uint64_t bit_of(uint32_t kind)
{
	return UINT64_C(1) << kind % KINDS;
}

bool cupti_kind_is_on(uint32_t kind, uint32_t context)
{
	uint64_t on = __atomic_load_n(&kinds[0], __ATOMIC_RELAXED);

	if (context < CONTEXTS)
		on |= __atomic_load_n(&kinds[context], __ATOMIC_RELAXED);
	return on & bit_of(kind);
}

static unsigned sessions;

unsigned cupti_sessions(void)
{
	return __atomic_load_n(&sessions, __ATOMIC_RELAXED);
}

void cupti_kind_set(uint32_t kind, uint32_t context, bool on)
{
	uint32_t domain = kind == CUPTI_KIND_DRIVER ? CUPTI_DOMAIN_DRIVER : CUPTI_DOMAIN_RUNTIME;

	if (context >= CONTEXTS)
		return;
	if (on && (kind == CUPTI_KIND_KERNEL || kind == CUPTI_KIND_CONCURRENT_KERNEL))
		__atomic_fetch_add(&sessions, 1, __ATOMIC_RELAXED);
	if (on)
		__atomic_fetch_or(&kinds[context], bit_of(kind), __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(&kinds[context], ~bit_of(kind), __ATOMIC_RELAXED);
	if (kind != CUPTI_KIND_DRIVER && kind != CUPTI_KIND_RUNTIME)
		return;
	/* The kind overrides earlier settings of single calls. */
	for (uint32_t id = 0; id < CALLBACKS; id++)
		cupti_api_set(domain, id, on);
}

void cupti_api_set(uint32_t domain, uint32_t id, bool on)
{
	if (id < CALLBACKS)
		__atomic_store_n(&calls[domain == CUPTI_DOMAIN_RUNTIME][id], on, __ATOMIC_RELAXED);
}

void cupti_thread_ids(uint32_t type)
{
	__atomic_store_n(&thread_id_type, type, __ATOMIC_RELAXED);
}

static uint32_t thread_id(void)
{
	if (__atomic_load_n(&thread_id_type, __ATOMIC_RELAXED))
		return (uint32_t)syscall(SYS_gettid);
	return (uint32_t)(uintptr_t)pthread_self();
}

static bool is_recorded(uint32_t domain, uint32_t id)
{
	return id < CALLBACKS &&
	       __atomic_load_n(&calls[domain == CUPTI_DOMAIN_RUNTIME][id], __ATOMIC_RELAXED);
}

/* CUPTI has callbacks, but no records of the driver's calls inside a call of the runtime. */
static bool is_hidden(const struct call *call, uint32_t domain)
{
	return domain == CUPTI_DOMAIN_DRIVER && call->runtime_name && !script.nested;
}

static void record_call(const struct call *call, uint32_t domain)
{
	bool is_runtime = domain == CUPTI_DOMAIN_RUNTIME;
	struct cupti_api record = {
		.kind = is_runtime ? CUPTI_KIND_RUNTIME : CUPTI_KIND_DRIVER,
		.callback = is_runtime ? call->runtime_id : call->id,
		.start = is_runtime ? call->runtime_start : call->start,
		.end = is_runtime ? call->runtime_end : call->end,
		.process = (uint32_t)getpid(),
		.thread = thread_id(),
		.correlation = call->correlation,
		.result = (uint32_t)call->result,
	};
	BUFFERS_LOCKED();

	pending_collect(false);
	if (is_recorded(domain, record.callback) && !is_hidden(call, domain))
		buffer_write(BUFFER_API, (const uint8_t *)&record, sizeof(record));
}

/* Fails after that many calls. */
static void break_down(void)
{
	static int64_t count;

	if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) == script.fatal)
		cupti_die();
}

static void hear_call(struct call *call, uint32_t domain, uint32_t site)
{
	bool is_runtime = domain == CUPTI_DOMAIN_RUNTIME;
	struct cupti_call data = {
		.site = site,
		.function = is_runtime ? call->runtime_name : call->name,
		.parameters = call->parameters,
		.result = &call->result,
		.symbol = call->symbol,
		.context = (cuda_context)(void *)call->context,
		.context_id = call->context_id,
		.correlation_data = &call->data[is_runtime],
		.correlation = call->correlation,
	};

	if (cupti_is_dead())
		return;
	ranges_entering = !is_runtime && site == CUPTI_ENTER && strstr(call->name, "Launch");
	cupti_call_back(domain, is_runtime ? call->runtime_id : call->id, &data);
	ranges_entering = false;
	if (site == CUPTI_ENTER)
		return;
	record_call(call, domain);
	if (script.fatal && !is_runtime)
		break_down();
}

static void hear_command(const struct command *command)
{
	if (cupti_is_dead())
		return;
	event_hear(command);
	if (command->passes)
		ranges_add(command);
	buffers_lock();
	pending_add(command);
	buffers_unlock(NULL);
}

static uint32_t counter_of(const void *fact)
{
	const struct cupti_managed *record = fact;

	return record->counter;
}

static void hear_fact(const void *fact, size_t size, uint32_t context)
{
	uint8_t record[RECORD_SIZE] = {0};
	uint32_t kind;

	memcpy(&kind, fact, sizeof(kind));
	memcpy(record, fact, size);
	if (cupti_is_dead() || !cupti_kind_is_on(kind, context) ||
	    (kind == CUPTI_KIND_MANAGED && !cupti_managed_is_on(counter_of(fact))))
		return;
	buffers_lock();
	buffer_write(BUFFER_API, record, record_size(kind));
	buffers_unlock(NULL);
}

static void record_context(struct context *context)
{
	uint8_t record[RECORD_SIZE];
	uint32_t id, device;

	if (!cupti_driver()->context(context, &id, &device))
		return;
	buffers_lock();
	if (cupti_kind_is_on(CUPTI_KIND_CONTEXT, 0))
		buffer_write(BUFFER_CONTEXT, record, record_of_context(id, device, record));
	if (script.replay)
		replay_file();
	buffers_unlock(NULL);
}

static void hear_resource(uint32_t callback, struct context *context, struct stream *stream,
			  void *descriptor)
{
	struct cupti_resource data = {(cuda_context)(void *)context, (cuda_stream)(void *)stream,
				      descriptor};

	if (cupti_is_dead())
		return;
	if (callback == CUPTI_RESOURCE_CONTEXT_CREATED)
		record_context(context);
	cupti_call_back(CUPTI_DOMAIN_RESOURCE, callback, &data);
	if (callback != CUPTI_RESOURCE_CONTEXT_DESTROY_STARTING)
		return;
	ranges_context_ends(context);
	event_hear_end(context);
}

static bool is_serial(void)
{
	return event_is_serial() || (cupti_kind_is_on(CUPTI_KIND_KERNEL, 0) &&
				     !cupti_kind_is_on(CUPTI_KIND_CONCURRENT_KERNEL, 0));
}

static unsigned count_passes(struct context *context)
{
	unsigned passes = ranges_passes(context);

	return passes ? passes : event_passes(context);
}

static void hear_forget(const char *from, const char *to)
{
	BUFFERS_LOCKED();

	pending_forget(from, to);
	buffers_forget(from, to);
}

const struct hooks cupti_hooks = {
	.call = hear_call,
	.command = hear_command,
	.resource = hear_resource,
	.is_serial = is_serial,
	.passes = count_passes,
	.fact = hear_fact,
	.forget = hear_forget,
};
