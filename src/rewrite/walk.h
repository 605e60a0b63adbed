/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_WALK_H
#define REWRITE_WALK_H

#include "rewrite/unit.h"

/* Finds the accesses and calls of a function's body, and stores the changes that count them. */
void walk_body(struct unit *unit, struct function *function, CXCursor body);

#endif
