/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_KERNEL_PARAMETERS_H
#define BACKEND_CUDA_KERNEL_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The parameters of kernels, as the driver tells them (cuFuncGetParamInfo, since CUDA 12.4). They
 * are asked for once per function.
 */
struct kernel_parameter {
	uint32_t offset; /* in the kernel's parameters */
	uint32_t size;
};

struct kernel_parameters {
	_Atomic uint32_t generation; /* of the modules, in which they were asked for */
	uint32_t count;
	struct kernel_parameter items[];
};

/* Returns the parameters of the function, NULL without memory or if the driver cannot tell, which a
 * message says once. Valid until the modules' next change. Thread-safe; no lock is held while the
 * driver is asked. */
const struct kernel_parameters *kernel_parameters_of(cuda_function function);

/* Modules are unloaded: functions of others may get the addresses of its functions. */
void kernel_parameters_forget(void);

#endif
