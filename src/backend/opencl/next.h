/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_NEXT_H
#define BACKEND_OPENCL_NEXT_H

#include "backend/opencl/cl.h"

/* The wrapped functions: the driver's, or those of the next layer. Set once, before the first
 * wrapper runs. NULL if an old loader or driver lacks the function. */
struct opencl_functions {
#define WRAP(name) __typeof__(&name) name;
#define USE(name)  __typeof__(&name) name;
#include "backend/opencl/functions.def"
};

extern struct opencl_functions next;

#endif
