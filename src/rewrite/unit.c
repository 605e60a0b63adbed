/* SPDX-License-Identifier: MIT */
#include "rewrite/unit.h"

#include <ctype.h>
#include <string.h>

#include "rewrite/cursor.h"
#include "rewrite/walk.h"

/* The visit of the declarations at the top. */
struct reading {
	struct unit *unit;
	unsigned behind; /* the end of the declaration before this one */
};

/* Offset of what matches the "(" at an offset, or 0. */
static unsigned find_close(const char *text, unsigned open, unsigned end)
{
	unsigned depth = 0;

	for (unsigned i = open; i < end; i++) {
		depth += text[i] == '(';
		depth -= text[i] == ')';
		if (!depth)
			return i;
	}
	return 0;
}

static bool is_kernel(const struct unit *unit, CXCursor cursor)
{
	struct cursors children = cursor_children(unit->arena, cursor);
	const char *text = unit->text->text.data;
	unsigned start, end;

	for (unsigned i = 0; i < children.count; i++)
		if (clang_isAttribute(clang_getCursorKind(children.items[i])) &&
		    !cursor_range(unit, children.items[i], &start, &end) &&
		    ((end - start == 8 && !memcmp(text + start, "__kernel", 8)) ||
		     (end - start == 6 && !memcmp(text + start, "kernel", 6))))
			return true;
	return false;
}

/* Finds the parentheses of the parameters. */
static int find_parameters(const struct unit *unit, struct declaration *declaration)
{
	const char *text = unit->text->text.data;
	unsigned open = declaration->name_at;

	while (open < declaration->end &&
	       (isalnum((unsigned char)text[open]) || text[open] == '_' || text[open] == '$'))
		open++;
	while (open < declaration->end && isspace((unsigned char)text[open]))
		open++;
	if (open >= declaration->end || text[open] != '(')
		return -1;
	declaration->open_at = open;
	declaration->close_at = find_close(text, open, declaration->end);
	return declaration->close_at ? 0 : -1;
}

/* What is in front of a declaration: attributes, and directives. */
static unsigned skip_end(const struct unit *unit, unsigned from, unsigned to)
{
	const char *text = unit->text->text.data;

	while (from < to && (isspace((unsigned char)text[from]) || text[from] == ';'))
		from++;
	return from;
}

/* Finds the ";" of a prototype: attributes may be in front of it. Returns its offset, or 0 if
 * further declarations come first. */
static unsigned find_semicolon(const struct unit *unit, unsigned from)
{
	const char *text = unit->text->text.data;
	unsigned depth = 0;

	for (; from < unit->text->text.length; from++) {
		if (!depth && text[from] == ';')
			return from;
		if (!depth && text[from] == ',')
			return 0;
		depth += text[from] == '(';
		depth -= text[from] == ')';
	}
	return 0;
}

/* Returns the offset behind the literal that begins at `from`. */
static unsigned skip_literal(const struct unit *unit, unsigned from)
{
	const char *text = unit->text->text.data;
	unsigned at = from + 1;

	while (at < unit->text->text.length && text[at] != text[from])
		at += text[at] == '\\' ? 2 : 1;
	return at + 1;
}

/* Returns the offset of the ";" of the variables that are declared at `from`, or the end of the
 * text. clang's range of a sampler does not have the parentheses around its value. */
static unsigned find_variables_end(const struct unit *unit, unsigned from)
{
	const char *text = unit->text->text.data;
	unsigned depth = 0;

	while (from < unit->text->text.length && (depth || text[from] != ';')) {
		if (text[from] == '"' || text[from] == '\'') {
			from = skip_literal(unit, from);
			continue;
		}
		depth += text[from] == '(' || text[from] == '[' || text[from] == '{';
		depth -= text[from] == ')' || text[from] == ']' || text[from] == '}';
		from++;
	}
	return from;
}

static CXCursor find_body(const struct unit *unit, CXCursor cursor)
{
	struct cursors children = cursor_children(unit->arena, cursor);

	for (unsigned i = 0; i < children.count; i++)
		if (clang_getCursorKind(children.items[i]) == CXCursor_CompoundStmt)
			return children.items[i];
	return clang_getNullCursor();
}

static void obstruct(struct unit *unit, struct function *function, unsigned offset, const char *why)
{
	if (function->obstacle)
		return;
	function->obstacle = why;
	function->obstacle_at = preprocess_origin(unit->text, offset);
}

static void read_function(struct reading *reading, CXCursor cursor, unsigned end)
{
	struct unit *unit = reading->unit;
	struct declaration *declaration = arena_take(unit->arena, sizeof(*declaration));
	struct function *function = cursor_add_function(unit, cursor);
	CXCursor body = find_body(unit, cursor);
	unsigned start, body_end;

	declaration->end = clang_Cursor_isNull(body) ? find_semicolon(unit, end) : end;
	clang_getFileLocation(clang_getCursorLocation(cursor), NULL, NULL, NULL,
			      &declaration->name_at);
	declaration->start = skip_end(unit, reading->behind, declaration->name_at);
	declaration->parameters = (unsigned)clang_Cursor_getNumArguments(cursor);
	if (!declaration->end || find_parameters(unit, declaration) ||
	    unit->text->text.data[declaration->start] == ',')
		obstruct(unit, function, declaration->name_at, "a declaration in this form");
	if (!function->declarations)
		function->at = preprocess_origin(unit->text, declaration->name_at);
	function->kernel |= is_kernel(unit, cursor);
	*function->declarations_end = declaration;
	function->declarations_end = &declaration->next;
	if (clang_Cursor_isNull(body) || cursor_range(unit, body, &start, &body_end))
		return;
	declaration->body_at = start + 1;
	declaration->body_end = body_end - 1;
	function->defined = true;
	walk_body(unit, function, body);
}

