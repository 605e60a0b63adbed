/* SPDX-License-Identifier: MIT */
/* The findings about memory objects, from frames that are written by hand. */
#include "advise_script.h"

enum { A = 0x1000, B = 0x2000, C = 0x3000, D = 0x4000, SIZE = 100 };

/* Number 1 is used as soon as it is there and released after that; number 2 is used by the second
 * kernel only. */
static void test_early_and_late(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, 2 * SIZE, 2);
	kernel(10, 20, A);
	kernel(30, 40, B);
	releases(A, 50);
	releases(B, 51);
	analyze();
	assert_finding(2, FINDING_EARLY, 1, 28);
	assert_finding(1, FINDING_LATE, 1, 30);
	assert_count(2);
	assert_true(findings.list[0].waste >= findings.list[1].waste);
	assert_int_equal(findings.list[0].object, finding_of(2, FINDING_EARLY)->object);
}

/* With the calls moved next to the uses, nothing is found. */
static void test_neither(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	kernel(10, 20, A);
	releases(A, 25);
	allocates(B, SIZE, 26);
	kernel(30, 40, B);
	releases(B, 51);
	analyze();
	assert_count(0);
	assert_int_equal(objects.places[1].peak, SIZE);
	assert_int_equal(objects.places[1].needed_peak, SIZE);
	assert_int_equal(objects.places[1].active_peak, SIZE);
}

/* Copies from and to the host, and fills, are no reason to hold the memory: they can be moved. Nor
 * are they work that runs in a gap. */
static void test_transfers(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, 2 * SIZE, 2);
	upload(3, 4, A);
	upload(5, 6, B);
	kernel(10, 20, A);
	kernel(30, 40, B);
	download(41, 42, A);
	releases(A, 50);
	releases(B, 51);
	analyze();
	assert_finding(2, FINDING_EARLY, 1, 28);
	assert_finding(1, FINDING_LATE, 1, 30);
	assert_count(2);

	script_begin();
	allocates(A, SIZE, 1);
	allocates(B, 2 * SIZE, 2);
	upload(3, 4, A);
	upload(5, 6, B);
	kernel(10, 20, B);
	download(30, 40, A);
	releases(A, 50);
	releases(B, 51);
	analyze();
	assert_finding(1, FINDING_IDLE, 1, 26);
	assert_count(1);
}

/* A copy within the device is work of the device. */
static void test_device_copy(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, 2 * SIZE, 2);
	kernel(10, 20, A);
	runs(FRAME_COPY, 30, 40)->direction = DIRECTION_DEVICE;
	uses(A, USE_READ);
	uses(B, USE_WRITE);
	releases(A, 50);
	releases(B, 51);
	analyze();
	assert_finding(2, FINDING_EARLY, 1, 28);
	assert_count(1);
}

static void test_idle(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	kernel(10, 20, A);
	for (uint64_t i = 0; i < 3; i++)
		runs(FRAME_KERNEL, 21 + 2 * i, 22 + 2 * i);
	kernel(30, 40, A);
	releases(A, 41);
	analyze();
	assert_count(0); /* what these kernels use is not known */
	assert_int_equal(objects.opaque, 3);

	script_begin();
	allocates(A, SIZE, 1);
	kernel(10, 20, A);
	allocates(B, 2 * SIZE, 21);
	for (uint64_t i = 0; i < 3; i++)
		kernel(22 + 2 * i, 23 + 2 * i, B);
	releases(B, 29);
	kernel(30, 40, A);
	kernel(41, 45, A);
	releases(A, 46);
	analyze();
	assert_finding(1, FINDING_IDLE, 3, 10);
	assert_count(1);
	idle = 3;
	analyze();
	assert_count(1);
	idle = 4;
	analyze();
	assert_count(0);
}

/* Kernels of another queue that run during a part of the gap are not in it. */
static void test_overlap(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, 2 * SIZE, 2);
	kernel(10, 20, A);
	kernel(15, 25, B);
	kernel(28, 40, B);
	kernel(30, 50, A);
	releases(B, 60);
	releases(A, 61);
	analyze();
	assert_count(0);
}

