/* SPDX-License-Identifier: MIT */
/*
 * Prints occupancy.txt, in the build folder of a machine that has a CUDA toolkit:
 *	make tests/unit/print_occupancy
 *	tests/unit/print_occupancy >../tests/unit/occupancy.txt
 */
#include <stdio.h>

#include "occupancy_points.h"
#include "random.h"

int main(void)
{
	uint32_t seed = RANDOM_INIT;

	if (!has_calculator()) {
		fputs("configure has found no cuda_occupancy.h of CUDA 11 or later\n", stderr);
		return 1;
	}
	puts("# Blocks per multiprocessor, as the calculator of the CUDA toolkit has them\n"
	     "# (cuda_occupancy.h). Written by print_occupancy.c, which says how; do not edit.\n"
	     "# compute threads registers static dynamic cache carveout capacity blocks");
	for (int i = 0; i < TABLE_POINTS; i++) {
		struct occupancy_point point;
		char line[128];

		make_point(&point, &seed);
		if (!ask_calculator(&point)) {
			fprintf(stderr, "unknown to this toolkit: %u\n", point.device.compute);
			return 1;
		}
		write_point(&point, line, sizeof(line));
		puts(line);
	}
	return 0;
}
