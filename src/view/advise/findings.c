/* SPDX-License-Identifier: MIT */
#include "view/advise/findings.h"

#include <stdlib.h>

#include "model/amount.h"
#include "model/api.h"

const char *const finding_names[FINDING_KINDS] = {
	[FINDING_EARLY] = "early allocation",	[FINDING_LATE] = "late deallocation",
	[FINDING_IDLE] = "temporary idleness",	[FINDING_UNUSED] = "unused allocation",
	[FINDING_REDUNDANT] = "redundant allocation", [FINDING_DEAD_WRITE] = "dead write",
	[FINDING_LEAK] = "memory leak",
};

const char *const finding_words[FINDING_KINDS] = {
	[FINDING_EARLY] = "early_allocation",	[FINDING_LATE] = "late_deallocation",
	[FINDING_IDLE] = "temporary_idleness",	[FINDING_UNUSED] = "unused_allocation",
	[FINDING_REDUNDANT] = "redundant_allocation", [FINDING_DEAD_WRITE] = "dead_write",
	[FINDING_LEAK] = "memory_leak",
};

/* Each function returns true if the object has the finding, and sets `time`; also `commands` and
 * `has_commands` if there are any. `life` is NULL if the object was not used. */
typedef bool find_function(struct finding *finding, const struct objects *objects,
			   const struct object *object, const struct life *life);

static bool find_early(struct finding *finding, const struct objects *objects,
		       const struct object *object, const struct life *life)
{
	(void)objects;
	if (!life || !life->before)
		return false;
	finding->has_commands = true;
	finding->commands = life->before;
	finding->time = amount_between(object->allocated, life->first);
	return true;
}

static bool find_late(struct finding *finding, const struct objects *objects,
		      const struct object *object, const struct life *life)
{
	(void)objects;
	if (!life || !life->after || !(object->flags & OBJECT_RELEASED) ||
	    object->flags & OBJECT_OUTLIVED)
		return false;
	finding->has_commands = true;
	finding->commands = life->after;
	finding->time = amount_between(life->last, object->released);
	return true;
}

static bool find_idle(struct finding *finding, const struct objects *objects,
		      const struct object *object, const struct life *life)
{
	(void)objects;
	(void)object;
	if (!life || !life->gaps)
		return false;
	finding->has_commands = true;
	finding->commands = life->gap_kernels;
	finding->time = life->gap_time;
	return true;
}

static bool find_unused(struct finding *finding, const struct objects *objects,
			const struct object *object, const struct life *life)
{
	if (life || object->flags & OBJECT_REPLACED)
		return false;
	finding->time = amount_between(object->allocated, object_end(objects, object));
	return true;
}

static bool find_redundant(struct finding *finding, const struct objects *objects,
			   const struct object *object, const struct life *life)
{
	if (!life || object->reuses == OBJECT_NONE)
		return false;
	finding->time = amount_between(object->allocated, object_end(objects, object));
	return true;
}

static bool find_dead_write(struct finding *finding, const struct objects *objects,
			    const struct object *object, const struct life *life)
{
	(void)objects;
	(void)life;
	finding->has_commands = true;
	finding->commands = object->dead_writes;
	finding->time = object->dead_time;
	return object->dead_writes;
}

/* The memory is not needed after its last use. */
static bool find_leak(struct finding *finding, const struct objects *objects,
		      const struct object *object, const struct life *life)
{
	finding->time = amount_between(life ? life->last : object->allocated, objects->end);
	return !(object->flags & (OBJECT_RELEASED | OBJECT_REPLACED));
}

static find_function *const find[FINDING_KINDS] = {
	[FINDING_EARLY] = find_early,	[FINDING_LATE] = find_late,
	[FINDING_IDLE] = find_idle,	[FINDING_UNUSED] = find_unused,
	[FINDING_REDUNDANT] = find_redundant, [FINDING_DEAD_WRITE] = find_dead_write,
	[FINDING_LEAK] = find_leak,
};

/* A command may use the object although the trace does not have that: a kernel that has its address
 * elsewhere than in the arguments, or a command whose uses were not recorded. */
static bool is_hidden(const struct objects *objects, const struct object *object)
{
	return objects->places[objects_place(object->context)].opaque ||
	       !api_row(object->api)->memory_by_arguments ||
	       object->memory == MEMORY_KIND_MANAGED;
}

static bool is_assumed(enum finding_kind kind, const struct objects *objects,
		       const struct object *object)
{
	if (kind == FINDING_LEAK)
		return false;
	if (is_hidden(objects, object))
		return true;
	if (kind == FINDING_DEAD_WRITE)
		return object->dead_assumed;
	return object->flags & OBJECT_UNTIMED && kind != FINDING_UNUSED;
}

static bool add(struct findings *findings, const struct finding *finding)
{
	size_t count = findings->count;

	/* The list has room for a power of two. */
	if (!(count & (count - 1))) {
		size_t room = count ? 2 * count : 1;
		struct finding *list = realloc(findings->list, room * sizeof(*list));

		if (!list)
			return false;
		findings->list = list;
	}
	findings->list[findings->count++] = *finding;
	findings->kinds[finding->kind]++;
	return true;
}

static bool examine(struct findings *findings, const struct objects *objects, uint32_t number,
		    const struct findings_limits *limits)
{
	const struct object *object = &objects->list[number];
	bool is_open = !(object->flags & (OBJECT_RELEASED | OBJECT_REPLACED));
	unsigned left_out = limits->left_out | (is_open ? limits->open_ones : 0);

	for (int kind = 0; kind < FINDING_KINDS; kind++) {
		struct finding finding = {.object = number, .kind = (uint16_t)kind};

		if (left_out & 1u << kind ||
		    !find[kind](&finding, objects, object, object_life(object)))
			continue;
		finding.is_assumed = is_assumed(kind, objects, object);
		finding.waste = (double)object->bytes * (double)finding.time;
		if (!add(findings, &finding))
			return false;
	}
	return true;
}

static int compare(const void *left, const void *right, void *context)
{
	const struct object *list = context;
	const struct finding *one = left, *other = right;
	uint32_t first = list[one->object].number, second = list[other->object].number;

	if (one->waste != other->waste)
		return one->waste > other->waste ? -1 : 1;
	if (first != second)
		return first < second ? -1 : 1;
	return (int)one->kind - (int)other->kind;
}

int findings_make(struct findings *findings, const struct objects *objects,
		  const struct findings_limits *limits, struct strbuf *error)
{
	*findings = (struct findings){0};
	for (uint32_t i = 0; i < objects->count; i++) {
		const struct object *object = &objects->list[i];
		uint64_t time = amount_between(object->allocated, object_end(objects, object));

		if (!object_is_examined(objects, object))
			continue;
		findings->memory += (double)object->bytes * (double)time;
		if (examine(findings, objects, i, limits))
			continue;
		strbuf_string(error, "out of memory for the findings");
		return -1;
	}
	if (findings->count)
		qsort_r(findings->list, findings->count, sizeof(*findings->list), compare,
			objects->list);
	return 0;
}

void findings_free(struct findings *findings)
{
	free(findings->list);
	*findings = (struct findings){0};
}
