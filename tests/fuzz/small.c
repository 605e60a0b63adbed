/* SPDX-License-Identifier: MIT */
/* A small object for the seeds of symbols.c: functions that are inlined in each other, also in the
 * blocks of others. It is not run. */
struct shape {
	int sides;
	int (*area)(int size);
};

int outer(struct shape *shape, int count);

static int table[4];

static inline __attribute__((always_inline)) int square(int size)
{
	return size * size + 1;
}

static inline __attribute__((always_inline)) int twice(int size)
{
	int first = square(size);

	{
		int second = first + size;

		return square(second) * 2;
	}
}

static __attribute__((noinline)) int local(int size)
{
	table[size & 3] += size;
	return twice(size) + table[1];
}

int outer(struct shape *shape, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += local(i) + shape->area(twice(i));
	return sum;
}
