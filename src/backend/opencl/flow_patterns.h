/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FLOW_PATTERNS_H
#define BACKEND_OPENCL_FLOW_PATTERNS_H

#include "backend/opencl/kernel.h"
#include "session/snapshot.h"
#include "settings/settings.h"

/*
 * The patterns of values (--values patterns), a part of the data flow: the contents of a kernel's
 * argument are examined before and after a launch, as far as they have changed since they were
 * examined, as elements of the type that the argument has. Only flow.c calls these functions; they
 * take locks.
 *
 * An element is enum element_type, the number of components of a vector from bit WIDTH on, and
 * ASSUMED if the type is that of the settings.
 */
enum { PATTERNS_WIDTH = 8, PATTERNS_ASSUMED = 1 << 15 };

/* Does nothing without VALUES_PATTERNS. Call once, before the first command. */
void patterns_begin(const struct settings *settings);
bool patterns_are_on(void);

/* Returns true if the settings leave this launch of the kernel out: call once for each. */
bool patterns_leave_out(const struct opencl_kernel *kernel);

/* Returns the element of a kernel's argument. */
uint16_t patterns_element(cl_kernel kernel, cl_uint index);

/* Returns the element of a type's name, such as "float4*"; 0 if it is no known type. */
uint16_t patterns_type(const char *name);

struct patterns_use {
	uint64_t enter; /* of the call, CLOCK_MONOTONIC ns */
	uint64_t use;	/* correlation of the use */
	uint16_t element;
	bool is_before; /* the command */
};

/* Examines a part of the object, if it was not examined since it has changed, and records what is
 * found. */
void patterns_examine(const struct patterns_use *use, const struct snapshot_object *object,
		      uint64_t offset, uint64_t bytes);

#endif
