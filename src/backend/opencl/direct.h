/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_DIRECT_H
#define BACKEND_OPENCL_DIRECT_H

#include <stdbool.h>

/*
 * The door for programs whose OpenCL library knows no layers: a driver linked or preloaded directly
 * (Oclgrind's runtime), or a loader of before 2020. Its symbols are redirected to our wrappers, and
 * the slots of objects that are bound to them already are rewritten. So linked programs, modules
 * that come later, and whoever looks a function up by name get the wrappers. Does nothing where a
 * loader with layers is in use, and so nothing is ever counted twice.
 *
 * Libraries that are loaded later are noticed by their initialisation code, which calls
 * __gmon_start__ if there is one, and there is: ours. That is so with glibc on the processors whose
 * objects have such code (x86-64, AArch64, POWER), and costs nothing else there. Wrapping dlopen
 * instead would hide from the dynamic linker who calls it, whose search path counts.
 */
void direct_arm(void);

/* A loader has layers after all, and wants to use ours. True if it may: nothing came through this
 * door, and it is closed now. */
bool direct_yield(void);

#endif
