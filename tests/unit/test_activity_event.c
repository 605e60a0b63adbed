/* SPDX-License-Identifier: MIT */
/* Events made from CUPTI's records other than device work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_stubs.h"

static void happen(const void *record)
{
	activity_event_add(record);
}

static struct cupti_synchronization wait_of(uint32_t type)
{
	return (struct cupti_synchronization){
		.kind = CUPTI_KIND_SYNCHRONIZATION,
		.type = type,
		.start = 104,
		.end = 106,
		.correlation = newest + 1,
		.context = 1,
		.stream = 2,
		.event = UINT32_MAX,
	};
}

static void test_wait(void **state)
{
	struct cupti_synchronization wait = wait_of(CUPTI_WAIT_STREAM);

	(void)state;
	happen(&wait);
	assert_int_equal(activity_event_deliver(false), 0);
	call(RUNTIME, CALL_OTHER, 1, 100, 110, 0);
	assert_int_equal(activity_event_deliver(false), 1);
	assert_int_equal(taken[0].frame.thread, newest + 7);
	assert_int_equal(taken[0].wait.enter, 104);
	assert_int_equal(taken[0].wait.leave, 106);
	assert_int_equal(taken[0].wait.kind, WAIT_FOR_STREAM);
	assert_int_equal(taken[0].wait.event, 0);
	assert_int_equal(taken[0].wait.stream, 102);
	assert_int_equal(taken[0].wait.device, 3);
	assert_int_equal(taken[0].wait.context, 7);
	wait.context = wait.stream = UINT32_MAX;
	wait.event = 5;
	happen(&wait);
	assert_int_equal(activity_event_deliver(false), 1);
	assert_int_equal(taken[1].wait.event, 5);
	assert_int_equal(taken[1].wait.stream, UINT32_MAX);
	assert_int_equal(taken[1].wait.device, UINT32_MAX);
	/* Records without a time, of an unknown kind, and with the end before the start. */
	wait.start = 0;
	happen(&wait);
	wait = wait_of(0);
	happen(&wait);
	wait = wait_of(5);
	happen(&wait);
	wait = wait_of(1);
	wait.end = 1;
	happen(&wait);
	assert_int_equal(activity_event_deliver(true), 0);
}

static void test_queue(void **state)
{
	const struct cupti_stream stream = {
		.kind = CUPTI_KIND_STREAM,
		.context = 1,
		.stream = 4,
		.priority = (uint32_t)-5,
		.flag = CUPTI_STREAM_NON_BLOCKING,
		.correlation = newest + 1,
	};

	(void)state;
	call(RUNTIME, CALL_OTHER, 1, 100, 110, 0);
	happen(&stream);
	assert_int_equal(activity_event_deliver(false), 1);
	assert_int_equal(taken[0].frame.flags, QUEUE_PRIORITY | QUEUE_UNORDERED);
	assert_int_equal(taken[0].queue.priority, -5);
	assert_int_equal(taken[0].queue.enter, 100);
	assert_int_equal(taken[0].queue.leave, 110);
	assert_int_equal(taken[0].queue.stream, 104);
	known = false;
	happen(&(struct cupti_context){.kind = CUPTI_KIND_CONTEXT});
	assert_true(known); /* the context becomes known with its record */
}

static void test_recorded(void **state)
{
	struct cupti_recorded recorded = {
		.kind = CUPTI_KIND_RECORDED,
		.correlation = newest + 1,
		.context = 1,
		.stream = 4,
		.event = 9,
	};

	(void)state;
	call(RUNTIME, CALL_OTHER, 1, 100, 110, 0);
	happen(&recorded);
	assert_int_equal(activity_event_deliver(false), 1);
	assert_int_equal(taken[0].frame.kind, FRAME_RECORDED);
	assert_int_equal(taken[0].frame.thread, newest + 7);
	assert_int_equal(taken[0].recorded.enter, 100);
	assert_int_equal(taken[0].recorded.leave, 110);
	assert_int_equal(taken[0].recorded.event, 9);
	assert_int_equal(taken[0].recorded.stream, 104);
	assert_int_equal(taken[0].recorded.device, 3);
	assert_int_equal(taken[0].recorded.context, 7);
	recorded.context = UINT32_MAX;
	happen(&recorded);
	assert_int_equal(activity_event_deliver(false), 1);
	assert_int_equal(taken[1].recorded.stream, UINT32_MAX);
	assert_int_equal(taken[1].recorded.context, UINT32_MAX);
}