/* Two queues use the object at the same time: there is no gap between them. */
static void test_overlapping_uses(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	kernel(10, 40, A);
	allocates(B, 2 * SIZE, 11);
	kernel(12, 13, B);
	kernel(14, 15, B);
	releases(B, 16);
	kernel(20, 30, A);
	releases(A, 50);
	analyze();
	assert_count(0);
}

/* The clocks of the host and the device differ a little. */
static void test_clocks(void **state)
{
	(void)state;
	allocates(A, SIZE, 10);
	kernel(8, 20, A);
	script[script_length - 2].record.enter = 11;
	script[script_length - 1].event.use.enter = 11;
	releases(A, 50);
	analyze();
	assert_count(0);
	assert_int_equal(objects.list[0].lives[LIFE_DEVICE].first, 10);
}

/* Objects of two APIs may have the same address. */
static void test_apis(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(A, 2 * SIZE, 2)->api = API_CUDA;
	kernel(10, 20, A);
	kernel(21, 30, A);
	script[script_length - 1].event.use.api = API_CUDA;
	releases(A, 31);
	script[script_length - 1].event.allocation.api = API_CUDA;
	analyze();
	assert_int_equal(objects.count, 2);
	assert_int_equal(objects.list[0].lives[LIFE_DEVICE].uses, 1);
	assert_int_equal(objects.list[1].lives[LIFE_DEVICE].uses, 1);
	assert_non_null(finding_of(1, FINDING_LEAK));
	assert_non_null(finding_of(2, FINDING_EARLY));
	assert_count(2);
}

/* Kernels of other contexts are no reason: their memory is another one. */
static void test_contexts(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	runs(FRAME_KERNEL, 5, 6)->context = 1;
	uses(B, USE_READ_WRITE);
	kernel(10, 20, A);
	releases(A, 30);
	analyze();
	assert_int_equal(objects.unknown_uses, 1);
	assert_count(0);
}

static void test_unused(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, SIZE, 2);
	upload(3, 4, B);
	releases(A, 50);
	releases(B, 51);
	analyze();
	assert_finding(1, FINDING_UNUSED, 0, 49);
	assert_count(1);
}

static void test_leak(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	kernel(10, 20, A);
	kernel(30, 40, A);
	allocates(B, SIZE, 45);
	kernel(50, 60, B);
	releases(B, 70);
	analyze();
	assert_finding(1, FINDING_LEAK, 0, 30);
	assert_non_null(finding_of(2, FINDING_REDUNDANT));
	assert_count(2);
	limits.open_ones = 1u << FINDING_LEAK;
	analyze();
	assert_count(1);
}

/* The release of the first one is missing: nothing is said about it. */
static void test_replaced(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, 2 * SIZE, 2);
	kernel(5, 6, B);
	releases(B, 7);
	allocates(A, SIZE, 30);
	kernel(50, 60, A);
	releases(A, 70);
	analyze();
	assert_int_equal(objects.count, 3);
	assert_count(0);
	assert_int_equal(objects.places[1].peak, 3 * SIZE);
	assert_int_equal(objects.places[1].peak_time, 2);
}