static enum CXChildVisitResult read_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct reading *reading = data;
	unsigned start, end;

	(void)parent;
	if (cursor_range(reading->unit, cursor, &start, &end))
		return CXChildVisit_Continue;
	if (clang_getCursorKind(cursor) == CXCursor_FunctionDecl)
		read_function(reading, cursor, end);
	if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
		end = find_variables_end(reading->unit, start);
	if (end > reading->behind)
		reading->behind = end;
	return CXChildVisit_Continue;
}

void unit_read(struct unit *unit)
{
	struct reading reading = {.unit = unit};

	unit->order = 1;
	unit->functions_end = &unit->functions;
	unit->sites_end = &unit->sites;
	clang_visitChildren(clang_getTranslationUnitCursor(unit->parsed), read_top, &reading);
}

/* Functions need the counters if functions that they call do. */
static void spread_needs(struct unit *unit)
{
	bool changed = true;

	for (struct function *function = unit->functions; function; function = function->next)
		function->needs = function->accesses;
	while (changed) {
		changed = false;
		for (struct function *function = unit->functions; function;
		     function = function->next)
			for (struct call *call = function->calls; call; call = call->next)
				if (call->callee->needs && !function->needs)
					changed = function->needs = true;
	}
}

static void obstruct_kernel_calls(struct unit *unit)
{
	for (struct function *function = unit->functions; function; function = function->next)
		for (struct call *call = function->calls; call; call = call->next)
			if (call->callee->kernel) {
				obstruct(unit, function, call->name_at, "a call of a kernel");
				obstruct(unit, call->callee, call->name_at,
					 "a function calls this kernel");
			}
}

struct function *unit_reach(struct unit *unit, struct function *from)
{
	struct function *found = NULL;
	bool changed = true;

	from->mark = ++unit->mark;
	while (changed) {
		changed = false;
		for (struct function *function = unit->functions; function;
		     function = function->next) {
			if (function->mark != unit->mark)
				continue;
			if (function->obstacle && !found)
				found = function;
			for (struct call *call = function->calls; call; call = call->next)
				if (call->callee->mark != unit->mark) {
					call->callee->mark = unit->mark;
					changed = true;
				}
		}
	}
	return found;
}

void unit_decide(struct unit *unit)
{
	struct function *obstacle;

	spread_needs(unit);
	obstruct_kernel_calls(unit);
	for (struct function *kernel = unit->functions; kernel; kernel = kernel->next) {
		if (!kernel->kernel || !kernel->defined)
			continue;
		obstacle = unit_reach(unit, kernel);
		if (obstacle) {
			obstruct(unit, kernel, 0, obstacle->obstacle);
			kernel->obstacle_at = obstacle->obstacle_at;
			continue;
		}
		if (!kernel->needs)
			continue;
		for (struct function *function = unit->functions; function;
		     function = function->next)
			if (function->mark == unit->mark)
				function->used = true;
	}
}

/* Notes what each rewritten kernel reaches. */
static void note_reached(struct unit *unit)
{
	unsigned count = 0;

	for (struct function *function = unit->functions; function; function = function->next)
		function->index = count++;
	for (struct function *kernel = unit->functions; kernel; kernel = kernel->next) {
		if (!kernel->kernel || !kernel->used)
			continue;
		unit_reach(unit, kernel);
		kernel->reached = arena_take(unit->arena, count);
		for (struct function *function = unit->functions; function;
		     function = function->next)
			kernel->reached[function->index] = function->mark == unit->mark;
	}
}

static bool reaches(const struct function *kernel, const struct function *function)
{
	return kernel->reached && kernel->reached[function->index];
}

static void place_function(struct unit *unit, const struct function *function)
{
	unsigned slot = 0;

	for (const struct function *kernel = unit->functions; kernel; kernel = kernel->next)
		if (reaches(kernel, function) && kernel->slots > slot)
			slot = kernel->slots;
	for (struct site *site = unit->sites; site; site = site->next)
		if (site->function == function)
			site->slot = slot++;
	for (struct function *kernel = unit->functions; kernel; kernel = kernel->next)
		if (reaches(kernel, function))
			kernel->slots = slot;
}

unsigned unit_place(struct unit *unit)
{
	unsigned most = 0;

	note_reached(unit);
	for (struct function *function = unit->functions; function; function = function->next)
		if (function->used && function->accesses)
			place_function(unit, function);
	for (struct function *kernel = unit->functions; kernel; kernel = kernel->next)
		if (kernel->slots > most)
			most = kernel->slots;
	return most;
}

void unit_free(struct unit *unit)
{
	for (struct function *function = unit->functions; function; function = function->next)
		strbuf_free(&function->locals);
}
