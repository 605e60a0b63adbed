/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_SOURCE_H
#define BACKEND_OPENCL_SOURCE_H

#include "session/session.h"

/* The callbacks of the writer for OpenCL's records; their handles are events. */
extern const struct source opencl_source;

#endif
