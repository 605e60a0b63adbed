/* SPDX-License-Identifier: MIT */
#include "view/advise/reuse.h"

#include <stddef.h>

#include "view/stacks/keyed.h"
#include "view/stream/external_sort.h"

/* Of equal times, in this order: the last use ends before the next one's first starts. */
enum step { STEP_LAST, STEP_FIRST };

/* The objects of one size and kind in one context whose last use has ended, but which still have
 * their memory: the latest first. */
struct pool {
	uint64_t bytes;
	uint32_t context;
	uint32_t memory;
	/* After the key: */
	uint32_t top; /* 1 + the number of the latest object; 0: none */
	uint32_t padding;
};

struct match {
	struct objects *objects;
	struct external_sort *steps; /* nothing but keys: `third` is the number of the object */
	struct keyed pools;
};

static int add_step(struct match *match, uint64_t time, enum step step, uint64_t object,
		    struct strbuf *error)
{
	const struct sort_item item = {
		.key = time, .second = step, .third = object, .bytes = &object,
		.size = sizeof(object)};

	return external_sort_add(match->steps, &item, error);
}

static int add_steps(struct match *match, struct strbuf *error)
{
	for (uint32_t i = 0; i < match->objects->count; i++) {
		const struct object *object = &match->objects->list[i];
		const struct life *life = object_life(object);

		if (!life || !object_is_examined(match->objects, object))
			continue;
		if (add_step(match, life->first, STEP_FIRST, i, error) ||
		    add_step(match, life->last, STEP_LAST, i, error))
			return -1;
	}
	return 0;
}

static struct pool *pool_of(struct match *match, const struct object *object, struct strbuf *error)
{
	const struct pool key = {
		.bytes = object->bytes, .context = object->context, .memory = object->memory};
	uint32_t number = keyed_get(&match->pools, &key);

	if (number != KEYED_FULL)
		return keyed_at(&match->pools, number);
	strbuf_string(error, "out of memory for the objects");
	return NULL;
}

/* `next` is 1 + the number of the next one in the pool. A released object stays there, and is
 * skipped. */
static int begin_use(struct match *match, uint32_t number, uint64_t time, struct strbuf *error)
{
	struct object *list = match->objects->list, *object = &list[number];
	struct memory_place *place = &match->objects->places[object_place(object)];
	struct pool *pool = pool_of(match, object, error);

	if (!pool)
		return -1;
	place->needed += object->bytes;
	if (place->needed > place->needed_peak)
		place->needed_peak = place->needed;
	while (pool->top && object->reuses == OBJECT_NONE) {
		const struct object *other = &list[pool->top - 1];

		if (!(other->flags & (OBJECT_RELEASED | OBJECT_REPLACED)) || other->released > time)
			object->reuses = pool->top - 1;
		pool->top = other->next;
	}
	return 0;
}

static int end_use(struct match *match, uint32_t number, struct strbuf *error)
{
	struct object *object = &match->objects->list[number];
	struct pool *pool = pool_of(match, object, error);

	if (!pool)
		return -1;
	match->objects->places[object_place(object)].needed -= object->bytes;
	object->next = pool->top;
	pool->top = number + 1;
	return 0;
}

static int follow(struct match *match, struct strbuf *error)
{
	struct sort_item item;
	int found;

	while ((found = external_sort_next(match->steps, &item, error)) > 0) {
		uint32_t number = (uint32_t)item.third;

		if (item.second == STEP_FIRST ? begin_use(match, number, item.key, error)
					      : end_use(match, number, error))
			return -1;
	}
	return found;
}

int reuse_find(struct objects *objects, struct strbuf *error)
{
	struct match match = {
		.objects = objects,
		.steps = external_sort_new(0),
		.pools = {.key_size = offsetof(struct pool, top),
			  .entry_size = sizeof(struct pool)},
	};
	int result = -1;

	if (!match.steps)
		strbuf_string(error, "out of memory for the objects");
	else if (!add_steps(&match, error))
		result = follow(&match, error);
	external_sort_free(match.steps);
	keyed_free(&match.pools);
	return result;
}
