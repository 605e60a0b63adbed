/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_APICALLS_H
#define BACKEND_OPENCL_APICALLS_H

#include "backend/opencl/extension.h"

/*
 * Records the program's calls in the trace. When calls are recorded, the program's calls come to
 * these functions, which call the wrapper of functions.def or the driver's function.
 */

#define WRAP(name)	__typeof__(name) called_##name;
#define USE(name)	__typeof__(name) called_##name;
#define EXTENSION(name) __typeof__(extension_##name) called_##name;
#include "backend/opencl/functions.def"

/* Returns the function that also records the uses of memory, in place of a called_NAME; the same
 * function if its calls use none. */
void (*apicalls_with_uses(void (*called)(void)))(void);

#endif
