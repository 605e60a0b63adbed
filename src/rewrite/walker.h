/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_WALKER_H
#define REWRITE_WALKER_H

#include "rewrite/unit.h"

#define WALKER_COUNTERS "computeprof_values" /* the parameter of changed functions */
#define WALKER_SITE	"computeprof_s%u"    /* a macro: a site's number (counting_put) */

/* The function whose body is looked at. */
struct walker {
	struct unit *unit;
	struct arena *arena;
	struct function *function;
	unsigned depth;
};

/* An expression that is changed: its offsets, and its place among all of them. */
struct target {
	unsigned start, end, order;
};

/* Notes why the function cannot be rewritten, unless there is an earlier reason. */
void walker_obstruct(struct walker *walker, CXCursor cursor, const char *why);

/* Sets the target. An expression that is not of the text is an obstacle: returns false. */
bool walker_aim(struct walker *walker, CXCursor cursor, struct target *target);

/* Adds text before the target, and behind what ends at an offset. */
void walker_before(struct walker *walker, const struct target *target, const char *text);
void walker_behind(struct walker *walker, unsigned offset, unsigned order, const char *text);

/* Adds a site for a value of a type, at an expression; the caller sets type_name and size. */
struct site *walker_add_site(struct walker *walker, CXCursor at, enum access access,
			     const struct value_type *type);

/* Adds a site for the object that an expression designates. Returns its number. */
unsigned walker_add_object(struct walker *walker, CXCursor object, enum access access);

/* Notes memory accesses by something that is not looked at. */
void walker_add_uncounted(struct walker *walker, CXCursor cursor, const char *name);

#endif
