/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_OPENCL_H
#define BACKEND_OPENCL_OPENCL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "settings/settings.h"

/*
 * The OpenCL back end. It is loaded as a layer of the program's OpenCL loader (layer.c) or, if the
 * OpenCL library does not support layers, redirects its symbols to the wrappers (symbol_hook.c).
 */

/* Called by the library's constructor when profiling is on: prepares both ways. `library` is the
 * path of this library. */
void opencl_arm(const char *library);

/* Reads the settings and joins the session, once per process. Returns false if OpenCL is not
 * profiled. */
bool opencl_attach(void);

/* Reads and returns the settings, before the back end attaches. */
const struct settings *opencl_load_settings(void);

/* Returns the settings of an attached back end. */
const struct settings *opencl_settings(void);

/* Returns true if the configuration file cannot be used: nothing is profiled, and the log has the
 * reason. */
bool opencl_is_refused(void);

/* The driver may call itself through the redirected symbols: calls inside calls are the driver's,
 * not the program's. */
bool opencl_is_hooked(void);
void opencl_set_hooked(bool is_direct);

/* Keeps the library with this address loaded: the program may unload it while the writer still
 * calls it. */
void opencl_pin(const void *address);

/* True while commands and calls are recorded. The value may change at any moment. */
extern atomic_bool opencl_records;
static inline bool opencl_is_recording(void)
{
	return atomic_load_explicit(&opencl_records, memory_order_acquire);
}

/* Applies the program's control call (session/control.h). */
void opencl_control(bool on);

/* The loader unloads the driver: it must not be called any more until the back end attaches
 * again. */
void opencl_set_gone(bool is_gone);
bool opencl_is_gone(void);

#endif
