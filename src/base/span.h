/* SPDX-License-Identifier: MIT */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdint.h>

/* Time from a start to an end, which is not before it. */
struct span {
	uint64_t start;
	uint64_t end;
};

#endif
