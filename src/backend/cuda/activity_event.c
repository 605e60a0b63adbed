/* SPDX-License-Identifier: MIT */
#include "backend/cuda/activity_event.h"

#include <string.h>

#include "backend/cuda/api_event.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/launch_stacks.h"
#include "base/clock.h"
#include "model/event.h"
#include "session/session.h"

enum { MOST = 1 << 10 /* events that wait for their calls */ };

#define CALL_WAITS UINT64_C(2500000000) /* ns; more than a call of the driver is held */
#define NOWHERE	   UINT32_MAX		/* as CUPTI and events have it */

static struct waiting {
	union event event;
	uint32_t correlation;
	uint64_t since; /* CLOCK_MONOTONIC ns */
} waiting[MOST];
static uint32_t waiting_count;

/* A wait keeps its own time, which is shorter than its call. */
static void set_call(union event *event, const struct called *call)
{
	event->timed.frame.thread = call->thread;
	if (event->timed.frame.kind == FRAME_WAIT)
		return;
	event->timed.enter = call->enter;
	event->timed.leave = call->leave;
}

static void add(const union event *event, uint32_t correlation)
{
	union event now = *event;

	now.timed.frame.stack = launch_stacks_of(correlation);
	if (!correlation || waiting_count == MOST)
		session_take_event(&now.timed.frame);
	else
		waiting[waiting_count++] = (struct waiting){now, correlation, clock_monotonic()};
}

uint64_t activity_event_deliver(bool all)
{
	uint64_t now = clock_monotonic(), count = 0;
	uint32_t left = 0;

	for (uint32_t i = 0; i < waiting_count; i++) {
		struct waiting *this = &waiting[i];
		struct called call;
		bool known = api_event_find(this->correlation, &call);

		if (!known && !all && now - this->since < CALL_WAITS) {
			waiting[left++] = *this;
			continue;
		}
		if (known)
			set_call(&this->event, &call);
		session_take_event(&this->event.timed.frame);
		count++;
	}
	waiting_count = left;
	return count;
}

uint64_t activity_event_oldest(void)
{
	uint64_t oldest = UINT64_MAX;

	for (uint32_t i = 0; i < waiting_count; i++)
		if (waiting[i].event.timed.enter < oldest)
			oldest = waiting[i].event.timed.enter;
	return oldest;
}

/* Sets the ids of the context and its device in the catalog, or NOWHERE. */
static const struct cuda_context_entry *place(uint32_t context, uint32_t *device, uint32_t *id)
{
	const struct cuda_context_entry *entry = contexts_find(context);

	*device = entry ? entry->device : NOWHERE;
	*id = entry ? entry->id : NOWHERE;
	return entry;
}

static uint32_t stream_of(const struct cuda_context_entry *entry, uint32_t context, uint32_t stream)
{
	uint32_t ordinal = entry && stream != NOWHERE ? contexts_stream(context, stream) : 0;

	return ordinal ? ordinal : NOWHERE;
}

static void add_wait(const struct cupti_synchronization *record)
{
	union event event = {.wait = {
		.frame.kind = FRAME_WAIT,
		.enter = cupti_clock_monotonic(record->start),
		.leave = cupti_clock_monotonic(record->end),
		.event = record->event == NOWHERE ? 0 : record->event,
		.api = API_CUDA,
		.kind = (uint16_t)record->type, /* the numbers are CUPTI's */
	}};
	const struct cuda_context_entry *entry;

	/* Skips waits without a time or of an unknown type. */
	if (!record->start || record->end < record->start || record->type < CUPTI_WAIT_EVENT ||
	    record->type > CUPTI_WAIT_CONTEXT)
		return;
	entry = place(record->context, &event.wait.device, &event.wait.context);
	event.wait.stream = stream_of(entry, record->context, record->stream);
	add(&event, record->correlation);
}

static void add_queue(const struct cupti_stream *record)
{
	uint64_t now = clock_monotonic();
	union event event = {.queue = {
		.frame = {.kind = FRAME_QUEUE, .flags = QUEUE_PRIORITY},
		.enter = now,
		.leave = now,
		.properties = record->flag,
		.api = API_CUDA,
		.priority = (int16_t)record->priority,
	}};
	const struct cuda_context_entry *entry;

	if (record->flag == CUPTI_STREAM_NON_BLOCKING)
		event.queue.frame.flags |= QUEUE_UNORDERED;
	entry = place(record->context, &event.queue.device, &event.queue.context);
	event.queue.stream = stream_of(entry, record->context, record->stream);
	add(&event, record->correlation);
}

