/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_CALLWINDOW_H
#define BACKEND_OPENCL_CALLWINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* One call that is going on. A call inside of it is the driver's own, or that of a callback. */
struct callwindow {
	uint64_t enter;
	uint64_t newest;	     /* of this thread's records, before the call */
	const struct callwindow *around; /* a nested one's: the `inner` before it */
	bool nested;
	bool skipped; /* the program wants nothing recorded */
};

/* Around what the call goes on to. `name` is the function's, which has static storage; `id` the
 * name's in the catalog, 0 until it is first met. errno stays as it is. */
void callwindow_begin(struct callwindow *window);
void callwindow_end(const struct callwindow *window, const char *name, _Atomic uint32_t *id,
		    int32_t result);

/* Whether the call that goes on in this thread is one that the driver makes of itself. */
bool callwindow_is_drivers(void);

#endif
