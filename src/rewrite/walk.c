/* SPDX-License-Identifier: MIT */
/* Accesses of global memory in the syntax tree. libclang does not show which conversions are loads:
 * those of an object in global memory to a value in no address space are. */
#include "rewrite/walk.h"

#include <ctype.h>
#include <string.h>

#include "rewrite/calls.h"
#include "rewrite/cursor.h"
#include "rewrite/edit.h"
#include "rewrite/types.h"
#include "rewrite/walker.h"

enum { DEPTH = 2000 }; /* of nested expressions and statements */

static void walk(struct walker *walker, CXCursor cursor, bool discarded);
static void walk_children(struct walker *walker, CXCursor cursor);

/* Returns true if accesses of the object can be counted. Notes generic pointers, which cannot. */
static bool is_countable(struct walker *walker, CXCursor object)
{
	if (cursor_object(object) == OBJECT_GLOBAL)
		return true;
	if (cursor_object(object) == OBJECT_GENERIC)
		walker_add_uncounted(walker, object, "generic pointer");
	return false;
}

/* Replaces an object by an expression that counts the access and gives the object. Values are not
 * examined. */
static void count_object(struct walker *walker, CXCursor object, bool load, bool store)
{
	struct strbuf text = STRBUF_INIT;
	struct target target;

	if (!walker_aim(walker, object, &target))
		return;
	strbuf_string(&text, "(*(");
	if (load)
		strbuf_printf(&text, "computeprof_count(" WALKER_COUNTERS ", " WALKER_SITE "), ",
			      walker_add_object(walker, object, ACCESS_LOAD));
	if (store)
		strbuf_printf(&text, "computeprof_count(" WALKER_COUNTERS ", " WALKER_SITE "), ",
			      walker_add_object(walker, object, ACCESS_STORE));
	strbuf_string(&text, "&(");
	walker_before(walker, &target, arena_copy(walker->arena, text.data, text.length));
	walker_behind(walker, target.end, target.order, ")))");
	strbuf_free(&text);
}

/* Goes from components to the vector. The indexes are walked. */
static void find_vector(struct walker *walker, CXCursor *object, CXCursor *vector)
{
	struct cursors children;

	*vector = *object;
	while (cursor_is_component(walker->arena, *object)) {
		children = cursor_children(walker->arena, *object);
		if (children.count > 1)
			walk(walker, children.items[1], false);
		*vector = children.items[0];
		*object = cursor_strip(walker->arena, *vector);
	}
}

static void load(struct walker *walker, CXCursor cursor)
{
	CXCursor object = cursor_strip(walker->arena, cursor), vector;
	const struct value_type *type;
	struct target target;

	find_vector(walker, &object, &vector);
	type = types_find(walker->unit, clang_getCursorType(object));
	if (!is_countable(walker, object)) {
		walk_children(walker, object);
		return;
	}
	if (!type) {
		count_object(walker, object, true, false);
	} else if (walker_aim(walker, object, &target)) {
		walker_before(
			walker, &target,
			arena_print(walker->arena,
				    "computeprof_load_%s(" WALKER_COUNTERS ", " WALKER_SITE ", &(",
				    type->name, walker_add_object(walker, object, ACCESS_LOAD)));
		walker_behind(walker, target.end, target.order, "))");
	}
	walk_children(walker, object);
}

/* Changes "p->x" to "load(p).x". */
static void load_arrow(struct walker *walker, CXCursor cursor)
{
	const char *text = walker->unit->text->text.data;
	CXCursor pointer = cursor_children(walker->arena, cursor).items[0];
	CXType type = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(pointer)));
	const struct value_type *value = types_find(walker->unit, type);
	struct target target;
	struct site *site;

	if (!value || cursor_pointee(clang_getCursorType(pointer)) != OBJECT_GLOBAL ||
	    !walker_aim(walker, pointer, &target)) {
		walker_obstruct(walker, cursor, "a component of a vector behind ->");
		return;
	}
	site = walker_add_site(walker, pointer, ACCESS_LOAD, value);
	site->type_name = value->name;
	site->size = value->size;
	walker_before(walker, &target,
		      arena_print(walker->arena,
				  "computeprof_load_%s(" WALKER_COUNTERS ", " WALKER_SITE ", (",
				  value->name, site->index));
	walker_behind(walker, target.end, target.order, "))");
	while (text[target.end] != '-')
		target.end++;
	edit_replace(walker->unit, walker->function, target.end, target.end + 2, ".");
	walk_children(walker, cursor);
}

