/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_SYMBOL_HOOK_H
#define BACKEND_OPENCL_SYMBOL_HOOK_H

#include <stdbool.h>

/*
 * Intercepts programs whose OpenCL library does not support layers: a driver that is linked or
 * preloaded directly (Oclgrind's runtime), or a loader older than 2020. Its symbols are redirected
 * to the wrappers, and slots that are already bound to them are rewritten. So linked programs,
 * modules that are loaded later, and look-ups by name get the wrappers. It does nothing if a loader
 * with layers is in use, so no call is recorded twice.
 *
 * A library that is loaded later is detected by its initialization code, which calls __gmon_start__
 * if it is defined; this library defines it. This works with glibc on processors whose objects have
 * such code (x86-64, AArch64, POWER), at no other cost. Wrapping dlopen would hide the caller from
 * the dynamic linker, which uses the caller's search path.
 */
void symbol_hook_arm(void);

/* Called when a loader supports layers after all. Returns true if nothing was intercepted here; the
 * interception is then switched off. */
bool symbol_hook_yield(void);

#endif
