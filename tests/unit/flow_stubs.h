/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_FLOW_STUBS_H
#define TESTS_UNIT_FLOW_STUBS_H

/* Include once per program: stubs of flow.c, for programs that run used.c without the data flow,
 * and of source_access.c. */
#include <stdlib.h>

#include "backend/opencl/flow.h"
#include "backend/opencl/source_access.h"

atomic_bool flow_on;

void flow_used(struct used *used, uint64_t address, const struct used_part *part, uint64_t use)
{
	(void)used;
	(void)address;
	(void)part;
	(void)use;
	abort();
}

void flow_launched(struct used *used, const struct opencl_kernel *kernel)
{
	(void)used;
	(void)kernel;
	abort();
}

uint16_t flow_element(cl_kernel kernel, cl_uint index)
{
	(void)kernel;
	(void)index;
	abort();
}

struct source_access source_access(cl_kernel handle)
{
	(void)handle;
	return (struct source_access){0};
}

bool flow_take_turn(void)
{
	abort();
}

void flow_give_turn(void)
{
	abort();
}

void flow_lose_all(void)
{
	abort();
}

#endif
