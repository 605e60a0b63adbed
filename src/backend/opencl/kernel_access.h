/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_KERNEL_ACCESS_H
#define BACKEND_OPENCL_KERNEL_ACCESS_H

#include "backend/opencl/kernel_source.h"

/* Returns how a kernel that has `count` parameters uses this one: a sum of enum use_access; -1: not
 * known. Known accesses have the form parameter[index], or are declared (const). */
int kernel_source_access(const struct kernel_source *found, unsigned index, unsigned count);

#endif
