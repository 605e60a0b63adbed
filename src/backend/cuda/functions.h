/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_FUNCTIONS_H
#define BACKEND_CUDA_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/cuda/cupti.h"

/* The functions of CUPTI and of the CUDA driver, by their names without "cupti". Set before the
 * first call. NULL if an old release lacks the function (MAY in cupti.def). */
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

/* The functions of the driver in this process; NULL without one. */
extern struct driver_functions driver;

/* A function's name, and the offset of its pointer in a struct. */
struct function_row {
	const char *name; /* NULL ends a table */
	size_t offset;
	bool optional;
};

/* Looks up all functions of a table in a library opened by dlopen; missing ones become NULL.
 * Returns NULL, or the first function that is missing and not optional. */
const char *functions_fill(void *functions, const struct function_row *row, void *library);

/* Fills `cupti` from a library opened by dlopen. Returns as functions_fill. */
const char *functions_of_cupti(void *library);

enum { CUPTI_OF_13_2 = 130200, CUPTI_OF_13_3 = 130300 };

/* Returns the version of a libcupti opened by dlopen, without a call of its functions, which need a
 * driver from CUDA 13.2 on: CUPTI_OF_13_2, or CUPTI_OF_13_3 for 13.3 and later; 0 for earlier
 * releases. */
uint32_t functions_version_by_exports(void *library);

/* Returns the handle of the library of `cupti`; NULL before. */
void *functions_library(void);

/* Fills `driver` from libcuda.so.1 if it is loaded. */
void functions_of_driver(void);

#endif