/* Three products of matrices, as 3MM of Polybench. E waits while F is made. */
static void test_three_products(void **state)
{
	enum { E = 0x5000, F = 0x6000, G = 0x7000 };

	static const uint64_t all[] = {A, B, C, D, E, F, G};

	(void)state;
	for (size_t i = 0; i < 7; i++)
		allocates(all[i], SIZE, 1 + i);
	kernel(10, 20, A);
	uses(B, USE_READ);
	uses(E, USE_READ_WRITE);
	kernel(20, 30, C);
	uses(D, USE_READ);
	uses(F, USE_READ_WRITE);
	kernel(30, 40, E);
	uses(F, USE_READ);
	uses(G, USE_READ_WRITE);
	for (size_t i = 0; i < 7; i++)
		releases(all[i], 50 + i);
	analyze();
	assert_int_equal(findings.kinds[FINDING_EARLY], 4); /* C, D, F, G */
	assert_int_equal(findings.kinds[FINDING_LATE], 4);  /* A, B, C, D */
	assert_finding(5, FINDING_IDLE, 1, 10);
	assert_int_equal(findings.kinds[FINDING_REDUNDANT], 3); /* no memory is given twice */
	assert_count(12);
	assert_int_equal(objects.places[1].peak, 7 * SIZE);
	assert_int_equal(objects.places[1].needed_peak, 4 * SIZE);
	assert_int_equal(objects.places[1].active_peak, 3 * SIZE);
}

static void test_redundant(void **state)
{
	uint32_t first;

	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, SIZE, 2);
	allocates(C, SIZE + 1, 3);
	allocates(D, SIZE, 4)->memory = MEMORY_KIND_MANAGED;
	kernel(10, 20, A);
	kernel(20, 30, C);
	uses(D, USE_READ_WRITE);
	kernel(30, 40, B);
	for (uint64_t i = A; i <= D; i += A)
		releases(i, 50);
	analyze();
	assert_int_equal(findings.kinds[FINDING_REDUNDANT], 1);
	assert_finding(2, FINDING_REDUNDANT, 0, 48);
	first = objects.list[finding_of(2, FINDING_REDUNDANT)->object].reuses;
	assert_int_equal(objects.list[first].number, 1);

	script_begin();
	allocates(A, SIZE, 1);
	allocates(B, SIZE, 2);
	kernel(10, 20, A);
	kernel(19, 30, B); /* at the same time */
	releases(A, 40);
	releases(B, 41);
	analyze();
	assert_int_equal(findings.kinds[FINDING_REDUNDANT], 0);
}

/* Commands without times count at their call. */
static void test_untimed(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	allocates(B, 2 * SIZE, 2);
	kernel(10, 20, A);
	kernel(30, 40, B);
	script[script_length - 2].record.known = 0;
	releases(A, 50);
	releases(B, 51);
	analyze();
	assert_int_equal(objects.untimed_uses, 1);
	assert_count(1); /* the second kernel is not known to be after the first one's end */
	assert_true(finding_of(2, FINDING_EARLY)->is_assumed);
	assert_int_equal(finding_of(2, FINDING_EARLY)->time, 28);
}

/* The record of a kernel is missing: it counts at its call, and as a use by the device. */
static void test_missing(void **state)
{
	(void)state;
	for (uint32_t argument = 0; argument < 2; argument++) {
		struct use *use;

		script_begin();
		allocates(A, SIZE, 1);
		allocates(B, 2 * SIZE, 2);
		kernel(10, 20, B);
		use = uses(A, USE_READ);
		use->enter = 30;
		use->record = argument ? 0 : 99;
		use->argument = argument ? argument : USE_NO_ARGUMENT;
		releases(B, 31);
		releases(A, 50);
		analyze();
		assert_int_equal(objects.list[0].lives[LIFE_DEVICE].uses, 1);
		assert_int_equal(objects.list[0].lives[LIFE_DEVICE].first, 30);
		assert_count(1);
		assert_true(finding_of(1, FINDING_EARLY)->is_assumed);
	}
}

/* A command that uses the object is still queued or running when it is released. */
static void release_early(uint64_t at)
{
	script_begin();
	allocates(A, SIZE, 1);
	allocates(B, 2 * SIZE, 2);
	kernel(10, 20, A);
	kernel(21, 22, B);
	kernel(30, 40, A);
	script[script_length - 2].record.enter = 24;
	script[script_length - 1].event.use.enter = 24;
	releases(A, at);
	releases(B, 41);
	analyze();
	assert_null(finding_of(1, FINDING_LATE));
	assert_finding(1, FINDING_IDLE, 1, 10);
	assert_finding(2, FINDING_EARLY, 1, 19);
	assert_finding(2, FINDING_LATE, 1, 19);
	assert_count(3);
}