static void add_recorded(const struct cupti_recorded *record)
{
	uint64_t now = clock_monotonic();
	union event event = {.recorded = {
				     .frame.kind = FRAME_RECORDED,
				     .enter = now,
				     .leave = now,
				     .event = record->event,
				     .api = API_CUDA,
			     }};
	const struct cuda_context_entry *entry;

	entry = place(record->context, &event.recorded.device, &event.recorded.context);
	event.recorded.stream = stream_of(entry, record->context, record->stream);
	add(&event, record->correlation);
}

/* Returns true if the end is not valid: CUPTI's documentation says so of these kinds. */
static bool is_moment(const struct cupti_managed *record)
{
	return record->counter == CUPTI_MANAGED_HOST_FAULT ||
	       record->counter == CUPTI_MANAGED_THRASHING ||
	       record->counter == CUPTI_MANAGED_REMOTE_MAP || record->end < record->start;
}

static void add_managed(const struct cupti_managed *record)
{
	uint64_t enter = record->start ? cupti_clock_monotonic(record->start) : clock_monotonic();
	bool moment = !record->start || is_moment(record);
	union event event = {
		.managed = {
			.frame = {.kind = FRAME_MANAGED, .flags = moment ? MANAGED_MOMENT : 0},
			.enter = enter,
			.leave = moment ? enter : cupti_clock_monotonic(record->end),
			.value = record->value,
			.address = record->address,
			.api = API_CUDA,
			.kind = record->counter <= UINT8_MAX ? (uint8_t)record->counter
							     : 0, /* as CUPTI */
			.cause = record->flags <= UINT8_MAX ? (uint8_t)record->flags : 0,
			.source = record->source,
			.target = record->target,
			.stream = record->stream,
		}};

	add(&event, 0);
}

static uint16_t memory_of(uint32_t memory)
{
	static const uint8_t kinds[] = {
		[CUPTI_MEMORY_PAGEABLE] = MEMORY_KIND_PAGEABLE,
		[CUPTI_MEMORY_PINNED] = MEMORY_KIND_PINNED,
		[CUPTI_MEMORY_DEVICE] = MEMORY_KIND_DEVICE,
		[CUPTI_MEMORY_ARRAY] = MEMORY_KIND_ARRAY,
		[CUPTI_MEMORY_MANAGED] = MEMORY_KIND_MANAGED,
		[CUPTI_MEMORY_DEVICE_STATIC] = MEMORY_KIND_STATIC,
		[CUPTI_MEMORY_MANAGED_STATIC] = MEMORY_KIND_STATIC,
	};

	return memory < sizeof(kinds) ? kinds[memory] : MEMORY_KIND_UNKNOWN;
}

/* `stamp`: CUPTI's time of the event. */
static union event allocation(uint64_t stamp, bool freed, uint32_t context, const char *name)
{
	uint64_t moment = stamp ? cupti_clock_monotonic(stamp) : clock_monotonic();
	union event event = {.allocation = {
		.frame = {.kind = FRAME_ALLOCATION, .flags = freed ? ALLOCATION_FREED : 0},
		.enter = moment,
		.leave = moment,
		.api = API_CUDA,
		.name = (uint32_t)(uintptr_t)name,
	}};

	place(context, &event.allocation.device, &event.allocation.context);
	return event;
}

/*
 * CUPTI writes the record of an allocation or release once for each context of the device. In a
 * trace of two contexts, the context of the call came last. So a further record only sets the
 * context of an event that still waits for its call. The last records are kept by address and
 * call, WAYS of each hash. Records of one allocation follow each other, unless CUPTI has put them
 * into different buffers.
 */
enum { SETS = 1 << 9, WAYS = 8 };

static struct seen_operation {
	uint64_t address;
	uint32_t correlation;
	uint32_t operation;
} seen[SETS][WAYS];
static uint8_t oldest[SETS];

/* Notes the operation. Returns true if the call's last one on this address was the same. */
static bool is_seen(const struct cupti_operation *record)
{
	uint64_t hash = (record->address ^ record->correlation) * 0x9e3779b97f4a7c15u;
	uint32_t set = (hash >> 32) % SETS;
	struct seen_operation *last = seen[set];
	uint32_t before;

	for (int way = 0; way < WAYS; way++, last++)
		if (last->address == record->address && last->correlation == record->correlation)
			break;
	if (last == seen[set] + WAYS) {
		last = &seen[set][oldest[set]];
		oldest[set] = (oldest[set] + 1) % WAYS;
		last->operation = 0;
	}
	before = last->operation;
	*last = (struct seen_operation){record->address, record->correlation, record->operation};
	return before == record->operation && record->correlation;
}

