/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/names.h"

enum { MANY = 20000, THREADS = 4 };

static struct names *names;

static int set_up(void **state)
{
	(void)state;
	names = names_new();
	return names ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	names_free(names);
	return 0;
}

static uint32_t intern(const char *text)
{
	return names_intern(names, text, strlen(text));
}

static void expect(uint32_t id, const char *text, size_t length)
{
	size_t got;

	assert_memory_equal(names_text(names, id, &got), text, length);
	assert_int_equal(got, length);
	assert_int_equal(names_text(names, id, NULL)[length], '\0');
}

static void test_ids(void **state)
{
	(void)state;
	names_free(NULL);
	assert_int_equal(names_count(names), 0);
	assert_int_equal(intern("first"), 1);
	assert_int_equal(intern("second"), 2);
	assert_int_equal(intern("first"), 1);
	assert_int_equal(names_count(names), 2);
	expect(1, "first", 5);
	expect(2, "second", 6);
	expect(0, "", 0);
	expect(3, "", 0);
	expect(UINT32_MAX, "", 0);
}

static void test_config_words(void **state)
{
	static const char *const others[] = {
		"a b", "a\n", "a,", "(", "\xc3\xa9", "a[", "`", "{", "/", ":", "@", "-",
	};

	(void)state;
	assert_true(names_is_word(names, intern("_Z3addPfS_.a$0Z9")));
	assert_true(names_is_word(names, intern("azAZ09")));
	assert_true(names_is_word(names, intern("")));
	assert_true(names_is_word(names, 0));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(names_is_word(names, intern(others[i])));
}

static void test_odd_texts(void **state)
{
	uint32_t empty = intern("");
	uint32_t with_nul = names_intern(names, "a\0b", 3);
	uint32_t without = names_intern(names, "a", 1);

	(void)state;
	assert_int_equal(intern(""), empty);
	assert_int_not_equal(empty, 0);
	assert_int_not_equal(with_nul, without);
	expect(with_nul, "a\0b", 3);
	expect(without, "a", 1);
	expect(empty, "", 0);
}

static void test_huge_texts(void **state)
{
	enum { SIZE = 3 << 20 };
	char *text = malloc(SIZE);
	uint32_t id;

	(void)state;
	memset(text, 'x', SIZE);
	id = names_intern(names, text, SIZE);
	expect(id, text, SIZE);
	assert_int_equal(names_intern(names, text, SIZE), id);
	assert_int_equal(names_intern(names, text, SIZE - 1), id + 1);
	expect(intern("small"), "small", 5);
	free(text);
}

static void test_many(void **state)
{
	char text[32];

	(void)state;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 1; i <= MANY; i++) {
			snprintf(text, sizeof(text), "kernel_%u", i);
			assert_int_equal(intern(text), i);
		}
	}
	assert_int_equal(names_count(names), MANY);
	expect(777, "kernel_777", 10);
}

static void test_set(void **state)
{
	(void)state;
	assert_int_equal(names_set(names, 5, "five", 4), 0);
	assert_int_equal(names_count(names), 5);
	expect(5, "five", 4);
	expect(4, "", 0);
	assert_int_equal(names_set(names, 5, "other", 5), -1);
	assert_int_equal(names_set(names, 0, "none", 4), -1);
	assert_int_equal(names_set(names, UINT32_MAX, "far", 3), -1);
	assert_int_equal(names_set(names, 1 << 20, "far", 3), -1);
	assert_int_equal(intern("five"), 5);
	assert_int_equal(intern("new"), 6);
	/* The file assigns a second id to a text; names_intern still returns the first one. */
	assert_int_equal(names_set(names, 2, "five", 4), 0);
	expect(2, "five", 4);
	assert_int_equal(intern("five"), 5);
}

static void test_no_id_left(void **state)
{
	(void)state;
	assert_int_equal(names_set(names, (1 << 20) - 1, "last", 4), 0);
	assert_int_equal(intern("one more"), 0);
	assert_int_equal(intern("last"), (1 << 20) - 1);
	expect((1 << 20) - 1, "last", 4);
}

/* Interns the same texts as the other threads and checks every id. */
static void *intern_along(void *argument)
{
	uintptr_t wrong = 0;
	char text[32];

	for (uint32_t i = 0; i < MANY; i++) {
		int length = snprintf(text, sizeof(text), "text %u", i);
		uint32_t id = names_intern(names, text, (size_t)length);
		size_t got;

		if (!id || strcmp(names_text(names, id, &got), text) || got != (size_t)length ||
		    id > names_count(names))
			wrong++;
	}
	(void)argument;
	return (void *)wrong;
}

static void test_threads(void **state)
{
	pthread_t threads[THREADS];
	void *wrong;

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, intern_along, NULL), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	assert_int_equal(names_count(names), MANY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ids, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_config_words, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_odd_texts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_huge_texts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_set, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_id_left, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
