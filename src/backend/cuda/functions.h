/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_FUNCTIONS_H
#define BACKEND_CUDA_FUNCTIONS_H

#include <stdbool.h>

#include "backend/cuda/cupti.h"
#include "backend/cuda/events.h"
#include "backend/cuda/hostapi.h"
#include "backend/cuda/ranges.h"

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

/* Those by which counters are read. A library has all of a kind (`complete`), or is of no use for
 * it. */
struct range_functions {
#define FUNCTION(name, parameters) int(*name) parameters;
#include "backend/cuda/ranges.def"
#undef FUNCTION
	struct hostapi host;
	bool complete; /* `host`, too */
};

struct event_functions {
#define FUNCTION(name, parameters) int(*name) parameters;
#include "backend/cuda/events.def"
#undef FUNCTION
	bool complete;
};

extern struct range_functions ranges;
extern struct event_functions events;

struct driver_functions {
#define FUNCTION(name, parameters) int(*name) parameters;
#include "backend/cuda/driver.def"
#undef FUNCTION
};

/* Those of the driver in this process; NULL where there is none. */
extern struct driver_functions driver;

/* Fills `cupti` from a library that dlopen has opened. NULL, or the first function that it lacks
 * and should not. */
const char *functions_of_cupti(void *library);

/* Fills `ranges` and `events` from the same library. Loads nothing. */
void functions_of_counters(void);

/* Fills `driver` from the libcuda.so.1 that is in the process, if one is. */
void functions_of_driver(void);

#endif
