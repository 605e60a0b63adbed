/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/context_counters.h"

#include <stdatomic.h>

#include "backend/cuda/contexts.h"
#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/counters/device_plan.h"
#include "backend/cuda/functions.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/say.h"
#include "model/catalog.h"

enum { ERRORS = 3 /* consecutive errors after which a context is not measured any more */ };

struct counted {
	struct engine_context engine;
	struct planned *device; /* NULL: the entry is free */
	uint32_t pending;	/* correlation of the last launch, which may get more values */
	bool running, given_up;
	atomic_bool active; /* CUPTI may measure its launches: set before it starts, and cleared
			     * when it has paused or stopped */
	unsigned errors; /* since the last values */
	struct counted *next; /* in the list of free entries */
};

static struct counted *room; /* array of CATALOG_CONTEXTS, mapped lazily */
static uint32_t made;
static struct counted *unused; /* entries of destroyed contexts */
static struct map contexts;    /* by handle */
static atomic_uint active;     /* number of active contexts */

#define KEY(handle) ((uint64_t)(uintptr_t)(handle))

/* An engine_take: stores the values of the next kernel of the pending launch. */
static void take(void *argument, const double *inputs)
{
	struct counted *context = argument;
	const struct plan *plan = &context->device->plan;
	double values[COUNTER_REQUESTS_MOST];

	if (!context->pending)
		return;
	context->errors = 0;
	plan_values(plan, inputs, values);
	counter_values_add(context->pending, values, plan->count);
}

static void complete(struct counted *context)
{
	if (context->pending)
		counter_values_complete(context->pending);
	context->pending = 0;
}

static void set_active(struct counted *context, bool is_active)
{
	if (atomic_exchange(&context->active, is_active) != is_active)
		atomic_fetch_add(&active, is_active ? 1u : -1u);
}

/* The context stays active: it may be started again at once. */
static void stop_engine(struct counted *context)
{
	if (context->running)
		context->device->plan.engine->stop(&context->engine, take, context);
	context->running = false;
	complete(context);
}

static void stop(struct counted *context)
{
	stop_engine(context);
	set_active(context, false);
}

/* Errors do not change the plan, since the log already has the columns. The context stays
 * active. */
static void fail(struct counted *context, int result)
{
	static int said, said_end, said_silent;

	stop_engine(context);
	if (result == ENGINE_SILENT) {
		context->given_up = true;
		say_once(&said_silent, "counters of a context are disabled: %s",
			 engine_reason(result));
		return;
	}
	say_once(&said, "counters of some kernels are missing in the log: %s",
		 engine_reason(result));
	if (++context->errors < ERRORS)
		return;
	context->given_up = true;
	say_once(&said_end,
		 "counters of a context are disabled after %d errors: %s", ERRORS,
		 engine_reason(result));
}

static void stop_others(const struct counted *context)
{
	for (uint32_t i = 0; i < made; i++)
		if (&room[i] != context && room[i].device == context->device)
			stop(&room[i]);
}

/* The context is active afterwards, also after an error. */
static int start(struct counted *context)
{
	const struct engine *engine = context->device->plan.engine;
	int result;

	if (context->running)
		return CUPTI_DONE;
	if (engine->one_at_a_time)
		stop_others(context);
	set_active(context, true);
	result = engine->start(&context->engine);
	context->running = !result;
	return result;
}

static void use_plan(struct counted *context)
{
	const struct planned *device = context->device;

	context->errors = 0;
	context->given_up = false;
	set_active(context, false);
	context->engine = (struct engine_context){
		.handle = context->engine.handle,
		.device = &device->plan.device,
		.inputs = device->plan.inputs,
		.count = device->plan.input_count,
	};
}

static void use_new_plan(const struct planned *device)
{
	for (uint32_t i = 0; i < made; i++)
		if (room[i].device == device)
			use_plan(&room[i]);
}

/* Tries the first context of a device: refused counters must be known before there is a log. */
static void try(struct counted *context)
{
	struct planned *device = context->device;
	int result = device->plan.engine ? start(context) : CUPTI_DONE;

	set_active(context, context->running);
	device->tried = true;
	device_plan_tell(device, result);
	if (!device->plan.count)
		stop(context);
}

static struct counted *new_place(void)
{
	struct counted *place = unused;

	if (place)
		unused = place->next;
	else if (room || (room = memory_map(CATALOG_CONTEXTS * sizeof(*room))))
		place = made < CATALOG_CONTEXTS ? &room[made++] : NULL;
	if (place)
		*place = (struct counted){.next = NULL};
	return place;
}

static void free_place(struct counted *context)
{
	*context = (struct counted){.next = unused};
	unused = context;
}

