/* SPDX-License-Identifier: MIT */
#ifndef MODEL_KEPT_H
#define MODEL_KEPT_H

/* What is recorded only on request, and what only some outputs have; bits. */
enum kept {
	KEPT_STACKS = 1 << 0,	/* the call stacks of records and events */
	KEPT_SAMPLES = 1 << 1,	/* samples of the CPU */
	KEPT_VALUES = 1 << 2,	/* uses of memory, and what is recorded of the values in it */
	KEPT_MANAGED = 1 << 3,	/* events of managed memory */
	KEPT_COUNTERS = 1 << 4, /* counters of kernels */
};

#endif
