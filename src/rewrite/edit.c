/* SPDX-License-Identifier: MIT */
#include "rewrite/edit.h"

#include <stdlib.h>

static void add(struct unit *unit, struct function *function, struct edit edit)
{
	struct edit *copy = arena_take(unit->arena, sizeof(*copy));

	*copy = edit;
	copy->next = function->edits;
	function->edits = copy;
}

void edit_before(struct unit *unit, struct function *function, unsigned offset, unsigned order,
		 const char *text)
{
	add(unit, function,
	    (struct edit){.offset = offset,
			  .end = offset,
			  .order = order,
			  .kind = EDIT_BEFORE,
			  .text = text});
}

void edit_behind(struct unit *unit, struct function *function, unsigned offset, unsigned order,
		 const char *text)
{
	add(unit, function,
	    (struct edit){.offset = offset,
			  .end = offset,
			  .order = order,
			  .kind = EDIT_BEHIND,
			  .text = text});
}

void edit_replace(struct unit *unit, struct function *function, unsigned offset, unsigned end,
		  const char *text)
{
	add(unit, function,
	    (struct edit){.offset = offset, .end = end, .kind = EDIT_REPLACE, .text = text});
}

static int compare(const void *left, const void *right)
{
	const struct edit *a = *(const struct edit *const *)left;
	const struct edit *b = *(const struct edit *const *)right;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->kind == EDIT_BEHIND)
		return a->order > b->order ? -1 : a->order < b->order;
	return a->order < b->order ? -1 : a->order > b->order;
}

void edit_apply(struct unit *unit, const struct function *function, unsigned start, unsigned end,
		struct strbuf *to)
{
	const char *text = unit->text->text.data;
	const struct edit **sorted;
	size_t count = 0;

	for (const struct edit *edit = function->edits; edit; edit = edit->next)
		count++;
	sorted = arena_take(unit->arena, (count + 1) * sizeof(*sorted));
	count = 0;
	for (const struct edit *edit = function->edits; edit; edit = edit->next)
		if (edit->offset >= start && edit->end <= end)
			sorted[count++] = edit;
	qsort(sorted, count, sizeof(*sorted), compare);
	for (size_t i = 0; i < count; i++) {
		if (sorted[i]->offset > start)
			strbuf_append(to, text + start, sorted[i]->offset - start);
		strbuf_string(to, sorted[i]->text);
		if (sorted[i]->end > start)
			start = sorted[i]->end;
	}
	if (end > start)
		strbuf_append(to, text + start, end - start);
}
