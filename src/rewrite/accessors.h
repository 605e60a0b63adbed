/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_ACCESSORS_H
#define REWRITE_ACCESSORS_H

#include "rewrite/unit.h"

/* Appends what enables the types of the accesses. */
void accessors_put_extensions(const struct unit *unit, struct strbuf *to);

/* Appends the functions that load and store, behind those of counting_put. */
void accessors_put(const struct unit *unit, struct strbuf *to);

#endif