/* Declares two variables in the function for a change: a pointer, and a vector for components. */
static unsigned add_locals(struct walker *walker, const struct value_type *type)
{
	unsigned number = walker->unit->local_count++;

	strbuf_printf(&walker->function->locals,
		      " volatile __global %s *computeprof_p%u; %s computeprof_o%u;", type->name,
		      number, type->name, number);
	return number;
}

/* The operator of an assignment, between the offsets. Returns its length; 0: none. */
static unsigned find_operator(const struct walker *walker, unsigned *start, unsigned end)
{
	const char *text = walker->unit->text->text.data;
	unsigned length = 0;

	while (*start < end && isspace((unsigned char)text[*start]))
		++*start;
	while (*start + length < end && strchr("+-*/%&|^<>!", text[*start + length]))
		length++;
	if (*start + length >= end || text[*start + length] != '=')
		return 0;
	return !length && text[*start + 1] == '=' ? 0 : length + 1;
}

/* An assignment, or an increment or decrement. */
struct change {
	CXCursor whole, left, object;
	struct target target;
	unsigned sign, length; /* offset and bytes of the operator */
	bool compound;	       /* the old value is used */
	bool step, prefix;
	bool discarded; /* the value is not used */
};

/* Changes "V.x = y" to "(p = &(V), o = *p, (*p).x = y, note(o, *p), (*p).x)". */
static void change_component(struct walker *walker, struct change *change)
{
	CXCursor object = change->object, vector;
	const struct value_type *type;
	unsigned start, end, number, left_start, left_end;
	const char *old, *text = walker->unit->text->text.data;
	struct target *target = &change->target;

	find_vector(walker, &object, &vector);
	if (!is_countable(walker, object))
		return;
	type = types_find(walker->unit, clang_getCursorType(object));
	if (cursor_range(walker->unit, vector, &start, &end) ||
	    cursor_range(walker->unit, change->left, &left_start, &left_end) ||
	    start != left_start || !type || memchr(text + end, ')', left_end - end) ||
	    (!change->discarded && ((change->step && !change->prefix) || text[end] != '.'))) {
		walker_obstruct(walker, change->whole,
				"a store to components of a vector in this form");
		return;
	}
	number = add_locals(walker, type);
	old = !change->compound
		      ? arena_print(walker->arena, "*computeprof_p%u", number)
		      : arena_print(walker->arena,
				    "computeprof_load_%s(" WALKER_COUNTERS ", " WALKER_SITE
				    ", computeprof_p%u)",
				    type->name, walker_add_object(walker, object, ACCESS_LOAD),
				    number);
	if (change->prefix)
		edit_replace(walker->unit, walker->function, change->sign,
			     change->sign + change->length, "");
	walker_before(walker, target, arena_print(walker->arena, "(computeprof_p%u = &(", number));
	walker_behind(walker, end, target->order,
		      arena_print(walker->arena, "), computeprof_o%u = %s, %.*s(*computeprof_p%u)",
				  number, old, change->prefix ? (int)change->length : 0,
				  text + change->sign, number));
	walker_behind(walker, target->end, target->order,
		      arena_print(walker->arena,
				  ", computeprof_note_%s(" WALKER_COUNTERS ", " WALKER_SITE
				  ", computeprof_o%u, *computeprof_p%u)%s%.*s)",
				  type->name, walker_add_object(walker, object, ACCESS_STORE),
				  number, number,
				  change->discarded ? ""
						    : arena_print(walker->arena,
								  ", (*computeprof_p%u)", number),
				  change->discarded ? 0 : (int)(left_end - end), text + end));
	walk_children(walker, object);
}

