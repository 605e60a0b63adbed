/* SPDX-License-Identifier: MIT */
/* Copies of memory objects, and what writes change in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/snapshot.h"

enum { BYTES = 1500, ADDRESS = 0x1000, LIMIT = 1 << 20 };

static const struct snapshot_object object = {ADDRESS, 1, BYTES};
static unsigned char contents[BYTES];
static struct difference difference;
static uint64_t hash;

static int set_up(void **state)
{
	(void)state;
	snapshots_stop();
	snapshots_begin(&(struct snapshot_limits){.object = LIMIT, .all = 2 * LIMIT});
	memset(contents, 0, sizeof(contents));
	return 0;
}

static enum change_reason write_part(uint64_t offset, uint64_t bytes)
{
	return snapshots_compare(&object, offset, bytes, contents + offset, &difference, &hash);
}

static void assert_difference(uint64_t same, uint64_t words, uint64_t changed)
{
	assert_int_equal(difference.same, same);
	assert_int_equal(difference.same_words, words);
	assert_int_equal(difference.changed, changed);
}

static void test_first_and_second(void **state)
{
	uint64_t first;

	(void)state;
	memset(contents, 7, sizeof(contents));
	assert_int_equal(write_part(0, BYTES), CHANGE_COMPARED);
	assert_difference(0, 0, BYTES);
	first = hash;
	assert_int_equal(write_part(0, BYTES), CHANGE_COMPARED);
	assert_difference(BYTES, BYTES / 4, 0);
	assert_int_equal(hash, first);
	contents[1] = 8;
	contents[300] = 8;
	contents[301] = 8;
	assert_int_equal(write_part(0, BYTES), CHANGE_COMPARED);
	assert_difference(BYTES - 3, BYTES / 4 - 2, 3);
	assert_true(hash != first);
}

static bool find(uint64_t offset, uint64_t bytes, uint8_t type)
{
	const struct value_layout layout = {type, 1, 0, false};
	static struct value_patterns found;

	return snapshots_find_patterns(&object, offset, bytes, &layout, &found) && found.elements;
}

/* The same contents are examined once for each range and type; lost contents are not examined. */
static void test_patterns(void **state)
{
	(void)state;
	assert_false(find(0, BYTES, ELEMENT_INT32));
	write_part(0, BYTES);
	assert_false(find(0, BYTES + 1, ELEMENT_INT32));
	assert_true(find(0, BYTES, ELEMENT_INT32));
	assert_false(find(0, BYTES, ELEMENT_INT32));
	assert_true(find(4, BYTES - 4, ELEMENT_INT32));
	assert_true(find(4, BYTES - 4, ELEMENT_FLOAT32));
	write_part(0, BYTES); /* changes nothing */
	assert_false(find(4, BYTES - 4, ELEMENT_FLOAT32));
	contents[7] = 1;
	write_part(0, BYTES);
	assert_true(find(4, BYTES - 4, ELEMENT_FLOAT32));
	snapshots_lose(&object);
	assert_false(find(0, BYTES, ELEMENT_INT8));
	write_part(0, 10);
	assert_false(find(0, BYTES, ELEMENT_INT8));
	write_part(0, BYTES);
	assert_true(find(0, BYTES, ELEMENT_INT8));
	assert_true(find(0, BYTES, ELEMENT_FLOAT32));
	snapshots_add(&object, contents);
	assert_true(find(0, BYTES, ELEMENT_FLOAT32));
}

/* The bytes before the first write are unknown: none of them counts as changed. */
static void test_unknown(void **state)
{
	(void)state;
	assert_int_equal(write_part(0, 6), CHANGE_COMPARED);
	assert_difference(0, 0, 0);
	assert_int_equal(write_part(2, 10), CHANGE_COMPARED);
	assert_difference(6, 1, 0); /* the words of bytes 0 to 7 are known, the first is cut */
	assert_int_equal(write_part(1499, 1), CHANGE_COMPARED);
	assert_difference(0, 0, 0);
	assert_int_equal(write_part(1499, 1), CHANGE_COMPARED);
	assert_difference(1, 0, 0);
}