static void test_outlived(void **state)
{
	(void)state;
	release_early(25);
	release_early(35);
}

static void test_limits(void **state)
{
	(void)state;
	for (int kind = 0; kind < FINDING_KINDS; kind++) {
		script_begin();
		test_three_products(state);
		limits.left_out = 1u << kind;
		analyze();
		assert_int_equal(findings.kinds[kind], 0);
		limits.left_out = 0;
	}
}

/* Kernels reach these by addresses in other memory, too. */
static void test_hidden(void **state)
{
	static const struct {
		uint16_t api, memory;
	} kinds[] = {{API_CUDA, MEMORY_KIND_DEVICE}, {API_OPENCL, MEMORY_KIND_MANAGED}};

	for (size_t i = 0; i < 2; i++) {
		struct allocation *allocation;

		script_begin();
		allocation = allocates(A, SIZE, 1);
		allocation->api = kinds[i].api;
		allocation->memory = kinds[i].memory;
		kernel(10, 20, B);
		script[script_length - 1].event.use.api = kinds[i].api;
		analyze();
		assert_count(2);
		assert_true(finding_of(1, FINDING_UNUSED)->is_assumed);
		assert_false(finding_of(1, FINDING_LEAK)->is_assumed);
	}
	(void)state;
}

/* The command of a graph may use anything of its context. */
static void test_opaque(void **state)
{
	(void)state;
	allocates(A, SIZE, 1);
	kernel(10, 20, B);
	releases(A, 30);
	runs(FRAME_KERNEL, 40, 50)->context = 1;
	analyze();
	assert_count(1);
	assert_false(findings.list[0].is_assumed);
	runs(FRAME_KERNEL, 40, 50);
	analyze();
	assert_count(1);
	assert_true(findings.list[0].is_assumed);
}

/* Buffers on the host are counted apart, but kernels use them as others. */
static void test_host(void **state)
{
	(void)state;
	allocates(A, SIZE, 1)->memory = MEMORY_KIND_PINNED;
	allocates(B, 2 * SIZE, 2);
	kernel(10, 20, A);
	kernel(30, 40, B);
	releases(A, 50);
	releases(B, 51);
	analyze();
	assert_int_equal(objects.places[1].peak, 2 * SIZE);
	assert_int_equal(objects.places[DEVICE_PLACES + 1].peak, SIZE);
	assert_int_equal(objects.places[DEVICE_PLACES + 1].needed_peak, SIZE);
	assert_int_equal(objects.places[DEVICE_PLACES + 1].active_peak, SIZE);
	assert_true(objects.list[0].flags & OBJECT_AT_PEAK);
	assert_finding(2, FINDING_EARLY, 1, 28);
	assert_finding(1, FINDING_LATE, 1, 30);
	assert_count(2);
}

/* Variables of modules live as long as the module, and an API without uses did not record them. */
static void test_examined(void **state)
{
	(void)state;
	allocates(A, SIZE, 1)->memory = MEMORY_KIND_STATIC;
	allocates(B, SIZE, 2)->api = API_CUDA;
	allocates(C, SIZE, 3);
	kernel(10, 20, C);
	releases(C, 30);
	analyze();
	assert_int_equal(objects.count, 3);
	assert_count(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, script_set_up, script_tear_down)
		TEST(early_and_late), TEST(neither),	   TEST(transfers),
		TEST(device_copy),    TEST(idle),	   TEST(overlap),
		TEST(contexts),	      TEST(unused),	   TEST(leak),
		TEST(replaced),	      TEST(three_products), TEST(redundant),
		TEST(untimed),	      TEST(outlived),
		TEST(limits),	      TEST(examined),	   TEST(hidden),
		TEST(opaque),	      TEST(missing),	   TEST(host),
		TEST(overlapping_uses), TEST(clocks),	   TEST(apis),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