static struct counted *see_context(cuda_context handle)
{
	uint32_t number, device;
	const struct cuda_context_entry *entry;
	struct planned *planned;
	struct counted *context;

	if (cupti.GetContextId(handle, &number) || cupti.GetDeviceId(handle, &device))
		return NULL;
	entry = contexts_get(number, device);
	planned = device_plan_at(device);
	if (!entry || !planned)
		return NULL;
	if (!planned->known) {
		if (!device_plan_make(planned, device, entry->device, handle))
			return NULL;
		use_new_plan(planned);
	}
	context = new_place();
	if (!context)
		return NULL;
	context->engine.handle = handle;
	context->device = planned;
	use_plan(context);
	if (!planned->tried)
		try(context);
	if (!map_set(&contexts, KEY(handle), context))
		return context;
	stop(context);
	free_place(context);
	return NULL;
}

struct counted *context_counters_get(cuda_context handle)
{
	struct counted *context = map_get(&contexts, KEY(handle));

	return context ? context : see_context(handle);
}

bool context_counters_activate(struct counted *context)
{
	if (!context->device->plan.count || context->given_up)
		return false;
	set_active(context, true);
	return true;
}

/* Returns false after an error. */
static bool begin_launch(struct counted *context)
{
	int result;

	set_active(context, true);
	result = start(context);
	if (!result)
		result = context->device->plan.engine->enter(&context->engine, take, context);
	complete(context);
	if (result)
		fail(context, result);
	return !result;
}

/* An error while values of the last launch are awaited may be about these, so it is tried again. */
bool context_counters_enter(struct counted *context, uint32_t correlation, bool graph)
{
	bool awaited = context->pending;

	context->engine.graph = graph;
	if (!begin_launch(context) && (!awaited || context->given_up || !begin_launch(context))) {
		set_active(context, false);
		return false;
	}
	counter_values_expect(correlation);
	context->pending = correlation;
	return true;
}

void context_counters_leave(struct counted *context, bool counted)
{
	int result;

	if (!counted)
		complete(context);
	context->engine.expected = counted;
	result = context->device->plan.engine->leave(&context->engine, take, context);
	if (result) {
		fail(context, result);
		set_active(context, false);
	}
	if (context->engine.no_more_values)
		complete(context);
}

static void pause_one(struct counted *context)
{
	const struct engine *engine;
	int result = CUPTI_DONE;

	if (!atomic_load(&context->active))
		return;
	if (context->running) {
		engine = context->device->plan.engine;
		result = engine->pause(&context->engine, take, context);
		complete(context);
	}
	if (result)
		fail(context, result);
	set_active(context, false);
}

void context_counters_pause(cuda_context handle)
{
	struct counted *context = handle ? map_get(&contexts, KEY(handle)) : NULL;

	if (context)
		pause_one(context);
	for (uint32_t i = 0; !handle && i < made; i++)
		pause_one(&room[i]);
}

bool context_counters_is_active(cuda_context handle)
{
	const struct counted *context = handle ? map_get(&contexts, KEY(handle)) : NULL;

	return handle ? context && atomic_load(&context->active) : atomic_load(&active) != 0;
}

void context_counters_finish(void)
{
	for (uint32_t i = 0; i < made; i++)
		if (room[i].device && room[i].running && room[i].pending)
			stop(&room[i]);
}

void context_counters_stop_all(void)
{
	for (uint32_t i = 0; i < made; i++)
		stop(&room[i]);
}

static void part(cuda_context handle, bool is_there)
{
	struct counted *context = map_get(&contexts, KEY(handle));

	if (!context)
		return;
	if (is_there)
		stop(context);
	set_active(context, false);
	complete(context);
	map_set(&contexts, KEY(handle), NULL);
	free_place(context);
}

void context_counters_end(cuda_context handle)
{
	part(handle, true);
}

void context_counters_forget(cuda_context handle)
{
	part(handle, false);
}

/* Returns a measured context of the device, or NULL. */
static struct counted *context_of(const struct planned *device)
{
	for (uint32_t i = 0; i < made; i++)
		if (room[i].device == device)
			return &room[i];
	return NULL;
}

static void plan_again(struct planned *device, uint32_t number)
{
	struct counted *context = context_of(device);

	device_plan_drop(device);
	device_plan_make(device, number, device->id, context ? context->engine.handle : NULL);
	use_new_plan(device);
	if (device->known && context)
		try(context);
	else if (device->known)
		device_plan_tell(device, CUPTI_DONE);
}

void context_counters_replan(void)
{
	context_counters_stop_all();
	counter_values_forget();
	for (uint32_t number = 0; number < PLANNED_DEVICES; number++)
		if (device_plan_at(number)->known)
			plan_again(device_plan_at(number), number);
}