static void change_step(struct walker *walker, struct change *change, const char *type,
			unsigned from, unsigned to)
{
	const char *text = walker->unit->text->text.data;
	const char *call = arena_print(walker->arena,
				       "computeprof_step_%s(" WALKER_COUNTERS ", " WALKER_SITE
				       ", " WALKER_SITE ", &(",
				       type, from, to);
	const char *rest = arena_print(walker->arena, "), %d, %d)", text[change->sign] == '+',
				       !change->prefix);

	edit_replace(walker->unit, walker->function, change->sign, change->sign + change->length,
		     "");
	walker_before(walker, &change->target, call);
	walker_behind(walker, change->target.end, change->target.order, rest);
}

static void change_compound(struct walker *walker, struct change *change,
			    const struct value_type *type, unsigned from, unsigned to)
{
	const char *text = walker->unit->text->text.data;
	unsigned number = add_locals(walker, type);

	walker_before(walker, &change->target,
		      arena_print(walker->arena, "(computeprof_p%u = &(", number));
	edit_replace(walker->unit, walker->function, change->sign, change->sign + change->length,
		     arena_print(walker->arena,
				 "), computeprof_store_%s(" WALKER_COUNTERS ", " WALKER_SITE
				 ", computeprof_p%u, computeprof_load_%s(" WALKER_COUNTERS
				 ", " WALKER_SITE ", computeprof_p%u) %.*s (",
				 type->name, to, number, type->name, from, number,
				 (int)change->length - 1, text + change->sign));
	walker_behind(walker, change->target.end, change->target.order, ")))");
}

static void change_object(struct walker *walker, struct change *change)
{
	const struct value_type *type =
		types_find(walker->unit, clang_getCursorType(change->object));
	unsigned from = 0, to;

	if (!type) {
		count_object(walker, change->object, change->compound, true);
		return;
	}
	if (change->compound)
		from = walker_add_object(walker, change->object, ACCESS_LOAD);
	to = walker_add_object(walker, change->object, ACCESS_STORE);
	if (change->step) {
		change_step(walker, change, type->name, from, to);
	} else if (change->compound) {
		change_compound(walker, change, type, from, to);
	} else {
		walker_before(walker, &change->target,
			      arena_print(walker->arena,
					  "computeprof_store_%s(" WALKER_COUNTERS ", " WALKER_SITE
					  ", &(",
					  type->name, to));
		edit_replace(walker->unit, walker->function, change->sign,
			     change->sign + change->length, "), (");
		walker_behind(walker, change->target.end, change->target.order, "))");
	}
}

static void apply(struct walker *walker, struct change *change)
{
	if (cursor_is_component(walker->arena, change->object)) {
		change_component(walker, change);
		return;
	}
	if (is_countable(walker, change->object))
		change_object(walker, change);
	walk_children(walker, change->object);
}

/* Returns false if it is no assignment to an object that is looked at. */
static bool assign(struct walker *walker, CXCursor cursor, bool discarded)
{
	struct cursors children = cursor_children(walker->arena, cursor);
	struct change change = {.whole = cursor, .discarded = discarded};
	unsigned start, end, unused;

	if (children.count != 2 || cursor_object(children.items[0]) == OBJECT_NONE ||
	    cursor_range(walker->unit, children.items[0], &unused, &start) ||
	    cursor_range(walker->unit, children.items[1], &end, &unused))
		return false;
	change.sign = start;
	change.length = find_operator(walker, &change.sign, end);
	change.compound = clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator;
	if (!change.length || (change.length > 1 && !change.compound) ||
	    !walker_aim(walker, cursor, &change.target))
		return false;
	change.left = children.items[0];
	change.object = cursor_strip(walker->arena, change.left);
	apply(walker, &change);
	walk(walker, children.items[1], false);
	return true;
}

