/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LAYER_H
#define BACKEND_OPENCL_LAYER_H

/* Puts `library` into OPENCL_LAYERS, behind what is there, unless it is there already. The loader
 * reads the variable at the program's first OpenCL call. */
void layer_arm(const char *library);

#endif
