/* SPDX-License-Identifier: MIT */
/* Joins commands to the uses that they make, and uses to the objects at their addresses. */
#include <stdlib.h>

#include "base/memory.h"
#include "model/frames.h"
#include "view/advise/moments.h"

/* Larger sizes are errors in the file. They are cut to this, so that sums fit in 64 bits. */
#define BYTES_MOST (UINT64_C(1) << 48)

/* The sides of the first sort, by the correlation of the command. */
enum side { SIDE_RECORD, SIDE_USE };

/* What the analysis needs of a record. */
struct command {
	uint64_t started;
	uint64_t ended;
	uint32_t name;
	uint32_t context;
	uint16_t kind;
	bool is_timed;
	bool is_device;
};

/* The items of the second sort, by address. */
enum change_kind { CHANGE_ALLOCATED, CHANGE_RELEASED, CHANGE_USED };

struct used {
	uint32_t kind; /* first in each item: enum change_kind */
	uint32_t argument;
	struct command command;
	uint64_t offset;
	uint64_t bytes;
	uint16_t access;
	uint16_t flags; /* enum use_flag */
};

struct allocated {
	uint32_t kind;
	uint32_t context;
	uint32_t device;
	uint32_t name;
	uint32_t stack;
	uint16_t memory;
	uint64_t bytes;
};

struct collect {
	const struct process *process;
	struct external_sort *by_record;
	struct external_sort *by_address;
	struct external_sort *by_time;
	uint64_t uses;
	uint64_t latest; /* end of a call */
	uint32_t apis;
};

struct collect *collect_new(const struct process *process)
{
	struct collect *collect = calloc(1, sizeof(*collect));

	if (!collect)
		return NULL;
	collect->process = process;
	collect->by_record = external_sort_new(0);
	collect->by_address = external_sort_new(0);
	collect->by_time = external_sort_new(0);
	if (collect->by_record && collect->by_address && collect->by_time)
		return collect;
	collect_free(collect);
	return NULL;
}

void collect_free(struct collect *collect)
{
	if (!collect)
		return;
	external_sort_free(collect->by_record);
	external_sort_free(collect->by_address);
	external_sort_free(collect->by_time);
	free(collect);
}

/* Returns what is added to a time of the host. It is known once the first frame was read. */
static uint64_t shift_of(const struct collect *collect)
{
	return (uint64_t)collect->process->monotonic_to_epoch;
}

/* Copies from and to the host and fills prepare an object or fetch its contents. Copies within
 * devices are work of the device. */
static bool is_device(const struct record *record)
{
	if (record->frame.kind == FRAME_COPY)
		return !(record->known & KNOWN_DIRECTION) ||
		       record->direction == DIRECTION_DEVICE;
	return record->frame.kind == FRAME_KERNEL;
}

static int add_record(struct collect *collect, const struct record *record, struct strbuf *error)
{
	bool is_timed = record->known & KNOWN_TIMES;
	uint64_t enter = record->enter + shift_of(collect);
	const struct command command = {
		.started = is_timed ? record->started : enter,
		.ended = is_timed ? record->ended : enter,
		.name = record->name,
		.context = record->context,
		.kind = record->frame.kind,
		.is_timed = is_timed,
		.is_device = is_device(record),
	};
	const struct sort_item item = {.key = record->frame.correlation,
				       .second = SIDE_RECORD,
				       .bytes = &command,
				       .size = sizeof(command)};

	return external_sort_add(collect->by_record, &item, error);
}

static int add_allocation(struct collect *collect, const struct allocation *allocation,
			  struct strbuf *error)
{
	bool is_end = allocation->frame.flags & ALLOCATION_FREED;
	const struct allocated allocated = {
		.kind = is_end ? CHANGE_RELEASED : CHANGE_ALLOCATED,
		.context = allocation->context,
		.device = allocation->device,
		.name = allocation->name,
		.stack = allocation->frame.stack,
		.memory = allocation->memory,
		.bytes = allocation->bytes < BYTES_MOST ? allocation->bytes : BYTES_MOST,
	};
	const struct sort_item item = {
		.key = allocation->address,
		.second = allocation->api,
		.third = is_end ? allocation->enter : allocation->leave,
		.bytes = &allocated,
		.size = sizeof(allocated),
	};

