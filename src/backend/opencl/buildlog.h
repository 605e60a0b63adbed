/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_BUILDLOG_H
#define BACKEND_OPENCL_BUILDLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/cl.h"

/*
 * Gets the number of registers per work-item of `kernel` from the build log, where NVIDIA's
 * compiler prints it with -cl-nv-verbose. Returns false if it does not.
 */
bool buildlog_registers(cl_program program, cl_device_id device, const char *kernel,
			uint32_t *registers);

/* As buildlog_registers, for the text of the log. */
bool buildlog_parse(const char *log, const char *kernel, uint32_t *registers);

#endif
