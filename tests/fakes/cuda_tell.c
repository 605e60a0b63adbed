/* SPDX-License-Identifier: MIT */
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/cuda/cupti_events.h"
#include "cuda_driver.h"

/* Records other than device work. Those of calls that CUPTI does not know are not reported. */

static uint32_t correlation(void)
{
	return call_current() ? call_current()->correlation : 0;
}

static void facts(uint32_t *context, uint32_t *device)
{
	*context = *device = UINT32_MAX;
	context_facts(context_current(), context, device);
}

void tell_wait(uint32_t type, const struct stream *stream, const struct event *event,
	       uint64_t start)
{
	uint32_t device;
	struct cupti_synchronization record = {
		.kind = CUPTI_KIND_SYNCHRONIZATION,
		.type = type,
		.start = start,
		.end = clock_now(),
		.correlation = correlation(),
		.stream = stream ? stream->id : UINT32_MAX,
		.event = event ? event->id : UINT32_MAX,
	};

	facts(&record.context, &device);
	call_fact(&record, sizeof(record));
}

void tell_stream(const struct stream *stream, unsigned flags, int priority)
{
	const struct cupti_stream record = {
		.kind = CUPTI_KIND_STREAM,
		.context = stream->context->id,
		.stream = stream->id,
		.priority = (uint32_t)priority,
		.flag = flags ? CUPTI_STREAM_NON_BLOCKING : CUPTI_STREAM_DEFAULT,
		.correlation = correlation(),
	};

	call_fact(&record, sizeof(record));
}

void tell_recorded(const struct event *event, const struct stream *stream)
{
	const struct cupti_recorded record = {
		.kind = CUPTI_KIND_RECORDED,
		.correlation = correlation(),
		.context = stream->context->id,
		.stream = stream->id,
		.event = event->id,
	};

	call_fact(&record, sizeof(record));
}

static void tell_operation(uint32_t operation, uint64_t address, size_t bytes,
			   enum cupti_memory kind)
{
	struct cupti_operation record = {
		.kind = CUPTI_KIND_MEMORY2,
		.operation = operation,
		.memory = kind,
		.correlation = correlation(),
		.address = address,
		.bytes = bytes,
		.moment = clock_now(),
		.process = (uint32_t)getpid(),
		.stream = UINT32_MAX,
	};
	uint32_t current;

	facts(&current, &record.device);
	for (uint32_t id = 0; !script.onememory && (id = context_next((int)record.device, id));) {
		record.context = id;
		if (id != current)
			call_fact(&record, sizeof(record));
	}
	record.context = current;
	call_fact(&record, sizeof(record));
}

void tell_memory(uint64_t address, size_t bytes, enum cupti_memory kind)
{
	tell_operation(CUPTI_MEMORY_ALLOCATED, address, bytes, kind);
}

void tell_freed(uint64_t address, size_t bytes, enum cupti_memory kind, uint64_t made)
{
	struct cupti_allocation record = {
		.kind = CUPTI_KIND_MEMORY,
		.memory = kind,
		.address = address,
		.bytes = bytes,
		.start = made,
		.end = clock_now(),
		.process = (uint32_t)getpid(),
	};

	facts(&record.context, &record.device);
	call_fact(&record, sizeof(record));
	tell_operation(CUPTI_MEMORY_RELEASED, address, bytes, kind);
}

void tell_managed(uint32_t counter, uint64_t value, uint64_t address, uint32_t flags)
{
	enum { LENGTH = 1000 /* ns */ };
	struct cupti_managed record = {
		.kind = CUPTI_KIND_MANAGED,
		.counter = counter,
		.value = value,
		.start = clock_now(),
		.address = address,
		.source = UINT32_MAX,
		.target = UINT32_MAX,
		.process = (uint32_t)getpid(),
		.flags = flags,
	};
	uint32_t context, device;

	facts(&context, &device);
	if (counter == CUPTI_MANAGED_HOST_TO_DEVICE)
		record.target = device;
	else if (counter != CUPTI_MANAGED_HOST_FAULT)
		record.source = device;
	if (counter != CUPTI_MANAGED_HOST_FAULT)
		record.end = record.start + LENGTH;
	call_fact(&record, sizeof(record));
}

void tell_compiler(void)
{
	const struct call *call = call_current();
	const struct cupti_overhead record = {
		.kind = CUPTI_KIND_OVERHEAD,
		.overhead = CUPTI_OVERHEAD_COMPILER,
		.object_kind = CUPTI_OBJECT_THREAD,
		.object = {(uint32_t)getpid(), (uint32_t)syscall(SYS_gettid)},
		.start = call ? call->start : 0,
		.end = clock_now(),
	};

	call_fact(&record, sizeof(record));
}
