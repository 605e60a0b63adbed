/* SPDX-License-Identifier: MIT */
#include "rewrite/walker.h"

#include "rewrite/cursor.h"
#include "rewrite/edit.h"
#include "rewrite/types.h"

void walker_obstruct(struct walker *walker, CXCursor cursor, const char *why)
{
	unsigned start = 0, end;

	if (walker->function->obstacle)
		return;
	walker->function->obstacle = why;
	cursor_range(walker->unit, cursor, &start, &end);
	walker->function->obstacle_at = preprocess_origin(walker->unit->text, start);
}

bool walker_aim(struct walker *walker, CXCursor cursor, struct target *target)
{
	if (cursor_range(walker->unit, cursor, &target->start, &target->end)) {
		walker_obstruct(walker, cursor, "an access in a macro of the compiler");
		return false;
	}
	target->order = walker->unit->order++;
	return true;
}

void walker_before(struct walker *walker, const struct target *target, const char *text)
{
	edit_before(walker->unit, walker->function, target->start, target->order, text);
}

void walker_behind(struct walker *walker, unsigned offset, unsigned order, const char *text)
{
	edit_behind(walker->unit, walker->function, offset, order, text);
}

struct site *walker_add_site(struct walker *walker, CXCursor at, enum access access,
			     const struct value_type *type)
{
	struct unit *unit = walker->unit;
	struct site *site = arena_take(walker->arena, sizeof(*site));
	unsigned start = 0, end;

	cursor_range(unit, at, &start, &end);
	site->index = unit->site_count++;
	site->access = access;
	site->type = type;
	site->function = walker->function;
	site->at = preprocess_origin(unit->text, start);
	*unit->sites_end = site;
	unit->sites_end = &site->next;
	walker->function->accesses = true;
	return site;
}

unsigned walker_add_object(struct walker *walker, CXCursor object, enum access access)
{
	CXType type = clang_getCursorType(object);
	long long size = clang_Type_getSizeOf(type);
	struct site *site = walker_add_site(walker, object, access, types_find(walker->unit, type));

	site->type_name = types_name(walker->unit, type);
	site->size = size > 0 ? (unsigned)size : 0;
	return site->index;
}

void walker_add_uncounted(struct walker *walker, CXCursor cursor, const char *name)
{
	struct uncounted *uncounted = arena_take(walker->arena, sizeof(*uncounted));
	unsigned start = 0, end;

	cursor_range(walker->unit, cursor, &start, &end);
	uncounted->name = name;
	uncounted->at = preprocess_origin(walker->unit->text, start);
	*walker->function->uncounted_end = uncounted;
	walker->function->uncounted_end = &uncounted->next;
}
