/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

enum { SAMPLES = 8 };

int64_t clock_offset(clockid_t id, clockid_t other)
{
	uint64_t narrowest = UINT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < SAMPLES; i++) {
		uint64_t before = clock_read(other);
		uint64_t middle = clock_read(id);
		uint64_t after = clock_read(other);

		if (after - before < narrowest) {
			narrowest = after - before;
			offset = (int64_t)(middle - (before + (after - before) / 2));
		}
	}
	return offset;
}
