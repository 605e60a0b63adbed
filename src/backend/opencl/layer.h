/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LAYER_H
#define BACKEND_OPENCL_LAYER_H

/* Appends `library` to OPENCL_LAYERS, unless it is in it. The loader reads the variable at the
 * program's first OpenCL call. */
void layer_arm(const char *library);

#endif
