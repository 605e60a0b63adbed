/* SPDX-License-Identifier: MIT */
#include "session/control.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "config.h"
#include "entry/computeprof.h"

/* computeprof_start() and computeprof_stop(), which switch recording. Each back end is notified. */
#define ENTRY_POINT	      __attribute__((visibility("default")))
#define BACKEND(name) void name##_control(bool on);
#include "entry/backends.def"
#undef BACKEND

static void (*const control[])(bool on) = {
#define BACKEND(name) name##_control,
#include "entry/backends.def"
#undef BACKEND
	NULL,
};

static void switch_all(bool on)
{
	int error = errno;

	control_switch(on);
	for (size_t i = 0; control[i]; i++)
		control[i](on);
	errno = error;
}

/* In parentheses, since the header has macros of these names. */
ENTRY_POINT void(computeprof_start)(void)
{
	switch_all(true);
}

ENTRY_POINT void(computeprof_stop)(void)
{
	switch_all(false);
}
