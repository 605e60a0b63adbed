/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_FLOW_STUBS_H
#define TESTS_UNIT_FLOW_STUBS_H

/* Include once per program: stubs of flow.c, for programs that run used.c without the data flow. */
#include <stdlib.h>

#include "backend/opencl/flow.h"

atomic_bool flow_on;

void flow_written(struct used *used, uint64_t address, const struct used_part *part, uint64_t use)
{
	(void)used;
	(void)address;
	(void)part;
	(void)use;
	abort();
}

void flow_lose_all(void)
{
	abort();
}

#endif
