/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "emulator.h"

enum { MEGABYTE = 1 << 20 };

static const char NO_LIMIT[] = "RLIMIT_AS limits nothing";
static struct rlimit before;

static long page; /* size of a page that the library sees; 0: the system's */

long sysconf(int name)
{
	static long (*real)(int name);

	if (name == _SC_PAGESIZE && page)
		return page;
	if (!real)
		real = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
	return real(name);
}

/* From now on the kernel has no addresses left. */
static int exhaust(void **state)
{
	struct rlimit none;

	(void)state;
	memory_reserve();
	getrlimit(RLIMIT_AS, &before);
	none = before;
	none.rlim_cur = MEGABYTE;
	return setrlimit(RLIMIT_AS, &none);
}

static int relent(void **state)
{
	(void)state;
	return setrlimit(RLIMIT_AS, &before);
}

static void test_set_aside(void **state)
{
	char *first, *second, *third;

	(void)state;
	skip_emulated(NO_LIMIT);
	assert_true(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	first = memory_map(100);
	second = memory_map(MEGABYTE);
	assert_non_null(first);
	assert_non_null(second);
	memset(first, 1, 100);
	memset(second, 2, MEGABYTE);
	assert_int_equal(first[99], 1);
	assert_null(memory_map(MEGABYTE));
	memory_unmap(second, MEGABYTE);
	third = memory_map(MEGABYTE);
	assert_non_null(third);
	for (int i = 0; i < MEGABYTE; i += 4096)
		assert_int_equal(third[i], 0);
	memory_unmap(third, MEGABYTE);
	memory_unmap(first, 100);
	assert_null(memory_map(SIZE_MAX));
}

/* Memory that is given back takes whole pages, also larger ones, and nothing of its neighbour's. */
static void test_large_pages(void **state)
{
	enum { LARGE = 64 << 10 };
	char *first, *second;

	(void)state;
	skip_emulated(NO_LIMIT);
	page = LARGE;
	first = memory_map(100);
	second = memory_map(100);
	assert_non_null(first);
	assert_ptr_equal(second, first + LARGE);
	memset(second, 2, 100);
	memory_unmap(first, 100);
	assert_int_equal(second[99], 2);
	memory_unmap(second, 100);
	page = 0;
}

static void test_grow(void **state)
{
	struct strbuf buffer = STRBUF_INIT;

	(void)state;
	skip_emulated(NO_LIMIT);
	for (int i = 0; i < 10000; i++)
		strbuf_append(&buffer, &i, sizeof(i));
	assert_false(buffer.failed);
	for (int i = 0; i < 10000; i++)
		assert_memory_equal(buffer.data + (size_t)i * sizeof(i), &i, sizeof(i));
	while (!buffer.failed)
		strbuf_append(&buffer, buffer.data, 4096);
	assert_in_range(buffer.length, 40000, 2 * MEGABYTE);
	strbuf_free(&buffer);
}

/* Sizes that do not fit are not allocated. */
static void test_array(void **state)
{
	int *list = memory_array(NULL, 2, sizeof(*list)), *longer;

	(void)state;
	assert_non_null(list);
	list[1] = 7;
	errno = 0;
	assert_null(memory_array(list, SIZE_MAX / sizeof(*list) + 2, sizeof(*list)));
	assert_int_equal(errno, ENOMEM);
	longer = memory_array(list, 1000, sizeof(*list));
	assert_non_null(longer);
	assert_int_equal(longer[1], 7);
	free(longer);
}

static void test_read_word(void **state)
{
	uint32_t *word = memory_map(4096), read = 0;

	(void)state;
	*word = 7;
	if (memory_read_word(word, &read) == 1)
		skip(); /* this system does not permit it */
	assert_int_equal(read, 7);
	memory_unmap(word, 4096);
	assert_int_equal(memory_read_word(word, &read), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_set_aside, exhaust, relent),
		cmocka_unit_test(test_array),
		cmocka_unit_test_setup_teardown(test_large_pages, exhaust, relent),
		cmocka_unit_test(test_read_word),
		cmocka_unit_test_setup_teardown(test_grow, exhaust, relent),
	};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	puts("1..0 # SKIP sanitizers need all addresses there are");
	return 0;
#endif
	return cmocka_run_group_tests(tests, NULL, NULL);
}
