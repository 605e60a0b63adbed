/* SPDX-License-Identifier: MIT */
/* Buffers of CUPTI's records: their bytes are limited while they wait for the writer, they are
 * reused, and those that CUPTI withholds are known. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "backend/cuda/buffers.h"
#include "backend/cuda/contexts.h"
#include "backend/cuda/functions.h"
#include "session/session.h"
#include "emulator.h"

enum { LIMIT = 2050 /* full buffers that wait */, HEAD = 64, READY = 4 };

/* Stubs of the session and of CUPTI. A buffer has one memset, or nothing that CUPTI can read. */
struct cupti_functions cupti;
static uint64_t lost, seen;
static bool is_readable;

void session_expect(void)
{
}

void session_nudge(void)
{
}

void session_lost(uint64_t count)
{
	lost += count;
}

uint32_t session_name(const char *text, size_t length)
{
	(void)text;
	(void)length;
	return 1;
}

const char *session_name_text(uint32_t id)
{
	(void)id;
	return NULL;
}

void contexts_set_null_stream(uint32_t context, uint32_t stream)
{
	(void)context;
	(void)stream;
}

static int next_record(uint8_t *buffer, size_t valid, struct cupti_record **record)
{
	if (!is_readable || !valid || *record)
		return CUPTI_MAX_LIMIT_REACHED;
	*record = (struct cupti_record *)(void *)buffer;
	(*record)->kind = CUPTI_KIND_MEMSET;
	return CUPTI_DONE;
}

static int no_dropped(cuda_context context, uint32_t stream, size_t *dropped)
{
	(void)context;
	(void)stream;
	*dropped = 0;
	return CUPTI_DONE;
}

static void take(const struct cupti_record *record, uint32_t name)
{
	(void)name;
	seen += record->kind == CUPTI_KIND_MEMSET;
}

static int begin(void **state)
{
	(void)state;
	cupti.ActivityGetNextRecord = next_record;
	cupti.ActivityGetNumDroppedRecords = no_dropped;
	lost = seen = 0;
	is_readable = true;
	return 0;
}

/* CUPTI fills a buffer and returns it. */
static void fill(void)
{
	uint8_t *bytes;
	size_t size, most;

	buffers_requested(&bytes, &size, &most);
	buffers_completed(NULL, 0, bytes, size, size);
}

static void read_all(void)
{
	while (buffers_read(take))
		;
}

static void test_timeout(void **state)
{
	(void)state;
	for (int i = 0; i < LIMIT + 3; i++)
		fill();
	assert_int_equal(lost, 3);
	read_all();
	assert_int_equal(seen, LIMIT);
	fill();
	assert_int_equal(lost, 3);
	read_all();
	assert_int_equal(seen, LIMIT + 1);
}

static void test_unreadable_ones_leave_room(void **state)
{
	(void)state;
	is_readable = false;
	for (int i = 0; i < LIMIT + 3; i++) {
		fill();
		read_all();
	}
	assert_int_equal(seen, 0);
	is_readable = true;
	fill();
	read_all();
	assert_int_equal(lost, 0);
	assert_int_equal(seen, 1);
}

static uint8_t *request(void)
{
	uint8_t *bytes;
	size_t size, most;

	buffers_requested(&bytes, &size, &most);
	return bytes;
}

static void test_some_are_ready(void **state)
{
	uint8_t *bytes[READY];
	unsigned char present[(1 << 17) / 4096];

	(void)state;
	buffers_prepare();
	for (int i = 0; i < READY; i++) {
		bytes[i] = request();
		assert_int_equal(mincore(bytes[i] - HEAD, 1 << 17, present), 0);
		for (size_t page = 0; page < sizeof(present); page++)
			assert_true(present[page] & 1);
	}
	for (int i = 0; i < READY; i++)
		buffers_completed(NULL, 0, bytes[i], 1 << 17, 8);
	read_all();
}

/* CUPTI holds a buffer of the earlier generation, and one of the new generation. */
static void test_withheld_records(void **state)
{
	uint8_t *old = request(), *new;

	(void)state;
	assert_true(buffers_are_out());
	assert_false(buffers_hold_records());
	buffers_begin_generation();
	assert_false(buffers_hold_records());
	*(uint32_t *)(void *)old = CUPTI_KIND_MEMSET;
	assert_true(buffers_hold_records());
	new = request();
	*(uint32_t *)(void *)new = CUPTI_KIND_MEMSET;
	buffers_completed(NULL, 0, old, 1 << 17, 8);
	assert_false(buffers_hold_records());
	buffers_begin_generation();
	assert_true(buffers_hold_records());
	buffers_completed(NULL, 0, new, 1 << 17, 8);
	assert_false(buffers_hold_records());
	read_all();
	/* A reused buffer has no records yet. */
	new = request();
	buffers_begin_generation();
	assert_false(buffers_hold_records());
	buffers_completed(NULL, 0, new, 1 << 17, 8);
	read_all();
}

