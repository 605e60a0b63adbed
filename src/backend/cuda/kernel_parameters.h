/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_KERNEL_PARAMETERS_H
#define BACKEND_CUDA_KERNEL_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The parameters of kernels, as the driver reports them (cuFuncGetParamInfo, since CUDA 12.4). Each
 * function is queried once.
 */
struct kernel_parameter {
	uint32_t offset; /* in the kernel's parameters */
	uint32_t size;
};

struct kernel_parameters {
	_Atomic uint32_t generation; /* of the modules, at the time of the query */
	uint32_t count;
	struct kernel_parameter items[];
};

/* Returns the parameters of the function, NULL without memory or if the driver cannot be queried;
 * then a message is printed once. Valid until the modules' next change. Thread-safe; no lock is
 * held during the query. */
const struct kernel_parameters *kernel_parameters_of(cuda_function function);

/* Call when modules are unloaded: functions of other modules may get the addresses of their
 * functions later. */
void kernel_parameters_forget(void);

#endif
