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
	return occupancy(compute, &(struct occupancy_block){
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
	/* As the toolkit's own calculator (cuda_occupancy.h) has them. */
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
	/* The driver takes 1 KiB of each block's shared memory since 8.0. */
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
	{  21,  256,   64,         0,  0        }, /* more than a thread can have */
	/* Nothing known, nothing there. */
	{  13,  256,   16,         0,  0        },
	{ 130,  256,   16,         0,  0        },
	{   0,  256,   16,         0,  0        },
	{  90,    0,   16,         0,  0        },
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

/* Taking more never makes room for more, and there is no more room than there is. */
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

/* Figures that no kernel has must not overflow into some that one has. */
static void test_nonsense(void **state)
{
	(void)state;
	assert_true(of(90, UINT64_MAX, 1, 1) == 0);
	assert_true(of(90, UINT64_MAX - 31, 1, 1) == 0);
	assert_true(of(90, 32, UINT64_MAX, 1) == 0);
	assert_true(of(90, 32, 1, UINT64_MAX) == 0);
	assert_true(of(90, 32, 1, UINT64_MAX - 1024) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_falls),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
