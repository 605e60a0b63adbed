/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_CURSOR_H
#define REWRITE_CURSOR_H

#include "rewrite/unit.h"

struct cursors {
	CXCursor *items;
	unsigned count;
};

/* The direct children, in the order of the source. */
struct cursors cursor_children(struct arena *arena, CXCursor cursor);

const char *cursor_name(struct arena *arena, CXCursor cursor);

/* Stores the offsets of a cursor in the text. Returns 0, or -1 if it is not of the text. */
int cursor_range(const struct unit *unit, CXCursor cursor, unsigned *start, unsigned *end);

/* The expression within parentheses. */
CXCursor cursor_strip(struct arena *arena, CXCursor cursor);

enum object { OBJECT_NONE, OBJECT_GLOBAL, OBJECT_GENERIC };

/* Where the object that an expression designates is: in global memory, or in memory that is known
 * only at run time. Arrays and functions are no objects here. */
enum object cursor_object(CXCursor cursor);

/* The same for what a pointer points to. */
enum object cursor_pointee(CXType pointer);

/* Returns true for components of a vector: its children are the vector, and an index if there is
 * one. */
bool cursor_is_component(struct arena *arena, CXCursor cursor);

/* Returns true for components of a vector in global memory behind "->": its child is the pointer.
 */
bool cursor_is_arrow(const struct unit *unit, CXCursor cursor);

/* The function of the text that a declaration belongs to, or NULL. */
struct function *cursor_function(const struct unit *unit, CXCursor declaration);

/* The same; a new one is added. */
struct function *cursor_add_function(struct unit *unit, CXCursor declaration);

#endif