static void test_contents_from_the_start(void **state)
{
	(void)state;
	memset(contents, 3, sizeof(contents));
	snapshots_add(&object, contents);
	assert_int_equal(write_part(100, 200), CHANGE_COMPARED);
	assert_difference(200, 50, 0);
}

static void test_lost(void **state)
{
	(void)state;
	assert_int_equal(write_part(0, BYTES), CHANGE_COMPARED);
	snapshots_lose(&object);
	assert_int_equal(write_part(0, 10), CHANGE_LOST);
	assert_difference(0, 0, 0);
	assert_int_equal(hash, 0);
	assert_int_equal(write_part(0, BYTES), CHANGE_LOST);
	assert_int_equal(write_part(0, BYTES), CHANGE_COMPARED);
	assert_difference(BYTES, BYTES / 4, 0);
	snapshots_lose_all();
	assert_int_equal(write_part(0, BYTES), CHANGE_LOST);
	assert_int_equal(write_part(0, BYTES), CHANGE_COMPARED);
}

/* If the first write to an object is not compared, its contents are lost. */
static void test_lost_first(void **state)
{
	(void)state;
	snapshots_lose(&object);
	assert_int_equal(write_part(0, BYTES), CHANGE_LOST);
	assert_int_equal(write_part(0, BYTES), CHANGE_COMPARED);
}

static void test_successor(void **state)
{
	const struct snapshot_object next = {ADDRESS, 2, BYTES};

	(void)state;
	memset(contents, 3, sizeof(contents));
	assert_int_equal(write_part(0, BYTES), CHANGE_COMPARED);
	assert_int_equal(snapshots_compare(&next, 0, BYTES, contents, &difference, &hash),
			 CHANGE_COMPARED);
	assert_difference(0, 0, BYTES);
	snapshots_remove(&object); /* has already ended */
	assert_int_equal(snapshots_compare(&next, 0, BYTES, contents, &difference, &hash),
			 CHANGE_COMPARED);
	assert_difference(BYTES, BYTES / 4, 0);
	snapshots_remove(&next);
	assert_int_equal(snapshots_compare(&next, 0, BYTES, contents, &difference, &hash),
			 CHANGE_COMPARED);
	assert_difference(0, 0, BYTES);
}

static void test_limits(void **state)
{
	const struct snapshot_object large = {0x2000, 3, LIMIT + 1};
	const struct snapshot_object first = {0x3000, 4, LIMIT}, second = {0x4000, 5, LIMIT};
	const struct snapshot_object third = {0x5000, 6, 1};

	(void)state;
	assert_int_equal(snapshots_may_compare(&large), CHANGE_LARGE);
	assert_int_equal(snapshots_may_compare(&first), CHANGE_COMPARED);
	assert_int_equal(snapshots_may_compare(&second), CHANGE_COMPARED);
	assert_int_equal(snapshots_may_compare(&third), CHANGE_MEMORY);
	snapshots_remove(&first);
	/* Writes while there was no memory for its copy were not compared. */
	assert_int_equal(snapshots_compare(&third, 0, 1, "a", &difference, &hash), CHANGE_LOST);
	assert_int_equal(snapshots_compare(&third, 0, 1, "a", &difference, &hash), CHANGE_COMPARED);
	assert_difference(1, 0, 0);
	snapshots_stop();
	assert_int_equal(snapshots_may_compare(&third), CHANGE_LARGE);
}

/* More objects than a process may have mappings. */
static void test_many(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= 100000; i++) {
		const struct snapshot_object one = {i << 8, i, 4};

		assert_int_equal(snapshots_compare(&one, 0, 4, &i, &difference, &hash),
				 CHANGE_COMPARED);
	}
}

static void test_large(void **state)
{
	static unsigned char bytes[LIMIT];
	const struct snapshot_object large = {0x9000, 7, LIMIT};

	(void)state;
	bytes[LIMIT - 1] = 1;
	assert_int_equal(snapshots_compare(&large, 0, LIMIT, bytes, &difference, &hash),
			 CHANGE_COMPARED);
	assert_difference(0, 0, 1);
	assert_int_equal(snapshots_compare(&large, 1, LIMIT - 1, bytes + 1, &difference, &hash),
			 CHANGE_COMPARED);
	assert_difference(LIMIT - 1, LIMIT / 4 - 1, 0);
}

