/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_APICALLS_H
#define BACKEND_OPENCL_APICALLS_H

/*
 * The program's calls as records of the trace. Where these are asked for, what the program calls
 * is this one instead of the wrapper of functions.def, which it calls in its turn, or instead of
 * the driver's.
 */

/* That of the function `name`, or NULL. */
void (*apicalls_find(const char *name))(void);

#endif