static struct cupti_managed managed_of(uint32_t counter)
{
	return (struct cupti_managed){
		.kind = CUPTI_KIND_MANAGED,
		.counter = counter,
		.value = 65536,
		.start = 200,
		.end = 230,
		.address = 0x7f0000000000,
		.source = 2,
		.target = UINT32_MAX,
		.stream = 9,
		.process = 70,
		.flags = 4,
	};
}

static void test_managed(void **state)
{
	struct cupti_managed managed = managed_of(CUPTI_MANAGED_DEVICE_TO_HOST);

	(void)state;
	happen(&managed);
	assert_int_equal(count, 1);
	assert_int_equal(taken[0].frame.kind, FRAME_MANAGED);
	assert_int_equal(taken[0].frame.flags, 0);
	assert_int_equal(taken[0].managed.kind, MANAGED_DEVICE_TO_HOST);
	assert_int_equal(taken[0].managed.cause, 4);
	assert_int_equal(taken[0].managed.enter, 200);
	assert_int_equal(taken[0].managed.leave, 230);
	assert_int_equal(taken[0].managed.value, 65536);
	assert_int_equal(taken[0].managed.address, 0x7f0000000000);
	assert_int_equal(taken[0].managed.source, 2);
	assert_int_equal(taken[0].managed.target, UINT32_MAX);
	assert_int_equal(taken[0].managed.stream, 9);
	managed.end = 0;
	managed.flags = 256;
	happen(&managed);
	assert_int_equal(taken[1].frame.flags, MANAGED_MOMENT);
	assert_int_equal(taken[1].managed.leave, 200);
	assert_int_equal(taken[1].managed.cause, 0);
}

/* Which kinds have an end; and no time at all. */
static void test_managed_kinds(void **state)
{
	static const bool moments[] = {[MANAGED_HOST_FAULT] = true,
				       [MANAGED_THRASHING] = true,
				       [MANAGED_REMOTE_MAP] = true,
				       [MANAGED_KINDS] = false};
	struct cupti_managed managed;

	(void)state;
	for (uint32_t kind = 1; kind < MANAGED_KINDS; kind++) {
		managed = managed_of(kind);
		happen(&managed);
		assert_int_equal(taken[kind - 1].frame.flags, moments[kind] ? MANAGED_MOMENT : 0);
		assert_int_equal(taken[kind - 1].managed.leave, moments[kind] ? 200 : 230);
		assert_int_equal(taken[kind - 1].managed.kind, kind);
	}
	managed.start = 0;
	managed.counter = 999;
	happen(&managed);
	assert_true(taken[MANAGED_KINDS - 1].managed.enter > 230);
	assert_int_equal(taken[MANAGED_KINDS - 1].managed.leave,
			 taken[MANAGED_KINDS - 1].managed.enter);
	assert_int_equal(taken[MANAGED_KINDS - 1].managed.kind, 0);
}