static void test_bounds(void **state)
{
	(void)state;
	assert_int_equal(snapshots_compare(&object, BYTES, 1, contents, &difference, &hash),
			 CHANGE_FAILED);
	assert_int_equal(snapshots_compare(&object, UINT64_MAX, 2, contents, &difference, &hash),
			 CHANGE_FAILED);
	assert_int_equal(snapshots_compare(&object, BYTES, 0, contents, &difference, &hash),
			 CHANGE_COMPARED);
	assert_difference(0, 0, 0);
}

/* Random writes, against a simple model. */
static void test_model(void **state)
{
	static unsigned char model[BYTES];
	static unsigned char known[BYTES];

	(void)state;
	memset(model, 0, sizeof(model));
	memset(known, 0, sizeof(known));
	for (int round = 0; round < 2000; round++) {
		uint64_t offset = (uint64_t)(rand() % BYTES);
		uint64_t bytes = 1 + (uint64_t)rand() % (BYTES - offset);
		uint64_t same = 0, words = 0, changed = 0;

		memcpy(contents, model, BYTES);
		for (uint64_t i = offset; i < offset + bytes; i++)
			if (rand() % 8 == 0)
				contents[i] = (unsigned char)(rand() % 3);
		for (uint64_t i = offset; i < offset + bytes; i++) {
			same += known[i / 4] && contents[i] == model[i];
			changed += contents[i] != model[i];
			words += i % 4 == 0 && i + 4 <= offset + bytes && known[i / 4] &&
				 !memcmp(contents + i, model + i, 4);
		}
		for (uint64_t i = offset; i < offset + bytes; i++)
			known[i / 4] = 1;
		memcpy(model, contents, BYTES);
		assert_int_equal(write_part(offset, bytes), CHANGE_COMPARED);
		assert_difference(same, words, changed);
	}
}

static rlim_t left = RLIM_INFINITY; /* bytes up to the limit */

int __wrap_getrlimit(__rlimit_resource_t what, struct rlimit *limit);
int __wrap_getrlimit(__rlimit_resource_t what, struct rlimit *limit)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	assert_int_equal(what, RLIMIT_AS);
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu", &pages), 1);
	fclose(file);
	limit->rlim_cur = limit->rlim_max =
		left == RLIM_INFINITY ? left : pages * (rlim_t)sysconf(_SC_PAGESIZE) + left;
	return 0;
}

static enum change_reason may_compare(uint64_t serial, uint64_t megabytes)
{
	return snapshots_may_compare(
		&(struct snapshot_object){serial * ADDRESS, serial, megabytes << 20});
}

/* Copies take at most an eighth of what the limit leaves without them. */
static void test_address_space(void **state)
{
	const struct snapshot_object first = {ADDRESS, 1, 4 << 20};

	(void)state;
	snapshots_begin(&(struct snapshot_limits){.object = 1 << 30, .all = 1 << 30});
	left = 64 << 20;
	assert_int_equal(may_compare(2, 16), CHANGE_MEMORY);
	assert_int_equal(may_compare(1, 4), CHANGE_COMPARED);
	assert_int_equal(may_compare(3, 5), CHANGE_MEMORY);
	snapshots_remove(&first);
	assert_int_equal(may_compare(3, 5), CHANGE_COMPARED);
	left = 0;
	assert_int_equal(may_compare(4, 0), CHANGE_MEMORY);
	left = RLIM_INFINITY;
	assert_int_equal(may_compare(2, 16), CHANGE_COMPARED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_first_and_second, set_up),
		cmocka_unit_test_setup(test_unknown, set_up),
		cmocka_unit_test_setup(test_contents_from_the_start, set_up),
		cmocka_unit_test_setup(test_lost, set_up),
		cmocka_unit_test_setup(test_lost_first, set_up),
		cmocka_unit_test_setup(test_successor, set_up),
		cmocka_unit_test_setup(test_limits, set_up),
		cmocka_unit_test_setup(test_many, set_up),
		cmocka_unit_test_setup(test_large, set_up),
		cmocka_unit_test_setup(test_bounds, set_up),
		cmocka_unit_test_setup(test_model, set_up),
		cmocka_unit_test_setup(test_patterns, set_up),
		cmocka_unit_test_setup(test_address_space, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
