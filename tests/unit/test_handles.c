/* SPDX-License-Identifier: MIT */
/* Data about the program's OpenCL objects: its memory is that of live objects. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/opencl/object.h"

enum { MANY = 1 << 20, LIVING = 3000, MEBIBYTE = 1 << 20 };

struct thing {
	atomic_uint references;
	uintptr_t number;
};

static const void *handle_of(uintptr_t number)
{
	return (const void *)(number << 4);
}

static struct thing *make(enum object_kind kind, uintptr_t number)
{
	struct thing thing = {.references = 1, .number = number};

	return object_put(kind, handle_of(number), &thing, sizeof(thing));
}

static unsigned release(enum object_kind kind, uintptr_t number)
{
	struct thing *thing = object_find(kind, handle_of(number));

	return object_release(kind, handle_of(number), &thing->references);
}

static size_t resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!file || fscanf(file, "%*u %lu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void test_handles_that_never_come_again(void **state)
{
	size_t before;

	(void)state;
	for (uintptr_t i = 1; i <= LIVING; i++)
		assert_non_null(make(OBJECT_QUEUE, i));
	for (uintptr_t i = 1; i <= LIVING; i++)
		assert_int_equal(release(OBJECT_QUEUE, i), 1);
	before = resident();
	for (uintptr_t i = LIVING + 1; i <= MANY; i++) {
		assert_non_null(make(OBJECT_QUEUE, i));
		assert_int_equal(release(OBJECT_QUEUE, i), 1);
	}
	assert_true(resident() < before + MEBIBYTE);
	for (uintptr_t i = MANY - OBJECT_RETIRED + 1; i <= MANY; i++) {
		const struct thing *thing = object_find(OBJECT_QUEUE, handle_of(i));

		assert_non_null(thing);
		assert_int_equal(thing->number, i);
	}
	assert_null(object_find(OBJECT_QUEUE, handle_of(MANY - OBJECT_RETIRED)));
}

static void test_live_objects_stay(void **state)
{
	(void)state;
	for (uintptr_t i = 1; i <= LIVING; i++)
		assert_non_null(make(OBJECT_KERNEL, i));
	for (uintptr_t i = LIVING + 1; i <= 10 * LIVING; i++) {
		make(OBJECT_KERNEL, i);
		release(OBJECT_KERNEL, i);
	}
	for (uintptr_t i = 1; i <= LIVING; i++) {
		const struct thing *thing = object_find(OBJECT_KERNEL, handle_of(i));

		assert_non_null(thing);
		assert_int_equal(thing->number, i);
	}
}

static void test_a_handle_that_comes_again(void **state)
{
	struct thing *first = make(OBJECT_MEMORY, 1);

	(void)state;
	atomic_fetch_add(&first->references, 1);
	assert_int_equal(release(OBJECT_MEMORY, 1), 2);
	assert_int_equal(release(OBJECT_MEMORY, 1), 1);
	assert_int_equal(release(OBJECT_MEMORY, 1), 0);
	assert_ptr_equal(make(OBJECT_MEMORY, 1), first);
	/* A retired object can be revived, whatever its position in the list. */
	for (uintptr_t i = 2; i <= 2 * OBJECT_RETIRED + 2; i++) {
		make(OBJECT_MEMORY, i);
		release(OBJECT_MEMORY, i);
	}
	assert_ptr_equal(object_find(OBJECT_MEMORY, handle_of(1)), first);
	for (int i = 0; i < 2 * OBJECT_RETIRED; i++) {
		assert_int_equal(release(OBJECT_MEMORY, 2 * OBJECT_RETIRED + 2), i ? 1 : 0);
		make(OBJECT_MEMORY, 2 * OBJECT_RETIRED + 2);
	}
	assert_non_null(object_find(OBJECT_MEMORY, handle_of(2 * OBJECT_RETIRED + 1)));
}

static void test_a_release_that_is_refused(void **state)
{
	struct thing *thing = make(OBJECT_COMMAND_BUFFER, 1);
	unsigned count = release(OBJECT_COMMAND_BUFFER, 1);

	(void)state;
	object_undo_release(OBJECT_COMMAND_BUFFER, handle_of(1), &thing->references, count);
	assert_int_equal(thing->references, 1);
	for (uintptr_t i = 2; i <= 2 * OBJECT_RETIRED; i++) {
		make(OBJECT_COMMAND_BUFFER, i);
		release(OBJECT_COMMAND_BUFFER, i);
	}
	assert_ptr_equal(object_find(OBJECT_COMMAND_BUFFER, handle_of(1)), thing);
	release(OBJECT_COMMAND_BUFFER, 1);
	count = release(OBJECT_COMMAND_BUFFER, 1);
	object_undo_release(OBJECT_COMMAND_BUFFER, handle_of(1), &thing->references, count);
	assert_int_equal(thing->references, 0);
}

static unsigned visited;

static void visit(void *object)
{
	const struct thing *thing = object;

	visited++;
	assert_int_equal(thing->references, 1);
}

static void test_each(void **state)
{
	(void)state;
	for (uintptr_t i = 1; i <= LIVING; i++)
		make(OBJECT_CONTEXT, i);
	for (uintptr_t i = 1; i <= LIVING; i += 3)
		release(OBJECT_CONTEXT, i);
	object_each(OBJECT_CONTEXT, visit);
	assert_int_equal(visited, LIVING - LIVING / 3);
}

static atomic_bool over;

/* Live objects are found at once and always. */
static void *look(void *unused)
{
	uintptr_t wrong = 0;

	(void)unused;
	while (!over) {
		for (uintptr_t i = 1; i <= LIVING; i++) {
			const struct thing *thing = object_find(OBJECT_DEVICE, handle_of(i));

			wrong += !thing || thing->number != i;
		}
	}
	return (void *)wrong;
}

static void test_readers_beside_writers(void **state)
{
	pthread_t readers[3];
	void *wrong;

	(void)state;
	for (uintptr_t i = 1; i <= LIVING; i++)
		make(OBJECT_DEVICE, i);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, look, NULL), 0);
	for (uintptr_t i = LIVING + 1; i <= 20 * LIVING; i++) {
		make(OBJECT_DEVICE, i);
		if (i > 4 * LIVING)
			release(OBJECT_DEVICE, i - 3 * LIVING);
	}
	over = true;
	for (int i = 0; i < 3; i++) {
		pthread_join(readers[i], &wrong);
		assert_int_equal((uintptr_t)wrong, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handles_that_never_come_again),
		cmocka_unit_test(test_live_objects_stay),
		cmocka_unit_test(test_a_handle_that_comes_again),
		cmocka_unit_test(test_a_release_that_is_refused),
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_readers_beside_writers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
