/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FUNCTIONS_H
#define BACKEND_OPENCL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/opencl/cl.h"
#include "backend/opencl/next.h"

/* The wrappers of OpenCL functions. */
#define WRAP(name) __typeof__(name) profiled_##name;
#include "backend/opencl/functions.def"

/* The name is an array, since a pointer would need a relocation at the start of every program. */
struct opencl_function {
	char name[48];
	void (*wrapper)(void); /* NULL: the function is not intercepted, only called */
	void (*called)(void);  /* replaces the wrapper if calls are recorded */
	uint32_t next_offset;	  /* in struct opencl_functions */
	uint32_t dispatch_offset; /* in a loader's dispatch table */
};

/* One row per function of functions.def in the dispatch table, and a last one without a name. */
extern const struct opencl_function opencl_functions[];

/* Indexed by enum extension_id; without offsets. */
extern const struct opencl_function opencl_extensions[];

/* Returns the row with this name, or NULL. */
const struct opencl_function *functions_find(const char *name);

/* Returns the function that the program's calls are redirected to; NULL if they are not
 * intercepted, as most are not after profiling was refused. */
void (*functions_entry(const struct opencl_function *function))(void);

/* The same for an extension function. */
void (*functions_extension_entry(const struct opencl_function *extension))(void);

/* Set and return next.NAME of the row; the last one returns true if it is not NULL. */
void functions_set_next(const struct opencl_function *function, void *address);
void *functions_next(const struct opencl_function *function);
bool functions_has_next(const struct opencl_function *function);

#endif
