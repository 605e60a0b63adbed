/* SPDX-License-Identifier: MIT */
/* As test_cupti.c, for records other than device work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <cupti_activity.h>
#include <cupti_version.h>

#include "backend/cuda/cupti_events.h"
#include "cupti_layouts.h"

/* clang-format off */
static void test_events(void **state)
{
	static const struct place places[] = {
		PREFIX(CUpti_ActivityOverhead, cupti_overhead)
		FIELD(CUpti_ActivityOverhead, overheadKind, cupti_overhead, overhead)
		FIELD(CUpti_ActivityOverhead, objectKind, cupti_overhead, object_kind)
		FIELD(CUpti_ActivityOverhead, objectId, cupti_overhead, object)
		FIELD(CUpti_ActivityOverhead, objectId.pt.threadId, cupti_overhead, object[1])
		FIELD(CUpti_ActivityOverhead, start, cupti_overhead, start)
		FIELD(CUpti_ActivityOverhead, end, cupti_overhead, end)
		PREFIX(CUpti_ActivitySynchronization, cupti_synchronization)
		FIELD(CUpti_ActivitySynchronization, type, cupti_synchronization, type)
		FIELD(CUpti_ActivitySynchronization, start, cupti_synchronization, start)
		FIELD(CUpti_ActivitySynchronization, end, cupti_synchronization, end)
		FIELD(CUpti_ActivitySynchronization, correlationId, cupti_synchronization,
		      correlation)
		FIELD(CUpti_ActivitySynchronization, contextId, cupti_synchronization, context)
		FIELD(CUpti_ActivitySynchronization, streamId, cupti_synchronization, stream)
		FIELD(CUpti_ActivitySynchronization, cudaEventId, cupti_synchronization, event)
		PREFIX(CUpti_ActivityStream, cupti_stream)
		FIELD(CUpti_ActivityStream, contextId, cupti_stream, context)
		FIELD(CUpti_ActivityStream, streamId, cupti_stream, stream)
		FIELD(CUpti_ActivityStream, priority, cupti_stream, priority)
		FIELD(CUpti_ActivityStream, flag, cupti_stream, flag)
		FIELD(CUpti_ActivityStream, correlationId, cupti_stream, correlation)
		PREFIX(CUpti_ActivityCudaEvent, cupti_recorded)
		FIELD(CUpti_ActivityCudaEvent, correlationId, cupti_recorded, correlation)
		FIELD(CUpti_ActivityCudaEvent, contextId, cupti_recorded, context)
		FIELD(CUpti_ActivityCudaEvent, streamId, cupti_recorded, stream)
		FIELD(CUpti_ActivityCudaEvent, eventId, cupti_recorded, event)
		PREFIX(CUpti_ActivityUnifiedMemoryCounter2, cupti_managed)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, counterKind, cupti_managed, counter)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, value, cupti_managed, value)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, start, cupti_managed, start)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, end, cupti_managed, end)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, address, cupti_managed, address)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, srcId, cupti_managed, source)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, dstId, cupti_managed, target)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, streamId, cupti_managed, stream)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, processId, cupti_managed, process)
		FIELD(CUpti_ActivityUnifiedMemoryCounter2, flags, cupti_managed, flags)
		PREFIX(CUpti_ActivityUnifiedMemoryCounterConfig, cupti_managed_config)
		FIELD(CUpti_ActivityUnifiedMemoryCounterConfig, kind, cupti_managed_config, kind)
		FIELD(CUpti_ActivityUnifiedMemoryCounterConfig, deviceId, cupti_managed_config,
		      device)
		FIELD(CUpti_ActivityUnifiedMemoryCounterConfig, enable, cupti_managed_config,
		      enable)
		PREFIX(CUpti_ActivityMemory, cupti_allocation)
		FIELD(CUpti_ActivityMemory, memoryKind, cupti_allocation, memory)
		FIELD(CUpti_ActivityMemory, address, cupti_allocation, address)
		FIELD(CUpti_ActivityMemory, bytes, cupti_allocation, bytes)
		FIELD(CUpti_ActivityMemory, start, cupti_allocation, start)
		FIELD(CUpti_ActivityMemory, end, cupti_allocation, end)
		FIELD(CUpti_ActivityMemory, deviceId, cupti_allocation, device)
		FIELD(CUpti_ActivityMemory, contextId, cupti_allocation, context)
		FIELD(CUpti_ActivityMemory, name, cupti_allocation, name)
	};

	(void)state;
	CHECK(places);
}

/* clang-format on */
/* Newer ones have the same members at the same offsets. */
#define OPERATION(record)                                                                          \
	PREFIX(record, cupti_operation)                                                            \
	FIELD(record, memoryOperationType, cupti_operation, operation)                             \
	FIELD(record, memoryKind, cupti_operation, memory)                                         \
	FIELD(record, correlationId, cupti_operation, correlation)                                 \
	FIELD(record, address, cupti_operation, address)                                           \
	FIELD(record, bytes, cupti_operation, bytes)                                               \
	FIELD(record, timestamp, cupti_operation, moment)                                          \
	FIELD(record, deviceId, cupti_operation, device)                                           \
	FIELD(record, contextId, cupti_operation, context)                                         \
	FIELD(record, streamId, cupti_operation, stream)                                           \
	FIELD(record, name, cupti_operation, name)

static void test_newest_events(void **state)
{
	static const struct place places[] = {
#if CUPTI_API_VERSION >= 14
		OPERATION(CUpti_ActivityMemory2)
#endif
#if CUPTI_API_VERSION >= 130000
		OPERATION(CUpti_ActivityMemory4)
		PREFIX(CUpti_ActivityOverhead3, cupti_overhead)
		FIELD(CUpti_ActivityOverhead3, objectId, cupti_overhead, object)
		FIELD(CUpti_ActivityOverhead3, end, cupti_overhead, end)
		FIELD(CUpti_ActivitySynchronization2, cudaEventId, cupti_synchronization, event)
#endif
		{"one that is always the same", 1, 1},
	};

	(void)state;
	CHECK(places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_newest_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