	return external_sort_add(collect->by_address, &item, error);
}

static int add_use(struct collect *collect, const struct use *use, struct strbuf *error)
{
	const struct sort_item item = {
		.key = use->record,
		.second = SIDE_USE,
		.third = use->enter,
		.bytes = use,
		.size = sizeof(*use),
	};

	collect->uses += use->access != USE_NONE;
	if (use->api < API_COUNT)
		collect->apis |= 1u << use->api;
	return external_sort_add(collect->by_record, &item, error);
}

/* An object that was not released lasts at least until the return of the last call. */
static void add_call(struct collect *collect, const struct call *call)
{
	if (call->leave > collect->latest)
		collect->latest = call->leave;
}

int collect_add(struct collect *collect, const struct frame *frame, struct strbuf *error)
{
	const void *at = frame;

	if (frames_is_record(frame))
		return add_record(collect, at, error);
	if (frame->kind == FRAME_ALLOCATION)
		return add_allocation(collect, at, error);
	if (frame->kind == FRAME_CALL)
		add_call(collect, at);
	return frame->kind == FRAME_USE ? add_use(collect, at, error) : 0;
}

/* Makes the end later than the start, also if the device reported them in the wrong order. */
static void order_times(struct command *command)
{
	if (command->started == UINT64_MAX)
		command->started--;
	if (command->ended <= command->started)
		command->ended = command->started + 1;
}

/* A use without a command in the trace was made by a call of the host. If the use has the number of
 * a command or of a kernel's argument, its command is missing in the trace. */
static int put_use(struct collect *collect, const struct command *command, const struct use *use,
		   struct strbuf *error)
{
	bool is_missing = use->record || use->argument != USE_NO_ARGUMENT;
	struct used used = {
		.kind = CHANGE_USED,
		.argument = use->argument,
		.offset = use->offset,
		.bytes = use->bytes,
		.access = use->access,
		.flags = use->frame.flags,
	};
	const struct sort_item item = {
		.key = use->address,
		.second = use->api,
		.third = use->enter,
		.bytes = &used,
		.size = sizeof(used),
	};

	used.command = command ? *command
			       : (struct command){
					 .started = use->enter + shift_of(collect),
					 .is_timed = !is_missing,
					 .is_device = is_missing,
				 };
	order_times(&used.command);
	return external_sort_add(collect->by_address, &item, error);
}

static int put_kernel(struct collect *collect, const struct command *command, struct strbuf *error)
{
	const struct moment moment = {.object = objects_place(command->context)};

	if (command->kind != FRAME_KERNEL || !command->is_timed)
		return 0;
	return moments_add(collect->by_time, command->started, MOMENT_KERNEL_START, &moment,
			   error) ||
			       moments_add(collect->by_time, command->ended, MOMENT_KERNEL_END,
					   &moment, error)
		       ? -1
		       : 0;
}

/* The state of join_records: the current command. */
struct join_record {
	struct collect *collect;
	struct objects *objects;
	struct command command;
	uint64_t number; /* its correlation, 0: none */
	uint64_t uses;	 /* of it */
};

/* Counts a command without uses: it is not known what memory it uses, so it is in no gap. A command
 * that uses no memory has a use with USE_NONE. */
static void end_record(struct join_record *join)
{
	if (!join->number || join->uses)
		return;
	join->objects->places[objects_place(join->command.context)].opaque++;
	join->objects->opaque++;
}

static int join_record(struct join_record *join, const struct sort_item *item,
		       struct strbuf *error)
{
	bool is_same = join->number && join->number == item->key;