static void test_allocations(void **state)
{
	const struct cupti_operation made_one = {
		.kind = CUPTI_KIND_MEMORY2,
		.operation = CUPTI_MEMORY_RELEASED,
		.memory = CUPTI_MEMORY_MANAGED_STATIC,
		.correlation = newest + 1,
		.address = 0x1000,
		.bytes = 64,
		.moment = 105,
		.context = 1,
		.name = (const char *)(uintptr_t)55, /* of the catalog */
	};
	struct cupti_allocation both = {
		.kind = CUPTI_KIND_MEMORY,
		.memory = CUPTI_MEMORY_PINNED,
		.bytes = 32,
		.start = 200,
		.end = 300,
		.context = 1,
	};

	(void)state;
	happen(&made_one);
	assert_int_equal(activity_event_deliver(false), 0);
	assert_int_equal(activity_event_deliver(true), 1); /* its call has not come yet */
	assert_int_equal(taken[0].allocation.enter, 105);
	assert_int_equal(taken[0].allocation.leave, 105);
	assert_int_equal(taken[0].frame.flags, ALLOCATION_FREED);
	assert_int_equal(taken[0].allocation.memory, MEMORY_KIND_STATIC);
	assert_int_equal(taken[0].allocation.name, 55);
	assert_int_equal(taken[0].allocation.address, 0x1000);
	assert_int_equal(taken[0].allocation.bytes, 64);
	happen(&both);
	assert_int_equal(count, 3);
	assert_int_equal(taken[1].allocation.enter, 200);
	assert_int_equal(taken[1].frame.flags, 0);
	assert_int_equal(taken[2].allocation.enter, 300);
	assert_int_equal(taken[2].frame.flags, ALLOCATION_FREED);
	both.end = 0;
	happen(&both);
	assert_int_equal(count, 4);
}

/* A call of a device with two contexts, as CUPTI 13 records it. */
static void test_allocation_of_two_contexts(void **state)
{
	struct cupti_operation one = {
		.kind = CUPTI_KIND_MEMORY2,
		.operation = CUPTI_MEMORY_ALLOCATED,
		.correlation = newest + 1,
		.address = 0x2000,
		.bytes = 64,
		.moment = 105,
		.context = 2,
	};

	(void)state;
	for (int again = 0; again < 2; again++) {
		one.operation = CUPTI_MEMORY_ALLOCATED;
		for (one.context = 2; one.context > 0; one.context--)
			happen(&one);
		one.operation = CUPTI_MEMORY_RELEASED;
		for (one.context = 2; one.context > 0; one.context--)
			happen(&one);
	}
	assert_int_equal(activity_event_deliver(true), 4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(taken[i].frame.flags, i % 2 ? ALLOCATION_FREED : 0);
	one.correlation++; /* another call gets the same address */
	happen(&one);
	one.correlation = 0; /* of no known call */
	happen(&one);
	happen(&one);
	activity_event_deliver(true);
	assert_int_equal(count, 7);
}

static void test_overheads(void **state)
{
	struct cupti_overhead overhead = {
		.kind = CUPTI_KIND_OVERHEAD,
		.overhead = CUPTI_OVERHEAD_FLUSH,
		.object_kind = CUPTI_OBJECT_THREAD,
		.object = {1, 9},
		.start = 10,
		.end = 20,
	};

	(void)state;
	happen(&overhead);
	assert_int_equal(count, 1);
	assert_int_equal(taken[0].overhead.kind, OVERHEAD_FLUSH);
	assert_int_equal(taken[0].overhead.object, 9);
	assert_int_equal(taken[0].overhead.enter, 10);
	assert_int_equal(taken[0].overhead.leave, 20);
	overhead.object_kind = 1;
	overhead.overhead = 12345;
	happen(&overhead);
	assert_int_equal(taken[1].overhead.kind, OVERHEAD_UNKNOWN);
	assert_int_equal(taken[1].overhead.object, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_wait, begin),
		cmocka_unit_test_setup(test_queue, begin),
		cmocka_unit_test_setup(test_recorded, begin),
		cmocka_unit_test_setup(test_managed, begin),
		cmocka_unit_test_setup(test_managed_kinds, begin),
		cmocka_unit_test_setup(test_allocations, begin),
		cmocka_unit_test_setup(test_allocation_of_two_contexts, begin),
		cmocka_unit_test_setup(test_overheads, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
