/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_APICALLS_H
#define BACKEND_OPENCL_APICALLS_H

/*
 * Records the program's calls in the trace. When calls are recorded, the program's calls come to
 * these functions, which call the wrapper of functions.def or the driver's function.
 */

/* That of the function `name`, or NULL. */
void (*apicalls_find(const char *name))(void);

#endif
