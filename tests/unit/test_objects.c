/* SPDX-License-Identifier: MIT */
/* The lifetimes of memory objects, compared with their definitions. */
#include <sys/resource.h>

#include "advise_script.h"
#include "random.h"

enum { A = 0x1000, SIZE = 100 };

/* The expected values for one queue in order, by the definitions. */
struct told {
	uint64_t allocated, released, starts[64], ends[64];
	size_t uses;
};

static struct told told[16];
static uint64_t kernel_starts[64], kernel_ends[64];
static size_t kernel_count;

static uint64_t kernels_within(uint64_t from, uint64_t to)
{
	uint64_t count = 0;

	for (size_t i = 0; i < kernel_count; i++)
		count += kernel_starts[i] >= from && kernel_ends[i] <= to;
	return count;
}

static void make_random(void)
{
	uint64_t time = 1000;

	script_begin();
	memset(told, 0, sizeof(told));
	for (size_t i = 0; i < 16; i++) {
		told[i].allocated = 1 + i + next_random() % 3 * 1000;
		told[i].released = 20000 + i;
		allocates(A * (i + 1), SIZE + i, told[i].allocated);
		releases(A * (i + 1), told[i].released);
	}
	for (kernel_count = 0; kernel_count < 64; kernel_count++) {
		uint64_t start = time + next_random() % 50, end = start + 1 + next_random() % 100;
		uint32_t used = next_random() & next_random();

		time = end;
		kernel_starts[kernel_count] = start;
		kernel_ends[kernel_count] = end;
		used |= 1u << next_random() % 16;
		runs(FRAME_KERNEL, start, end);
		for (size_t i = 0; i < 16; i++) {
			struct told *one = &told[i];

			if (!(used & 1u << i) || start < one->allocated)
				used &= ~(1u << i);
			else
				uses(A * (i + 1), USE_READ)->frame.flags = USE_PARTIAL;
			if (!(used & 1u << i))
				continue;
			one->starts[one->uses] = start;
			one->ends[one->uses++] = end;
		}
		if (!(used & 0xffff))
			kernel_ends[kernel_count] = UINT64_MAX; /* its uses are not known */
	}
}

static void shuffle(void)
{
	for (size_t i = script_length; i > 1; i--) {
		size_t other = next_random() % i;
		union script_frame frame = script[i - 1];

		script[i - 1] = script[other];
		script[other] = frame;
	}
}

static void compare_told(size_t i)
{
	const struct told *one = &told[i];
	uint64_t before = one->uses ? kernels_within(one->allocated, one->starts[0]) : 0;
	uint64_t after = one->uses ? kernels_within(one->ends[one->uses - 1], one->released) : 0;
	uint64_t gaps = 0, time = 0, most = 0;
	const struct object *object = NULL;

	for (size_t use = 1; use < one->uses; use++) {
		uint64_t gap = kernels_within(one->ends[use - 1], one->starts[use]);

		if (gap < idle)
			continue;
		gaps++;
		time += one->starts[use] - one->ends[use - 1];
		most = gap > most ? gap : most;
	}
	for (uint32_t j = 0; j < objects.count; j++)
		if (objects.list[j].address == A * (i + 1))
			object = &objects.list[j];
	assert_non_null(object);
	assert_int_equal(object->lives[LIFE_DEVICE].uses, one->uses);
	assert_int_equal(object->lives[LIFE_DEVICE].before, before);
	assert_int_equal(object->lives[LIFE_DEVICE].after, after);
	assert_int_equal(object->lives[LIFE_DEVICE].gaps, gaps);
	assert_int_equal(object->lives[LIFE_DEVICE].gap_time, time);
	assert_int_equal(object->lives[LIFE_DEVICE].gap_kernels, most);
}

static void add_script(struct collect *collect, struct strbuf *error)
{
	for (size_t i = 0; i < script_length; i++)
		assert_int_equal(collect_add(collect, &script[i].frame, error), 0);
	script_length = 0;
}

/* In any order of the frames, and with the sorts in files. */
static void test_random(void **state)
{
	(void)state;
	for (int round = 0; round < 60; round++) {
		make_random();
		shuffle();
		idle = 1 + next_random() % 3;
		if (round & 1)
			setenv("COMPUTEPROF_TEST_SORT_BUDGET", "65536", 1);
		analyze();
		unsetenv("COMPUTEPROF_TEST_SORT_BUDGET");
		for (size_t i = 0; i < 16; i++)
			compare_told(i);
	}
}

/* A file may have any numbers. */
static void test_hostile(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		make_random();
		for (int damage = 0; damage < 100; damage++) {
			union script_frame *frame = &script[next_random() % script_length];
			uint64_t *words = (void *)(&frame->frame + 1);
			size_t count = (frame->frame.size - sizeof(struct frame)) / 8;

			words[next_random() % count] =
				damage & 1 ? UINT64_MAX - damage / 4 : next_random() % 5;
		}
		analyze();
		for (size_t i = 0; i < findings.count; i++)
			assert_true(findings.list[i].object < objects.count);
	}
}

/* Each kernel uses FOUR of the objects in turn. The uses do not stay in memory. */
static void test_many(void **state)
{
	enum { FOUR = 4, OBJECTS = 1000, ROOM = 24 << 10 /* KiB */ };

	const char *level = getenv("COMPUTEPROF_TEST_LEVEL");
	const char *sanitizers = getenv("COMPUTEPROF_SANITIZERS");
	uint64_t kernels = level && !strcmp(level, "quick") ? 25000 : 250000;
	static const struct process process;
	struct strbuf error = STRBUF_INIT;
	struct collect *collect;
	struct rusage before, after;

	(void)state;
	setenv("COMPUTEPROF_TEST_SORT_BUDGET", "1048576", 1);
	getrusage(RUSAGE_SELF, &before);
	collect = collect_new(&process);
	assert_non_null(collect);
	for (uint64_t i = 0; i < OBJECTS; i++) {
		allocates(A * (i + 1), SIZE, 1 + i);
		releases(A * (i + 1), UINT64_C(1) << 40);
	}
	add_script(collect, &error);
	for (uint64_t i = 0; i < kernels; i++) {
		runs(FRAME_KERNEL, 10000 + 10 * i, 10010 + 10 * i);
		for (uint64_t j = 0; j < FOUR; j++)
			uses(A * (1 + (FOUR * i + j) % OBJECTS), USE_READ);
		add_script(collect, &error);
	}
	assert_int_equal(collect_end(collect, 1, &objects, &error), 0);
	getrusage(RUSAGE_SELF, &after);
	unsetenv("COMPUTEPROF_TEST_SORT_BUDGET");
	collect_free(collect);
	assert_int_equal(objects.uses, FOUR * kernels);
	assert_int_equal(objects.kernels, kernels);
	for (uint32_t i = 0; i < OBJECTS; i++) {
		const struct life *life = &objects.list[i].lives[LIFE_DEVICE];

		assert_int_equal(life->uses, FOUR * kernels / OBJECTS);
		assert_int_equal(life->gap_kernels, OBJECTS / FOUR - 1);
	}
	print_message("%ld KiB more\n", after.ru_maxrss - before.ru_maxrss);
	if (!sanitizers || !*sanitizers)
		assert_true(after.ru_maxrss - before.ru_maxrss < ROOM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_random, script_set_up, script_tear_down),
		cmocka_unit_test_setup_teardown(test_hostile, script_set_up, script_tear_down),
		cmocka_unit_test_setup_teardown(test_many, script_set_up, script_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