enum { MANY = 200, KEPT = 128 };

/* Returns how many of the buffers are mapped. */
static int count_mapped(uint8_t *const *bytes)
{
	unsigned char present[(1 << 17) / 4096];
	int count = 0;

	for (int i = 0; i < MANY; i++)
		count += !mincore(bytes[i] - HEAD, 1 << 17, present);
	return count;
}

/* After a burst most buffers are unmapped, and the others stay in use. */
static void test_surplus_is_released(void **state)
{
	uint8_t *bytes[MANY];

	(void)state;
	for (int i = 0; i < MANY; i++)
		bytes[i] = request();
	for (int i = 0; i < MANY; i++)
		buffers_completed(NULL, 0, bytes[i], 1 << 17, 8);
	read_all();
	assert_int_equal(count_mapped(bytes), KEPT);
	for (int i = 0; i < MANY; i++) {
		fill();
		read_all();
	}
	assert_int_equal(count_mapped(bytes), KEPT);
}

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
enum { SPARES = READY + 1 /* more than there are */, TRAP = 1 << 8 /* of the flags register */ };

static int step, wanted;

/* The reader returns a buffer after instruction `wanted` of the request. */
static void read_in_handler(int number)
{
	(void)number;
	if (++step == wanted)
		buffers_read(take);
}

__attribute__((noinline)) static uint8_t *request_in_steps(void)
{
	uint8_t *bytes;

	step = 0;
	__writeeflags(__readeflags() | TRAP);
	bytes = request();
	__writeeflags(__readeflags() & ~(unsigned long long)TRAP);
	return bytes;
}

/* Returns whether all these are buffers of `known`, each once. */
static bool are_known(uint8_t *const *bytes, uint8_t *const *known)
{
	int found = 0;

	for (int i = 0; i < SPARES; i++)
		for (int j = 0; j < SPARES; j++)
			found |= bytes[j] == known[i] ? 1 << i : 0;
	return found == (1 << SPARES) - 1;
}

/* No buffer is lost, wherever the reader returns one while others are being taken. */
static void test_spare_ones_are_kept(void **state)
{
	const struct sigaction action = {.sa_handler = read_in_handler};
	uint8_t *known[SPARES], *bytes[SPARES];
	bool kept = true;

	(void)state;
	sigaction(SIGTRAP, &action, NULL);
	for (int i = 0; i < SPARES; i++)
		known[i] = bytes[i] = request();
	for (wanted = 1, step = wanted; kept && step >= wanted; wanted++) {
		for (int i = 0; i < SPARES; i++)
			buffers_completed(NULL, 0, bytes[i], 1 << 17, 8);
		for (int i = 0; i < SPARES - 1; i++)
			buffers_read(take);
		bytes[0] = request_in_steps();
		read_all();
		for (int i = 1; i < SPARES; i++)
			bytes[i] = request();
		kept = are_known(bytes, known);
	}
	print_message("# a buffer was returned after each of %d instructions\n", wanted - 2);
	assert_true(kept);
	assert_true(wanted > 50);
	for (int i = 0; i < SPARES; i++)
		buffers_completed(NULL, 0, bytes[i], 1 << 17, 8);
	read_all();
}
#else
static void test_spare_ones_are_kept(void **state)
{
	(void)state;
	skip();
}
#endif

/* Another client gets a buffer that it did not make, and frees it. */
static void test_freed_by_another_client(void **state)
{
	const char *sanitizers = getenv("COMPUTEPROF_SANITIZERS");
	volatile uintptr_t address; /* the compiler must not follow it beyond free */
	unsigned char present[(1 << 17) / 4096];
	uint8_t *bytes;

	(void)state;
#ifndef __GLIBC__
	skip();
#endif
	if (sanitizers && *sanitizers)
		skip(); /* they report it */
	skip_emulated("there is no process_vm_readv, which tells that a buffer is freed");
	bytes = request();
	*(uint32_t *)(void *)bytes = CUPTI_KIND_MEMSET;
	address = (uintptr_t)(bytes - HEAD);
	free(bytes);
	assert_int_equal(mincore((void *)address, 1 << 17, present), -1);
	buffers_begin_generation();
	assert_false(buffers_hold_records());
	fill();
	read_all();
	assert_int_equal(lost, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_some_are_ready, begin),
		cmocka_unit_test_setup(test_spare_ones_are_kept, begin),
		cmocka_unit_test_setup(test_surplus_is_released, begin),
		cmocka_unit_test_setup(test_timeout, begin),
		cmocka_unit_test_setup(test_unreadable_ones_leave_room, begin),
		cmocka_unit_test_setup(test_withheld_records, begin),
		cmocka_unit_test_setup(test_freed_by_another_client, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