	if (item->second == SIDE_RECORD) {
		end_record(join);
		join->command = *(const struct command *)item->bytes;
		order_times(&join->command);
		join->number = item->key;
		join->uses = 0;
		return 0;
	}
	if (is_same && !join->uses++ && put_kernel(join->collect, &join->command, error))
		return -1;
	if (((const struct use *)item->bytes)->access == USE_NONE)
		return 0;
	return put_use(join->collect, is_same ? &join->command : NULL, item->bytes, error);
}

/* Gives the uses the times of their commands. */
static int join_records(struct collect *collect, struct objects *objects, struct strbuf *error)
{
	struct join_record join = {.collect = collect, .objects = objects};
	struct sort_item item;
	int found;

	while ((found = external_sort_next(collect->by_record, &item, error)) > 0)
		if (join_record(&join, &item, error))
			return -1;
	end_record(&join);
	return found;
}

/* Returns the new object's number, or OBJECT_NONE without memory. */
static uint32_t add_object(struct objects *objects, const struct object *object)
{
	uint32_t room = objects->count ? objects->count : 64;

	/* The list has room for a power of two. */
	if (!objects->list || (objects->count >= 64 && !(objects->count & (objects->count - 1)))) {
		struct object *list = NULL;

		if (room <= UINT32_MAX / 4)
			list = realloc(objects->list, (size_t)room * 2 * sizeof(*list));
		if (!list)
			return OBJECT_NONE;
		objects->list = list;
	}
	objects->list[objects->count] = *object;
	return objects->count++;
}

/* The state of join_changes: the current address, and the object there. */
struct join {
	struct collect *collect;
	struct objects *objects;
	uint64_t address, api; /* of the last change */
	uint32_t there; /* the object at the address, or OBJECT_NONE */
	bool has_been;	/* an object was there before */
};

static int end_object(struct join *join, uint64_t time, enum object_flag flag,
		      struct strbuf *error)
{
	struct object *object = &join->objects->list[join->there];
	const struct moment moment = {.object = join->there};

	object->released = time > object->allocated ? time : object->allocated + 1;
	object->flags |= flag;
	join->there = OBJECT_NONE;
	return moments_add(join->collect->by_time, object->released, MOMENT_RELEASE, &moment,
			   error);
}

static int begin_object(struct join *join, const struct sort_item *item, struct strbuf *error)
{
	const struct allocated *allocated = item->bytes;
	uint64_t time = item->third + shift_of(join->collect);
	const struct object object = {
		.address = item->key,
		.bytes = allocated->bytes,
		.allocated = time == UINT64_MAX ? time - 1 : time,
		.context = allocated->context,
		.device = allocated->device,
		.name = allocated->name,
		.stack = allocated->stack,
		.api = (uint16_t)item->second,
		.memory = allocated->memory,
		.reuses = OBJECT_NONE,
	};
	struct moment moment = {0};

	if (join->there != OBJECT_NONE && end_object(join, time, OBJECT_REPLACED, error))
		return -1;
	join->there = moment.object = add_object(join->objects, &object);
	if (join->there == OBJECT_NONE) {
		strbuf_string(error, "out of memory for the objects");
		return -1;
	}
	return moments_add(join->collect->by_time, object.allocated, MOMENT_ALLOCATE, &moment,
			   error);
}

static int use_object(struct join *join, const struct used *used, struct strbuf *error)
{
	struct object *object = &join->objects->list[join->there];
	struct external_sort *by_time = join->collect->by_time;
	struct command command = used->command;
	struct moment moment = {
		.object = join->there,
		.access = used->access,
		.is_assumed = used->flags & USE_ASSUMED,
		.is_whole = !(used->flags & USE_PARTIAL) && !used->offset && used->bytes &&
			    used->bytes >= object->bytes,
		.is_device = command.is_device,
		.place = {command.name, used->argument, command.kind},
	};

	/* The clocks of host and device differ by microseconds. */
	if (command.started < object->allocated)
		command.started = object->allocated;
	order_times(&command);
	moment.time = command.ended - command.started;
	if (!command.is_timed) {
		object->flags |= OBJECT_UNTIMED;
		join->objects->untimed_uses++;
	}
	if (moments_add(by_time, command.started, MOMENT_USE_START, &moment, error))
		return -1;
	return moments_add(by_time, command.ended, MOMENT_USE_END, &moment, error);
}

