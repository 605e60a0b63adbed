/* SPDX-License-Identifier: MIT */
/* Dead writes, from frames that are written by hand. */
#include "advise_script.h"

enum { A = 0x1000, B = 0x2000, SIZE = 100 };

/* Writes of A: the first one is overwritten before anything reads it. */
static void test_dead_write(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	upload(3, 5, A);
	upload(6, 9, A);
	kernel(10, 20, A);
	upload(26, 29, A);
	download(30, 40, A);
	releases(A, 50);
	analyze();
	assert_finding(1, FINDING_DEAD_WRITE, 1, 2);
	assert_count(1);
}

/* None of these is a write of the whole object, after a write that nothing has read. */
static void test_no_dead_write(void **state)
{
	struct use *use;

	(void)state;
	allocates(A, SIZE, 1);
	upload(2, 3, A);
	kernel(4, 5, A); /* may read */
	upload(6, 7, A);
	download(8, 9, A);
	for (int i = 0; i < 4; i++) {
		upload(10 * i + 10, 10 * i + 11, A);
		use = upload(10 * i + 12, 10 * i + 13, A);
		use->bytes = i == 0 ? SIZE - 1 : i == 1 ? 0 /* not known */ : use->bytes;
		use->offset = i == 2;
		use->frame.flags = i == 3 ? USE_PARTIAL : 0;
		download(10 * i + 14, 10 * i + 15, A);
	}
	upload(60, 65, A);
	upload(61, 66, A); /* at the same time: their order is not known */
	download(70, 71, A);
	releases(A, 80);
	allocates(B, 0, 81); /* its size is not known */
	upload(82, 83, B)->bytes = 0;
	upload(84, 85, B)->bytes = 0;
	releases(B, 90);
	analyze();
	assert_count(0);
}

static void test_dead_writes(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	upload(2, 3, A);
	upload(4, 6, A);
	upload(7, 11, A);
	download(14, 15, A);
	releases(A, 50);
	analyze();
	assert_finding(1, FINDING_DEAD_WRITE, 2, 3);
	assert_count(1);
}

/* The parts of a write that a later part leaves are dead with it. */
static void test_dead_parts(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	upload(2, 3, A);
	upload(6, 7, A)->bytes = SIZE - 1;
	upload(8, 9, A);
	download(14, 15, A);
	releases(A, 50);
	analyze();
	assert_finding(1, FINDING_DEAD_WRITE, 1, 1);
	assert_count(1);
}

/* A kernel that is assumed to write only does not prove it. */
static void test_assumed(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	upload(2, 3, A);
	kernel(4, 5, A);
	script[script_length - 1].event.use.access = USE_WRITE;
	upload(8, 9, A);
	download(14, 15, A);
	releases(A, 50);
	analyze();
	assert_count(1);
	assert_true(finding_of(1, FINDING_DEAD_WRITE)->is_assumed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, script_set_up, script_tear_down)
		TEST(dead_write), TEST(dead_writes), TEST(no_dead_write), TEST(dead_parts),
		TEST(assumed),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
