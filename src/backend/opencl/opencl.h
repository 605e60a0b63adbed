/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_OPENCL_H
#define BACKEND_OPENCL_OPENCL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "settings/settings.h"

/*
 * The OpenCL back end. It gets into a program as a layer of its OpenCL loader (layer.c), or, where
 * the OpenCL library knows no layers, by redirecting its symbols to our wrappers (direct.c).
 */

/* From the library's constructor, with profiling wanted: opens those doors. `library` is our
 * path. */
void opencl_arm(const char *library);

/* Reads the settings and joins the session, once per process. False: OpenCL is not profiled. */
bool opencl_attach(void);

/* Reads the settings, before the back end attaches, and gives them. */
const struct settings *opencl_load_settings(void);

/* The settings of an attached back end. */
const struct settings *opencl_settings(void);

/* The configuration file cannot be used: nothing is profiled, but the log says so. */
bool opencl_is_refused(void);

/* The driver may call itself through the symbols that we changed: calls inside calls are its own,
 * not the program's. */
bool opencl_is_direct(void);
void opencl_set_direct(bool is_direct);

/* Keeps the library with this address, which the program may unload while our writer still asks
 * it. */
void opencl_pin(const void *address);

/* Whether commands and calls are recorded now. Only a look: what others ask for meanwhile holds a
 * moment later. */
extern atomic_bool opencl_records;
static inline bool opencl_is_recording(void)
{
	return atomic_load_explicit(&opencl_records, memory_order_relaxed);
}

/* What the program asks for (session/control.h). */
void opencl_control(bool on);

/* The loader takes the driver down: nothing may be asked of it any more, until the back end
 * attaches again. */
void opencl_set_gone(bool is_gone);
bool opencl_is_gone(void);

#endif
