/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_CALLSCOPE_H
#define BACKEND_OPENCL_CALLSCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "session/probe.h"

/* A call in progress. A call inside of it is made by a callback of the program or, in direct mode,
 * by the driver, whose calls are not recorded. */
struct callscope {
	struct probe_call call;
	const struct callscope *around; /* of a nested call: the `inner` before it */
	enum {
		CALLSCOPE_OUTERMOST,
		CALLSCOPE_CALLBACKS,
		CALLSCOPE_DRIVERS, /* not recorded */
		CALLSCOPE_SKIPPED, /* recording is off */
	} kind;
};

/* Called before and after the inner call; callscope_begin_command if it makes a record before all
 * else that takes time (probe_command_begin). The call returns to `caller`. `name` has static
 * storage; `id` is the name's id in the catalog, 0 until its first use. errno is kept. */
void callscope_begin(struct callscope *window, const void *caller);
void callscope_begin_command(struct callscope *window, const void *caller);
void callscope_end(struct callscope *window, const char *name, _Atomic uint32_t *id,
		   int32_t result);

/* Returns the correlation up to which this thread's records are those of calls inside the one in
 * progress, 0 if there were none. */
uint64_t callscope_nested_records(void);

/* Returns true if the call in progress on this thread was made by the driver. */
bool callscope_is_drivers(void);

#endif
