/* SPDX-License-Identifier: MIT */
#include "rewrite/cursor.h"

#include <ctype.h>
#include <string.h>

/* Numbers of address spaces in libclang. */
enum { SPACE_NONE = 0, SPACE_GLOBAL = 1, SPACE_GENERIC = 5 };

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct cursors *cursors = data;

	(void)parent;
	if (cursors->items)
		cursors->items[cursors->count] = cursor;
	cursors->count++;
	return CXChildVisit_Continue;
}

const char *cursor_name(struct arena *arena, CXCursor cursor)
{
	CXString spelling = clang_getCursorSpelling(cursor);
	const char *name = arena_print(arena, "%s", clang_getCString(spelling));

	clang_disposeString(spelling);
	return name;
}

struct cursors cursor_children(struct arena *arena, CXCursor cursor)
{
	struct cursors cursors = {0};

	clang_visitChildren(cursor, collect, &cursors);
	cursors.items = arena_take(arena, (cursors.count + 1) * sizeof(*cursors.items));
	cursors.count = 0;
	clang_visitChildren(cursor, collect, &cursors);
	return cursors;
}

int cursor_range(const struct unit *unit, CXCursor cursor, unsigned *start, unsigned *end)
{
	CXSourceRange range = clang_getCursorExtent(cursor);
	CXFile first, last;

	clang_getFileLocation(clang_getRangeStart(range), &first, NULL, NULL, start);
	clang_getFileLocation(clang_getRangeEnd(range), &last, NULL, NULL, end);
	if (!first || !last || !clang_File_isEqual(first, unit->file) ||
	    !clang_File_isEqual(last, unit->file) || *start >= *end)
		return -1;
	return 0;
}

CXCursor cursor_strip(struct arena *arena, CXCursor cursor)
{
	struct cursors children;

	while (clang_getCursorKind(cursor) == CXCursor_ParenExpr) {
		children = cursor_children(arena, cursor);
		if (children.count != 1)
			break;
		cursor = children.items[0];
	}
	return cursor;
}

static enum object of_type(CXType type)
{
	if (type.kind == CXType_Invalid)
		return OBJECT_NONE;
	switch (clang_getAddressSpace(type)) {
	case SPACE_GLOBAL:
		return OBJECT_GLOBAL;
	case SPACE_GENERIC:
		return OBJECT_GENERIC;
	default:
		return OBJECT_NONE;
	}
}

enum object cursor_object(CXCursor cursor)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));

	switch ((int)type.kind) {
	case CXType_ConstantArray:
	case CXType_IncompleteArray:
	case CXType_VariableArray:
	case CXType_FunctionProto:
	case CXType_FunctionNoProto:
		return OBJECT_NONE;
	default:
		return of_type(type);
	}
}

enum object cursor_pointee(CXType pointer)
{
	CXType canonical = clang_getCanonicalType(pointer);

	return canonical.kind == CXType_Pointer ? of_type(clang_getPointeeType(canonical))
						: OBJECT_NONE;
}

static bool is_vector(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_ExtVector;
}

bool cursor_is_component(struct arena *arena, CXCursor cursor)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	struct cursors children;

	if (cursor_object(cursor) == OBJECT_NONE ||
	    (kind != CXCursor_UnexposedExpr && kind != CXCursor_ArraySubscriptExpr))
		return false;
	children = cursor_children(arena, cursor);
	return children.count == (kind == CXCursor_UnexposedExpr ? 1 : 2) &&
	       is_vector(clang_getCursorType(children.items[0])) &&
	       cursor_object(children.items[0]) != OBJECT_NONE;
}

/* libclang has no cursor kind for a component behind "->", and its type has no address space. */
bool cursor_is_arrow(const struct unit *unit, CXCursor cursor)
{
	const char *text = unit->text->text.data;
	struct cursors children;
	unsigned start, end, own_end;
	CXType type;

	if (clang_getCursorKind(cursor) != CXCursor_UnexposedExpr)
		return false;
	children = cursor_children(unit->arena, cursor);
	if (children.count != 1)
		return false;
	type = clang_getCanonicalType(clang_getCursorType(children.items[0]));
	if (cursor_pointee(type) == OBJECT_NONE || !is_vector(clang_getPointeeType(type)) ||
	    cursor_range(unit, children.items[0], &start, &end) ||
	    cursor_range(unit, cursor, &start, &own_end))
		return false;
	while (end < own_end && isspace((unsigned char)text[end]))
		end++;
	return end + 1 < own_end && !memcmp(text + end, "->", 2);
}

struct function *cursor_function(const struct unit *unit, CXCursor declaration)
{
	CXCursor canonical = clang_getCanonicalCursor(declaration);
	struct function *function = unit->functions;

	while (function && !clang_equalCursors(function->canonical, canonical))
		function = function->next;
	return function;
}

struct function *cursor_add_function(struct unit *unit, CXCursor declaration)
{
	struct function *function = cursor_function(unit, declaration);

	if (function)
		return function;
	function = arena_take(unit->arena, sizeof(*function));
	function->canonical = clang_getCanonicalCursor(declaration);
	function->name = cursor_name(unit->arena, declaration);
	function->declarations_end = &function->declarations;
	function->uncounted_end = &function->uncounted;
	*unit->functions_end = function;
	unit->functions_end = &function->next;
	return function;
}
