/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_APICALLS_H
#define BACKEND_OPENCL_APICALLS_H

#include "backend/opencl/extension.h"

/*
 * The program's calls as records of the trace. Where these are asked for, what the program calls
 * is this one instead of the wrapper of functions.def, which it calls in its turn, or instead of
 * the driver's.
 */

#define WRAP(name)	__typeof__(name) called_##name;
#define USE(name)	__typeof__(name) called_##name;
#define EXTENSION(name) __typeof__(extension_##name) called_##name;
#include "backend/opencl/functions.def"

#endif
