/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_FUNCTIONS_H
#define BACKEND_CUDA_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/cuda/cupti.h"

/* The functions of CUPTI and of the CUDA driver that we call, under their names without "cupti".
 * Set before the first of them is called. NULL where an old release has none (MAY in cupti.def). */
struct cupti_functions {
#define NEED(name, parameters) int(*name) parameters;
#define MAY(name, parameters) NEED(name, parameters)
#include "backend/cuda/cupti.def"
#undef NEED
#undef MAY
};

extern struct cupti_functions cupti;

struct driver_functions {
#define FUNCTION(name, parameters) int(*name) parameters;
#include "backend/cuda/driver.def"
#undef FUNCTION
};

/* Those of the driver in this process; NULL where there is none. */
extern struct driver_functions driver;

/* One that is looked up by its name, and where its address goes. */
struct function_row {
	const char *name; /* NULL ends a table */
	size_t offset;
	bool optional;
};

/* Looks all of a table up in a library that dlopen has opened; NULL where there is none. NULL, or
 * the first function that the library lacks and should not. */
const char *functions_fill(void *functions, const struct function_row *row, void *library);

/* Fills `cupti` from a library that dlopen has opened. NULL, or the first function that it lacks
 * and should not. */
const char *functions_of_cupti(void *library);

/* The library that `cupti` is from, as dlopen gave it; NULL before. */
void *functions_library(void);

/* Fills `driver` from the libcuda.so.1 that is in the process, if one is. */
void functions_of_driver(void);

#endif
