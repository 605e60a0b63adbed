/* SPDX-License-Identifier: MIT */
#ifndef GPU_CUPTILIB_H
#define GPU_CUPTILIB_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/* libcupti for a second client. */
struct cuptilib {
	int (*GetVersion)(uint32_t *version);
	int (*Subscribe)(cupti_subscriber *subscriber, cupti_callback_function *callback,
			 void *user);
	int (*Unsubscribe)(cupti_subscriber subscriber);
	void *handle;	  /* of dlopen */
	bool ranges;	  /* it can measure PerfWorks metrics of kernels */
	const char *path; /* as requested; valid until the next call */
};

/* Opens the library of COMPUTEPROF_CUPTI, else the first one found by the known names. Returns 0 or
 * -1. */
int cuptilib_open(struct cuptilib *library);

#endif
