/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/occupancy.h"

enum { KIB = 1024 };

static float of(uint32_t compute, uint64_t threads, uint64_t registers, uint64_t shared)
{
	const struct occupancy_device device = {.compute = compute};

	return occupancy(&device, &(struct occupancy_block){
		.threads = threads,
		.registers = registers,
		.shared = shared,
	});
}

/* clang-format off */
static const struct sample {
	uint32_t compute;
	uint32_t threads, registers, shared;
	double occupancy;
} samples[] = {
	/* Values from the toolkit's own calculator (cuda_occupancy.h). */
	{  90,  256,   32,         0,  1.0      },
	{  90,  256,   40,  48 * KIB,  0.5      },
	{  90,  128,  255,         0,  0.125    },
	{ 100,   96,   33,       KIB,  0.75     },
	{ 120,  256,   32,         0,  1.0      },
	{  75,  256,   32,         0,  1.0      },
	{  35,   96,   33,         0,  0.75     },
	{  30,   32,   33,         0,  0.25     },
	{  50,   32,   18,         0,  0.5      },
	{  52,   32,   18,      3998,  0.375    },
	{  75,   32,   33,         0,  0.5      },
	{  86,   32,   33,         0,  1.0 / 3  },
	{  89,   32,   18,         0,  0.5      },
	/* One block may take at most half of the registers of 3.2, 3.7, 5.3 and 6.2. */
	{  32, 1024,   33,         0,  0        },
	{  37, 1024,   64,         0,  1.0      },
	{  53, 1024,   33,         0,  0        },
	{  52, 1024,   33,         0,  0.5      },
	/* The driver reserves 1 KiB of each block's shared memory since 8.0. */
	{  70,   64,   16,   3 * KIB,  1.0      },
	{  80,   64,   16,   4 * KIB,  1.0      },
	{  80,   64,   16,   5 * KIB,  27 / 32.0 },
	{  80, 1024,   16, 163 * KIB,  0.5      },
	{  80, 1024,   16, 164 * KIB,  0        },
	/* By hand: 48 warps, 8 blocks, 32768 registers in units of 64 a warp, 48 KiB. */
	{  20,  192,   20,         0,  1.0      },
	{  20,   64,   20,         0,  16 / 48.0 },
	{  21,  256,   31,         0,  32 / 48.0 },
	{  21,   64,   31,     32800,  2 / 48.0 },
	{  21,  256,   63,         0,  16 / 48.0 },
	{  21,  256,   64,         0,  0        }, /* more than the limit of a thread */
	/* 21 registers of a warp of 2.x are 768, where 20 are 640 and 23 are 768, too. */
	{  20,   64,   20,         0,  16 / 48.0 },
	{  20,  128,   20,         0,  32 / 48.0 },
	{  20,  192,   21,         0,  42 / 48.0 },
	{  20,  192,   24,         0,  42 / 48.0 },
	{  20,  480,   21,         0,  30 / 48.0 },
	{  20,  480,   16,         0,  45 / 48.0 },
	{  20,  512,   37,         0,  16 / 48.0 },
	{  20,  192,   20,     24576,  12 / 48.0 },
	{  20,  192,   20,     24577,  6 / 48.0 },
	{  20,  192,   20,     49153,  0        },
	/* Unknown devices, and empty blocks. */
	{  13,  256,   16,         0,  0        },
	{ 130,  256,   16,         0,  0        },
	{   0,  256,   16,         0,  0        },
	{  90,    0,   16,         0,  0        },
	{  90, 1056,   16,         0,  0        },
	{  90, 4096,   16,         0,  0        },
};
/* clang-format on */

static void test_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		const struct sample *sample = &samples[i];
		double got = (double)of(sample->compute, sample->threads, sample->registers,
					sample->shared);

		if (got < sample->occupancy - 1e-6 || got > sample->occupancy + 1e-6)
			fail_msg("%u: %u threads, %u registers, %u bytes: %f instead of %f",
				 sample->compute, sample->threads, sample->registers,
				 sample->shared, got, sample->occupancy);
	}
}

/* Blocks of 64 threads and 16 registers: the effect of the configured shared memory. */
/* clang-format off */
static const struct configured {
	uint32_t compute, shared, capacity, blocks;
} configured[] = {
	/* 48 or 16 KiB; 48 where 16 are too few. */
	{  20,  4 * KIB,        0,  8 },
	{  20,  4 * KIB, 48 * KIB,  8 },
	{  20,  4 * KIB, 16 * KIB,  4 },
	{  20, 17 * KIB, 16 * KIB,  2 },
	{  35,  4 * KIB, 48 * KIB, 12 },
	{  35,  4 * KIB, 32 * KIB,  8 },
	{  35,  4 * KIB, 16 * KIB,  4 },
	{  35, 20 * KIB, 16 * KIB,  2 },
	{  37,  8 * KIB, 80 * KIB, 10 },
	{  37,  8 * KIB, 96 * KIB, 12 },
	{  37,  8 * KIB,        0, 14 },
	/* Nothing to configure. */
	{  52,  8 * KIB, 16 * KIB, 12 },
	{  61,  8 * KIB,        1, 12 },
	/* The next step if it is too little. */
	{  70,  3 * KIB,        1,  2 },
	{  70,  3 * KIB, 16 * KIB,  5 },
	{  70, 33 * KIB, 16 * KIB,  1 },
	{  70, 70 * KIB, 16 * KIB,  1 },
	{  75, 10 * KIB,        1,  3 },
	{  75, 33 * KIB, 32 * KIB,  1 },
	{  80,  7 * KIB,  8 * KIB,  1 },
	{  80,  7 * KIB, 32 * KIB,  4 },
	{  80,  7 * KIB,        0, 20 },
	{  90, 32 * KIB, 32 * KIB,  1 },
	{  90, 32 * KIB, UINT32_MAX, 6 },
	{ 120, 20 * KIB, 64 * KIB,  3 },
};
/* clang-format on */

