/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_CALLS_H
#define REWRITE_CALLS_H

#include "rewrite/walker.h"

/* Notes a call: of a function of the source, which may get the counters; of vloadN and vstoreN,
 * which are counted; of other functions of the compiler that get a pointer to global memory. */
void calls_add(struct walker *walker, CXCursor cursor);

#endif
