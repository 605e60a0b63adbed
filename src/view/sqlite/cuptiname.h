/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_CUPTINAME_H
#define VIEW_SQLITE_CUPTINAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The CUDA functions by CUPTI's numbers, which are all that nvprof's files have. Functions of the
 * runtime and of the driver are numbered separately.
 */

/* Appends the function's name in nvprof's form, without versions: cuMemAlloc for cuMemAlloc_v2. An
 * unknown number becomes part of the name: runtime_function_9999. */
void cuptiname_put(struct strbuf *to, bool is_driver, uint32_t number);

#endif
