/* SPDX-License-Identifier: MIT */
#include "rewrite/calls.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/cursor.h"
#include "rewrite/edit.h"
#include "rewrite/types.h"

static void add_call(struct walker *walker, CXCursor cursor, CXCursor name, struct function *callee)
{
	struct call *call = arena_take(walker->arena, sizeof(*call));
	struct target target;
	unsigned end;

	if (!walker_aim(walker, cursor, &target))
		return;
	if (cursor_range(walker->unit, name, &call->name_at, &end)) {
		walker_obstruct(walker, cursor, "a call in a macro of the compiler");
		return;
	}
	call->callee = callee;
	call->close_at = target.end - 1;
	call->order = target.order;
	call->empty = clang_Cursor_getNumArguments(cursor) == 0;
	call->next = walker->function->calls;
	walker->function->calls = call;
}

/* Returns the type that vloadN or vstoreN moves, or NULL for other functions. */
static const struct value_type *moved_type(struct walker *walker, CXCursor cursor, const char *name)
{
	bool stores = !strncmp(name, "vstore", 6);
	const char *number = name + (stores ? 6 : 5);
	const struct value_type *type;

	if ((!stores && strncmp(name, "vload", 5)) || !*number ||
	    strspn(number, "0123468") != strlen(number))
		return NULL;
	type = types_find(
		walker->unit,
		clang_getCursorType(stores ? clang_Cursor_getArgument(cursor, 0) : cursor));
	return type && type->elements == strtoul(number, NULL, 10) ? type : NULL;
}

/* Changes the start of "vload4(" and "vstore4(". Returns false for other functions. */
static bool change_move(struct walker *walker, CXCursor cursor, CXCursor callee, const char *name)
{
	const struct value_type *type = moved_type(walker, cursor, name);
	const char *text = walker->unit->text->text.data;
	bool stores = !strncmp(name, "vstore", 6);
	struct site *site;
	unsigned start, end;

	if (!type || cursor_range(walker->unit, callee, &start, &end))
		return false;
	while (isspace((unsigned char)text[end]))
		end++;
	if (text[end] != '(')
		return false;
	site = walker_add_site(walker, cursor, stores ? ACCESS_STORE : ACCESS_LOAD, type);
	site->type_name = type->name;
	site->size = type->elements == 3 ? type->size / 4 * 3 : type->size;
	edit_replace(walker->unit, walker->function, start, end + 1,
		     arena_print(walker->arena,
				 "computeprof_%s_%s(" WALKER_COUNTERS ", " WALKER_SITE ", ",
				 stores ? "vstore" : "vload", type->name, site->index));
	return true;
}

/* Functions of the compiler that get a pointer to global memory. */
static void add_builtin(struct walker *walker, CXCursor cursor, CXCursor callee)
{
	const char *name = cursor_name(walker->arena, cursor);
	enum object pointee;

	for (int i = 0; i < clang_Cursor_getNumArguments(cursor); i++) {
		pointee = cursor_pointee(
			clang_getCursorType(clang_Cursor_getArgument(cursor, (unsigned)i)));
		if (pointee == OBJECT_NONE)
			continue;
		if (pointee != OBJECT_GLOBAL || !change_move(walker, cursor, callee, name))
			walker_add_uncounted(walker, cursor, name);
		return;
	}
}

void calls_add(struct walker *walker, CXCursor cursor)
{
	struct cursors children = cursor_children(walker->arena, cursor);
	CXCursor name = children.count ? cursor_strip(walker->arena, children.items[0]) : cursor;
	struct function *callee = cursor_function(walker->unit, clang_getCursorReferenced(cursor));

	if (callee)
		add_call(walker, cursor, name, callee);
	else
		add_builtin(walker, cursor, name);
}
