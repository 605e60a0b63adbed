/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_IMAGE_H
#define BACKEND_OPENCL_IMAGE_H

#include <stdint.h>

#include "backend/opencl/cl.h"

/* Returns the bytes of a part of an image without padding; 0 if `image` is invalid or `region`
 * NULL. */
uint64_t image_bytes(cl_mem image, const size_t region[3]);

#endif
