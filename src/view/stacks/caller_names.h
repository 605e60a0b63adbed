/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_CALLER_NAMES_H
#define VIEW_STACKS_CALLER_NAMES_H

#include "output/output.h"
#include "view/stacks/stackframes.h"

/* In messages about traces that have no stacks. */
#define STACKS_HOW "record with computeprof --stacks, or COMPUTE_PROFILE_STACKS=1"

/*
 * The names of callers (model/caller.h) by the stacks of launches, each found once: functions of
 * the debug information or the symbol table.
 */
struct caller_names;

/* `tell` gets a message for each file without functions. `mangled`: C++ names stay as they are.
 * Returns NULL without memory. */
struct caller_names *caller_names_new(const struct catalog *catalog, bool mangled,
				      stackframes_tell *tell, void *context);

/* NULL is fine. */
void caller_names_free(struct caller_names *names);

/* Returns the name and its length, valid until caller_names_free; NULL if it is not known. It is
 * valid UTF-8 without control characters. */
const char *caller_names_get(struct caller_names *names, uint32_t stack, size_t *length);

/* For output_target.callers. */
const struct output_callers *caller_names_output(struct caller_names *names);

#endif
