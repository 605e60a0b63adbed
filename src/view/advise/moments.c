/* SPDX-License-Identifier: MIT */
#include "view/advise/moments.h"

#include "model/amount.h"

int moments_add(struct external_sort *moments, uint64_t time, enum moment_kind kind,
		const struct moment *moment, struct strbuf *error)
{
	const struct sort_item item = {
		.key = time, .second = kind, .bytes = moment, .size = sizeof(*moment)};

	return external_sort_add(moments, &item, error);
}

static struct memory_place *memory_of(const struct objects *objects, const struct object *object)
{
	return &objects->places[object_place(object)];
}

static const struct memory_place *commands_of(const struct objects *objects,
					      const struct object *object)
{
	return &objects->places[objects_place(object->context)];
}

static void allocate(const struct objects *objects, struct object *object, uint64_t time)
{
	const struct memory_place *commands = commands_of(objects, object);
	struct memory_place *place = memory_of(objects, object);

	place->is_used = true;
	place->live += object->bytes;
	place->live_objects++;
	if (place->live > place->peak) {
		place->peak = place->live;
		place->peak_time = time;
		place->peak_objects = place->live_objects;
	}
	for (int i = 0; i < LIVES; i++)
		object->lives[i].started = commands->kernels_started;
}

static void release(const struct objects *objects, struct object *object)
{
	const struct memory_place *commands = commands_of(objects, object);
	struct memory_place *place = memory_of(objects, object);

	place->live -= object->bytes;
	place->live_objects--;
	for (int i = 0; i < LIVES; i++) {
		struct life *life = &object->lives[i];

		if (life->uses && !life->running)
			life->after = amount_between(life->started, commands->kernels_ended);
	}
}

/*
 * Kernels that ended before this time, less those that started before the last use ended (or before
 * the allocation), ran between the two. A kernel that ran during a part of the gap only counts as
 * none, or makes the result smaller.
 */
static void start_life(struct life *life, const struct memory_place *commands, uint64_t time,
		       uint64_t idle)
{
	uint64_t kernels = amount_between(life->started, commands->kernels_ended);

	if (!life->uses) {
		life->first = time;
		life->before = kernels;
	} else if (!life->running && kernels >= idle) {
		life->gaps++;
		life->gap_time = amount_add(life->gap_time, amount_between(life->last, time));
		if (kernels > life->gap_kernels)
			life->gap_kernels = kernels;
	}
	life->uses++;
	life->running++;
}

static void end_life(struct life *life, const struct memory_place *commands, uint64_t time)
{
	life->last = time;
	if (!--life->running)
		life->started = commands->kernels_started;
}

/* Follows the writes of an object. What another command does at the same time has no known order,
 * so such writes count as read. */
static void see_access(struct object *object, const struct moment *moment, bool is_alone)
{
	bool assumed = moment->is_assumed || object->flags & OBJECT_UNTIMED;

	if (moment->access != USE_WRITE || !is_alone) {
		object->unread = 0;
		return;
	}
	if (!moment->is_whole) {
		object->unread_assumed |= assumed;
		return;
	}
	if (object->unread) {
		object->dead_writes += object->unread;
		object->dead_time = amount_add(object->dead_time, object->unread_time);
		object->dead_assumed |= object->unread_assumed || assumed;
	}
	object->unread = 1;
	object->unread_time = moment->time;
	object->unread_assumed = assumed;
}

static void start_use(const struct objects *objects, struct object *object,
		      const struct moment *moment, uint64_t time)
{
	const struct memory_place *commands = commands_of(objects, object);
	struct memory_place *place = memory_of(objects, object);
	struct life *device = &object->lives[LIFE_DEVICE];
	bool is_first = !object->lives[LIFE_ALL].uses;

	if (object->flags & OBJECT_RELEASED && time >= object->released)
		object->flags |= OBJECT_OUTLIVED;
	see_access(object, moment, !object->lives[LIFE_ALL].running);
	start_life(&object->lives[LIFE_ALL], commands, time, objects->idle);
	if (moment->is_device || !device->uses)
		object->last_use = moment->place;
	if (is_first || (moment->is_device && !device->uses))
		object->first_use = moment->place;
	if (moment->is_device)
		start_life(device, commands, time, objects->idle);
	if (object->lives[LIFE_ALL].running > 1)
		return;
	place->active += object->bytes;
	if (place->active > place->active_peak)
		place->active_peak = place->active;
}

static void end_use(const struct objects *objects, struct object *object,
		    const struct moment *moment, uint64_t time)
{
	const struct memory_place *commands = commands_of(objects, object);
	struct memory_place *place = memory_of(objects, object);

	end_life(&object->lives[LIFE_ALL], commands, time);
	if (moment->is_device)
		end_life(&object->lives[LIFE_DEVICE], commands, time);
	if (!object->lives[LIFE_ALL].running)
		place->active -= object->bytes;
}

static void follow(struct objects *objects, enum moment_kind kind, const struct moment *moment,
		   uint64_t time)
{
	struct object *object = &objects->list[moment->object];

	switch (kind) {
	case MOMENT_KERNEL_START:
		objects->places[moment->object].kernels_started++;
		objects->kernels++;
		break;
	case MOMENT_KERNEL_END:
		objects->places[moment->object].kernels_ended++;
		break;
	case MOMENT_ALLOCATE:
		allocate(objects, object, time);
		break;
	case MOMENT_RELEASE:
		release(objects, object);
		break;
	case MOMENT_USE_START:
		start_use(objects, object, moment, time);
		break;
	case MOMENT_USE_END:
		end_use(objects, object, moment, time);
		break;
	}
}

int moments_follow(struct external_sort *moments, struct objects *objects, struct strbuf *error)
{
	struct sort_item item;
	int found;

	while ((found = external_sort_next(moments, &item, error)) > 0) {
		if (!objects->start)
			objects->start = item.key;
		objects->end = item.key;
		follow(objects, (enum moment_kind)item.second, item.bytes, item.key);
	}
	return found;
}
