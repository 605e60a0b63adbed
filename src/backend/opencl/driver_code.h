/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_DRIVER_CODE_H
#define BACKEND_OPENCL_DRIVER_CODE_H

#include <stdbool.h>

/* Returns true if the code at `address` is part of an OpenCL driver or loader: a loaded object,
 * other than this library, that exports what all of them export. A call from there inside another
 * call is the driver's own; any other one is made by a callback of the program. One with which a
 * callback ends is taken for the driver's if the compiler makes a jump of it, since it returns to
 * the driver. Results are kept, so an object that takes the place of an unloaded one may be
 * mistaken for it. */
bool driver_code_has(const void *address);

#endif