static void set_context(const struct cupti_operation *record, const union event *event)
{
	for (uint32_t i = waiting_count; i-- > 0;) {
		struct allocation *this = &waiting[i].event.allocation;

		if (waiting[i].correlation != record->correlation ||
		    this->frame.kind != FRAME_ALLOCATION || this->address != record->address ||
		    this->frame.flags != event->allocation.frame.flags)
			continue;
		this->context = event->allocation.context;
		return;
	}
}

static void add_allocation(const struct cupti_operation *record)
{
	bool freed = record->operation == CUPTI_MEMORY_RELEASED;
	union event event = allocation(record->moment, freed, record->context, record->name);

	if (!freed && record->operation != CUPTI_MEMORY_ALLOCATED)
		return;
	if (is_seen(record)) {
		set_context(record, &event);
		return;
	}
	event.allocation.address = record->address;
	event.allocation.bytes = record->bytes;
	event.allocation.memory = memory_of(record->memory);
	add(&event, record->correlation);
}

/* Old releases of CUPTI write one record for an allocation and its release, without the calls. */
static void add_allocations(const struct cupti_allocation *record)
{
	for (int end = 0; end <= (record->end != 0); end++) {
		union event event = allocation(end ? record->end : record->start, end,
					       record->context, record->name);

		event.allocation.address = record->address;
		event.allocation.bytes = record->bytes;
		event.allocation.memory = memory_of(record->memory);
		add(&event, 0);
	}
}

static uint16_t overhead_of(uint32_t kind)
{
	static const struct {
		uint32_t theirs;
		uint16_t ours;
	} kinds[] = {
		{CUPTI_OVERHEAD_COMPILER, OVERHEAD_COMPILER},
		{CUPTI_OVERHEAD_FLUSH, OVERHEAD_FLUSH},
		{CUPTI_OVERHEAD_INSTRUMENTATION, OVERHEAD_INSTRUMENTATION},
		{CUPTI_OVERHEAD_RESOURCE, OVERHEAD_RESOURCE},
		{CUPTI_OVERHEAD_MODULE, OVERHEAD_MODULE},
		{CUPTI_OVERHEAD_FUNCTION, OVERHEAD_FUNCTION},
		{CUPTI_OVERHEAD_COMMANDS, OVERHEAD_COMMANDS},
		{CUPTI_OVERHEAD_BUFFER, OVERHEAD_BUFFER},
		{CUPTI_OVERHEAD_MANAGED, OVERHEAD_MANAGED},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].theirs == kind)
			return kinds[i].ours;
	return OVERHEAD_UNKNOWN;
}

static void add_overhead(const struct cupti_overhead *record)
{
	uint32_t thread = record->object_kind == CUPTI_OBJECT_THREAD ? record->object[1] : 0;
	union event event = {.overhead = {
		.frame = {.kind = FRAME_OVERHEAD, .thread = thread},
		.enter = cupti_clock_monotonic(record->start),
		.leave = cupti_clock_monotonic(record->end),
		.object = thread,
		.api = API_CUDA,
		.kind = overhead_of(record->overhead),
	}};

	if (record->start && record->end >= record->start)
		add(&event, 0);
}

static void add_context(const struct cupti_context *record)
{
	contexts_get(record->context, record->device);
}

void activity_event_add(const struct cupti_record *record)
{
	const void *at = record;

	switch (record->kind) {
	case CUPTI_KIND_CONTEXT:
		add_context(at);
		break;
	case CUPTI_KIND_SYNCHRONIZATION:
		add_wait(at);
		break;
	case CUPTI_KIND_RECORDED:
		add_recorded(at);
		break;
	case CUPTI_KIND_MANAGED:
		add_managed(at);
		break;
	case CUPTI_KIND_STREAM:
		add_queue(at);
		break;
	case CUPTI_KIND_MEMORY2:
		add_allocation(at);
		break;
	case CUPTI_KIND_MEMORY:
		add_allocations(at);
		break;
	case CUPTI_KIND_OVERHEAD:
		add_overhead(at);
		break;
	default:
		break;
	}
}
