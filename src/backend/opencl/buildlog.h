/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_BUILDLOG_H
#define BACKEND_OPENCL_BUILDLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/cl.h"

/*
 * The registers that one work-item of `kernel` takes, from what NVIDIA's compiler says in the build
 * log when it is asked with -cl-nv-verbose. False where it does not say.
 */
bool buildlog_registers(cl_program program, cl_device_id device, const char *kernel,
			uint32_t *registers);

/* The same from the log's text. */
bool buildlog_parse(const char *log, const char *kernel, uint32_t *registers);

#endif
