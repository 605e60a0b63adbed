/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FUNCTIONS_H
#define BACKEND_OPENCL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/opencl/cl.h"
#include "backend/opencl/next.h"

/* The wrappers of OpenCL functions. */
#define WRAP(name) __typeof__(name) profiled_##name;
#define USE(name)
#include "backend/opencl/functions.def"
#undef WRAP
#undef USE

struct opencl_function {
	const char *name;
	void (*wrapper)(void);	 /* NULL for those that are only called */
	size_t next_offset;	 /* in struct opencl_functions */
	size_t dispatch_offset; /* in a loader's dispatch table */
};

/* One row per line of functions.def, and a last one without a name. */
extern const struct opencl_function opencl_functions[];

/* The row of this name, or NULL. */
const struct opencl_function *functions_find(const char *name);

/* Returns the function that the program's calls are redirected to; NULL if they are not
 * intercepted, as most are not after profiling was refused. */
void (*functions_entry(const struct opencl_function *function))(void);

/* next.NAME of one row, and whether it is set. */
void functions_set_next(const struct opencl_function *function, void *address);
void *functions_next(const struct opencl_function *function);
bool functions_has_next(const struct opencl_function *function);

#endif