static int join_change(struct join *join, const struct sort_item *item, struct strbuf *error)
{
	uint64_t time = item->third + shift_of(join->collect);
	uint32_t kind = *(const uint32_t *)item->bytes;

	if (item->key != join->address || item->second != join->api) {
		join->there = OBJECT_NONE;
		join->has_been = false;
	}
	join->address = item->key;
	join->api = item->second;
	if (kind == CHANGE_ALLOCATED) {
		join->has_been = true;
		return begin_object(join, item, error);
	}
	if (kind == CHANGE_RELEASED)
		return join->there == OBJECT_NONE
			       ? 0
			       : end_object(join, time, OBJECT_RELEASED, error);
	if (join->there != OBJECT_NONE)
		return use_object(join, item->bytes, error);
	if (join->has_been)
		join->objects->released_uses++;
	else
		join->objects->unknown_uses++;
	return 0;
}

static int join_changes(struct join *join, struct strbuf *error)
{
	struct sort_item item;
	int found;

	while ((found = external_sort_next(join->collect->by_address, &item, error)) > 0)
		if (join_change(join, &item, error))
			return -1;
	return found;
}

static int compare(const void *left, const void *right, void *context)
{
	const struct object *list = context;
	uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;

	if (list[one].allocated != list[other].allocated)
		return list[one].allocated < list[other].allocated ? -1 : 1;
	return one < other ? -1 : one > other;
}

static void mark_peak(struct objects *objects, struct object *object)
{
	const struct memory_place *place = &objects->places[object_place(object)];

	if (object->allocated <= place->peak_time && object_end(objects, object) > place->peak_time)
		object->flags |= OBJECT_AT_PEAK;
}

/* Numbers the objects, and marks those at the peak. */
static int number_objects(struct objects *objects, struct strbuf *error)
{
	objects->order = calloc(objects->count + 1u, sizeof(*objects->order));
	if (!objects->order) {
		strbuf_string(error, "out of memory for the objects");
		return -1;
	}
	for (uint32_t i = 0; i < objects->count; i++)
		objects->order[i] = i;
	qsort_r(objects->order, objects->count, sizeof(*objects->order), compare, objects->list);
	for (uint32_t i = 0; i < objects->count; i++) {
		struct object *object = &objects->list[objects->order[i]];

		object->number = i + 1;
		mark_peak(objects, object);
	}
	return 0;
}

int collect_end(struct collect *collect, uint64_t idle, struct objects *objects,
		struct strbuf *error)
{
	struct join join = {.collect = collect, .objects = objects, .there = OBJECT_NONE};

	*objects = (struct objects){.idle = idle, .uses = collect->uses, .apis = collect->apis};
	objects->places = memory_map(MEMORY_PLACES * sizeof(*objects->places));
	if (!objects->places) {
		strbuf_string(error, "out of memory for the objects");
		return -1;
	}
	if (join_records(collect, objects, error) || join_changes(&join, error) ||
	    moments_follow(collect->by_time, objects, error))
		return -1;
	if (collect->latest && collect->latest + shift_of(collect) > objects->end)
		objects->end = collect->latest + shift_of(collect);
	return number_objects(objects, error);
}

void objects_free(struct objects *objects)
{
	free(objects->list);
	free(objects->order);
	memory_unmap(objects->places, MEMORY_PLACES * sizeof(*objects->places));
	*objects = (struct objects){0};
}
