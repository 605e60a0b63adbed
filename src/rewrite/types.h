/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_TYPES_H
#define REWRITE_TYPES_H

#include "rewrite/unit.h"

/* Returns the value type of a scalar or vector, or NULL for other types. It is added to the unit
 * if it is new. */
const struct value_type *types_find(struct unit *unit, CXType type);

/* Returns the name of a type without qualifiers: OpenCL's, or that of the source. */
const char *types_name(struct unit *unit, CXType type);

#endif
