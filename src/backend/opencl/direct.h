/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_DIRECT_H
#define BACKEND_OPENCL_DIRECT_H

/*
 * The door for programs whose OpenCL functions come from no loader that knows layers: a driver
 * linked or preloaded directly (Oclgrind's runtime), or a loader of before 2020. The linkage tables
 * of everything loaded so far get our wrappers. Does nothing where a loader with layers is in use,
 * and so nothing is ever counted twice.
 */
void direct_arm(void);

#endif
