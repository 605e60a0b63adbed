/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_CUPTINAME_H
#define VIEW_SQLITE_CUPTINAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The functions of CUDA that CUPTI has numbers for; nvprof's files have nothing else of them. Those
 * of the runtime and of the driver are counted for themselves.
 */

/* Appends the function's name as nvprof printed it, without versions: cuMemAlloc for
 * cuMemAlloc_v2. A number that is not known is in the name: runtime_function_9999. */
void cuptiname_put(struct strbuf *to, bool is_driver, uint32_t number);

#endif