static void test_configured(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(configured) / sizeof(*configured); i++) {
		const struct configured *sample = &configured[i];
		const struct occupancy_device device = {.compute = sample->compute};
		uint32_t blocks = occupancy_blocks(&device, &(struct occupancy_block){
			.threads = 64,
			.registers = 16,
			.shared = sample->shared,
			.shared_capacity = sample->capacity,
		});

		if (blocks != sample->blocks)
			fail_msg("%u: %u bytes of %u: %u blocks instead of %u", sample->compute,
				 sample->shared, sample->capacity, blocks, sample->blocks);
	}
}

static uint32_t blocks_on(const struct occupancy_device *device)
{
	return occupancy_blocks(device, &(struct occupancy_block){
		.threads = 256,
		.registers = 32,
		.shared = 10 * KIB,
	});
}

/* Data that a device reports replaces the table, and a newer device must report everything. */
static void test_reported_limits(void **state)
{
	const struct occupancy_device newer = {
		.compute = 130,
		.threads = 4096,
		.blocks = 48,
		.registers = 128 * KIB,
		.block_registers = 64 * KIB,
		.shared = 256 * KIB,
	};
	const struct occupancy_block small = {.threads = 32, .shared = 20 * KIB};
	struct occupancy_device device = newer;

	(void)state;
	assert_int_equal(blocks_on(&newer), 16);
	assert_true(occupancy(&newer, &small) == 12 / 128.0F);
	device.reserved_shared = 8 * KIB;
	assert_int_equal(blocks_on(&device), 14);
	device.registers = 64 * KIB;
	assert_int_equal(blocks_on(&device), 8);
	device.block_shared = 9 * KIB;
	assert_int_equal(blocks_on(&device), 0);
	for (size_t member = 1; member <= 5; member++) {
		device = newer;
		((uint32_t *)&device)[member] = 0;
		assert_int_equal(blocks_on(&device), 0);
		device.compute = 120;
		assert_true(blocks_on(&device) > 0);
		device.compute = 13;
		assert_int_equal(blocks_on(&device), 0);
	}
	assert_int_equal(blocks_on(&(struct occupancy_device){.compute = 90}), 8);
	assert_int_equal(blocks_on(&(struct occupancy_device){.compute = 90, .blocks = 7}), 7);
	assert_int_equal(blocks_on(&(struct occupancy_device){.compute = 90, .threads = 1536}), 6);
	assert_int_equal(blocks_on(&(struct occupancy_device){.compute = 90, .shared = 33 * KIB}),
			 3);
	assert_true(occupancy(&(struct occupancy_device){.compute = 90, .threads = 1536},
			      &(struct occupancy_block){.threads = 256}) == 1);
}

/* Higher needs never increase the number, and the number stays within the limits. */
static void test_falls(void **state)
{
	(void)state;
	for (uint32_t compute = 20; compute < 130; compute++)
		for (uint32_t threads = 1; threads <= 1024; threads += 93) {
			float registers_before = 1, shared_before = 1;

			for (uint32_t more = 0; more < 256; more++) {
				float registers = of(compute, threads, more, 0);
				float shared = of(compute, threads, 16, more * KIB);

				assert_true(registers >= 0 && registers <= registers_before);
				assert_true(shared >= 0 && shared <= shared_before);
				registers_before = registers;
				shared_before = shared;
			}
		}
}

/* Impossible values must not overflow to possible ones. */
static void test_nonsense(void **state)
{
	(void)state;
	assert_true(of(90, UINT64_MAX, 1, 1) == 0);
	assert_true(of(90, UINT64_MAX - 31, 1, 1) == 0);
	assert_true(of(90, 32, UINT64_MAX, 1) == 0);
	assert_true(of(90, 32, 1, UINT64_MAX) == 0);
	assert_true(of(90, 32, 1, UINT64_MAX - 1024) == 0);
	assert_int_equal(blocks_on(&(struct occupancy_device){
		.compute = UINT32_MAX,
		.threads = UINT32_MAX,
		.blocks = UINT32_MAX,
		.registers = UINT32_MAX,
		.block_registers = UINT32_MAX,
		.shared = UINT32_MAX,
		.block_shared = UINT32_MAX,
		.reserved_shared = UINT32_MAX,
	}), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),		cmocka_unit_test(test_configured),
		cmocka_unit_test(test_reported_limits), cmocka_unit_test(test_falls),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