/* As assign(), for ++ and --. */
static bool step(struct walker *walker, CXCursor cursor, bool discarded)
{
	struct cursors children = cursor_children(walker->arena, cursor);
	const char *text = walker->unit->text->text.data;
	struct change change = {.whole = cursor, .discarded = discarded};
	unsigned start, end;

	if (children.count != 1 || cursor_object(children.items[0]) == OBJECT_NONE ||
	    cursor_range(walker->unit, cursor, &start, &end) || end - start < 3)
		return false;
	change.prefix = !memcmp(text + start, "++", 2) || !memcmp(text + start, "--", 2);
	change.sign = change.prefix ? start : end - 2;
	change.length = 2;
	if (!change.prefix && memcmp(text + end - 2, "++", 2) && memcmp(text + end - 2, "--", 2))
		return false;
	change.step = change.compound = true;
	if (!walker_aim(walker, cursor, &change.target))
		return false;
	change.left = children.items[0];
	change.object = cursor_strip(walker->arena, change.left);
	apply(walker, &change);
	return true;
}

/* Returns true if an expression reads an object that its child designates. */
static bool reads(CXCursor parent)
{
	CXType type = clang_getCursorType(parent);

	if (clang_getCursorKind(parent) == CXCursor_InitListExpr)
		return true;
	return clang_getCursorKind(parent) == CXCursor_UnexposedExpr &&
	       type.kind != CXType_Invalid && cursor_object(parent) == OBJECT_NONE;
}

static bool loads(CXCursor parent, CXCursor child)
{
	return clang_isExpression(clang_getCursorKind(child)) &&
	       cursor_object(child) != OBJECT_NONE && reads(parent);
}

static void walk_children(struct walker *walker, CXCursor cursor)
{
	struct cursors children = cursor_children(walker->arena, cursor);
	bool statements = clang_getCursorKind(cursor) == CXCursor_CompoundStmt;

	for (unsigned i = 0; i < children.count; i++)
		if (loads(cursor, children.items[i]))
			load(walker, children.items[i]);
		else if (!cursor_is_arrow(walker->unit, children.items[i]))
			walk(walker, children.items[i], statements);
		else if (reads(cursor))
			load_arrow(walker, children.items[i]);
		else
			walker_obstruct(walker, children.items[i],
					"a store to components of a vector behind ->");
}

static void add_leave(struct walker *walker, CXCursor cursor)
{
	struct leave *leave;
	struct target target;

	if (!walker->function->kernel)
		return;
	if (!walker_aim(walker, cursor, &target))
		return;
	leave = arena_take(walker->arena, sizeof(*leave));
	*leave = (struct leave){.next = walker->function->leaves,
				.start = target.start,
				.end = target.end,
				.order = target.order,
				.empty = cursor_children(walker->arena, cursor).count == 0};
	walker->function->leaves = leave;
}

static void walk(struct walker *walker, CXCursor cursor, bool discarded)
{
	bool done = false;

	if (walker->depth == DEPTH) {
		walker_obstruct(walker, cursor, "expressions are nested too deeply");
		return;
	}
	walker->depth++;
	switch ((int)clang_getCursorKind(cursor)) {
	case CXCursor_UnaryExpr: /* sizeof: not evaluated */
		done = true;
		break;
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		done = assign(walker, cursor, discarded);
		break;
	case CXCursor_UnaryOperator:
		done = step(walker, cursor, discarded);
		break;
	case CXCursor_ReturnStmt:
		add_leave(walker, cursor);
		break;
	case CXCursor_CallExpr:
		calls_add(walker, cursor);
		break;
	case CXCursor_BlockExpr:
		walker_obstruct(walker, cursor, "a block");
		break;
	default:
		break;
	}
	if (!done)
		walk_children(walker, cursor);
	walker->depth--;
}

void walk_body(struct unit *unit, struct function *function, CXCursor body)
{
	struct walker walker = {.unit = unit, .arena = unit->arena, .function = function};

	walk_children(&walker, body);
}
