/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_PROGRAM_H
#define BACKEND_OPENCL_PROGRAM_H

#include <stdbool.h>

#include "backend/opencl/cl.h"

/* Programs that are made from a source, if uses of memory are recorded (used.h). */

/* Returns true if the application holds the program, and its last release will be seen: then
 * lines_forget is called before it. */
bool program_is_held(cl_program handle);

#endif
