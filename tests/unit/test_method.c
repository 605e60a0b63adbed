/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/method.h"

static void check(const struct record *record, enum dialect dialect, const struct names *names,
		  const char *expected)
{
	size_t length;
	const char *text = method_text(record, dialect, names, &length);

	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(expected));
}

static void check_copy(enum memory source, enum memory target, uint16_t flags, const char *expected)
{
	struct record record = {
		.frame = {.kind = FRAME_COPY, .flags = flags},
		.source = (uint8_t)source,
		.target = (uint8_t)target,
	};

	check(&record, DIALECT_CUDA4, NULL, expected);
	check(&record, DIALECT_CLASSIC, NULL, "memcopy");
}

static void test_copies(void **state)
{
	uint16_t asynchronous = RECORD_ASYNCHRONOUS | RECORD_FAILED;

	(void)state;
	check_copy(MEMORY_HOST, MEMORY_HOST, 0, "memcpyHtoH");
	check_copy(MEMORY_HOST, MEMORY_DEVICE, 0, "memcpyHtoD");
	check_copy(MEMORY_HOST, MEMORY_ARRAY, 0, "memcpyHtoA");
	check_copy(MEMORY_DEVICE, MEMORY_HOST, 0, "memcpyDtoH");
	check_copy(MEMORY_DEVICE, MEMORY_DEVICE, 0, "memcpyDtoD");
	check_copy(MEMORY_DEVICE, MEMORY_ARRAY, 0, "memcpyDtoA");
	check_copy(MEMORY_ARRAY, MEMORY_HOST, 0, "memcpyAtoH");
	check_copy(MEMORY_ARRAY, MEMORY_DEVICE, 0, "memcpyAtoD");
	check_copy(MEMORY_ARRAY, MEMORY_ARRAY, RECORD_FAILED, "memcpyAtoA");
	check_copy(MEMORY_HOST, MEMORY_DEVICE, asynchronous, "memcpyHtoDasync");
	check_copy(MEMORY_DEVICE, MEMORY_HOST, asynchronous, "memcpyDtoHasync");
	check_copy(MEMORY_PEER, MEMORY_PEER, asynchronous, "memcpyDtoDasync");
	check_copy(MEMORY_PEER, MEMORY_DEVICE, 0, "memcopy");
	check_copy(MEMORY_HOST, MEMORY_PEER, 0, "memcopy");
	check_copy(MEMORY_COUNT, MEMORY_HOST, asynchronous, "memcopy");
	check_copy(MEMORY_HOST, 255, 0, "memcopy");
}

static void test_fills(void **state)
{
	struct record record = {.frame = {.kind = FRAME_FILL}};

	(void)state;
	check(&record, DIALECT_CLASSIC, NULL, "memset");
	check(&record, DIALECT_CUDA4, NULL, "memset");
	record.frame.flags = RECORD_ASYNCHRONOUS;
	check(&record, DIALECT_CLASSIC, NULL, "memset");
	check(&record, DIALECT_CUDA4, NULL, "memsetasync");
}

static void test_kernels(void **state)
{
	struct names *names = names_new();
	struct record record = {.frame = {.kind = FRAME_KERNEL}};

	(void)state;
	assert_non_null(names);
	check(&record, DIALECT_CLASSIC, names, "unknown_kernel");
	record.name = names_intern(names, "_Z5dummyv", 9);
	check(&record, DIALECT_CLASSIC, names, "_Z5dummyv");
	check(&record, DIALECT_CUDA4, names, "_Z5dummyv");
	record.name = names_intern(names, "", 0);
	check(&record, DIALECT_CUDA4, names, "unknown_kernel");
	record.name = 12345;
	check(&record, DIALECT_CUDA4, names, "unknown_kernel");
	names_free(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_fills),
		cmocka_unit_test(test_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
