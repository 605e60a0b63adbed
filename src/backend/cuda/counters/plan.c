/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/plan.h"

#include <string.h>

#include "backend/cuda/counters/plan_formulas.h"
#include "backend/cuda/counters/refusal.h"
#include "base/memory.h"

enum { INPUTS = 1 << 14, OLD_COUNTERS = 4 }; /* OLD_COUNTERS: counters at a time on compute
					      * capability 1.x */

/* Temporary data while the plan is made. Until the end, `inputs` has the inputs of all formulas
 * that were tried, and `counters` has the accepted counters, followed by the undecided ones. */
struct making {
	struct plan *plan;
	const struct settings *settings;
	cuda_context context;
	uint8_t alternative[COUNTER_REQUESTS_MOST]; /* by choice: number of the formula being tried
						     */
	bool used[INPUTS];
	const char *list[INPUTS];
	uint16_t moved[INPUTS];
	const char *reasons[COUNTER_REQUESTS_MOST]; /* by choice: reason of refusal, or NULL */
};

/* Returns the number of the input with this name and suffix, adding it if needed, or -1. `names` is
 * never reallocated, so texts do not move. */
static int add_input(struct plan *plan, const struct formula_name *name, const char *end)
{
	for (size_t i = 0; i < plan->input_count; i++)
		if (!strncmp(plan->inputs[i], name->text, name->length) &&
		    !strcmp(plan->inputs[i] + name->length, end))
			return (int)i;
	if (plan->input_count == INPUTS ||
	    plan->names.capacity - plan->names.length <= name->length + strlen(end))
		return -1;
	plan->inputs[plan->input_count] = plan->names.data + plan->names.length;
	strbuf_append(&plan->names, name->text, name->length);
	strbuf_append(&plan->names, end, strlen(end) + 1);
	return (int)plan->input_count++;
}

/* Fills `counter` from the formula with this number. Returns NULL, or the reason why it cannot be
 * used. */
static const char *try_formula(struct making *making, struct plan_counter *counter, unsigned number)
{
	struct plan *plan = making->plan;
	const struct counter_choice *choice = &making->settings->counters.items[counter->choice];
	struct counter_way way = plan_formula(plan, choice, number);
	bool aggregate = making->settings->aggregate_counters;
	unsigned multiprocessors = plan->device.multiprocessors;

	if (way.grade == COUNTER_NONE)
		return plan_refusal_reason(plan, choice);
	if (formula_parse(&counter->formula, way.formula, way.length))
		return "its formula is not valid";
	for (unsigned i = 0; i < counter->formula.name_count; i++) {
		int input = add_input(plan, &counter->formula.names[i],
				      !aggregate && plan_is_of_first(plan, choice) ? ENGINE_FIRST
										   : "");

		if (input < 0)
			return "out of memory";
		counter->inputs[i] = (uint16_t)input;
		counter->formula.names[i].text = plan->inputs[input];
	}
	counter->real = plan_is_fractional(plan, choice, &counter->formula);
	counter->scale = 1;
	if (!aggregate && multiprocessors && plan_is_of_one(plan, choice, &counter->formula))
		counter->scale = 1.0 / multiprocessors;
	making->alternative[counter->choice] = (uint8_t)number;
	return NULL;
}

static void mark_used(struct making *making, const struct plan_counter *first, size_t count)
{
	memset(making->used, 0, making->plan->input_count);
	for (size_t i = 0; i < count; i++)
		for (unsigned k = 0; k < first[i].formula.name_count; k++)
			making->used[first[i].inputs[k]] = true;
}

/* Returns true if the device can measure the inputs of `count` counters in one run. */
static bool fit(struct making *making, const struct plan_counter *first, size_t count)
{
	struct plan *plan = making->plan;
	size_t inputs = 0;

	mark_used(making, first, count);
	for (size_t i = 0; i < plan->input_count; i++)
		if (making->used[i])
			making->list[inputs++] = plan->inputs[i];
	return !inputs || plan->engine->together(&plan->device, making->context, making->list,
						 inputs);
}

/* Returns how many of the first counters fit, by bisection: `fits` fit, `count` do not. */
static size_t count_fitting(struct making *making, size_t fits, size_t count)
{
	size_t fails = count;

	while (fails - fits > 1) {
		size_t half = fits + (fails - fits) / 2;

		if (fit(making, making->plan->counters, half))
			fits = half;
		else
			fails = half;
	}
	return fits;
}

/* Without a context only names are checked: a single counter may need several passes. */
static bool is_known(struct making *making, const struct plan_counter *counter)
{
	cuda_context context = making->context;
	bool known;

	making->context = NULL;
	known = fit(making, counter, 1);
	making->context = context;
	return known;
}

/* The counter does not fit with those before it; another of its formulas may. Returns NULL, or the
 * reason of refusal. */
static const char *try_next_formula(struct making *making, struct plan_counter *counter)
{
	bool one_pass = making->plan->engine == &event_engine && !making->plan->device.replay;

	if (fit(making, counter, 1))
		return one_pass ? REFUSAL_PASSES : REFUSAL_COMBINATION;
	if (!try_formula(making, counter, making->alternative[counter->choice] + 1u))
		return NULL;
	return one_pass && is_known(making, counter) ? REFUSAL_PASSES : REFUSAL_UNKNOWN;
}

/* Accepts the undecided counters that fit together, in their order. Usually one query is enough. */
static void choose(struct making *making)
{
	struct plan *plan = making->plan;
	size_t taken = 0;

	while (!fit(making, plan->counters, plan->count)) {
		struct plan_counter *counter;
		const char *reason;

		taken = count_fitting(making, taken, plan->count);
		counter = &plan->counters[taken];
		reason = try_next_formula(making, counter);
		if (!reason)
			continue;
		making->reasons[counter->choice] = reason;
		plan->count--;
		memmove(counter, counter + 1, (plan->count - taken) * sizeof(*counter));
	}
}

/* Collects the counters that the engine may support. */
static void propose(struct making *making)
{
	struct plan *plan = making->plan;
	unsigned choices = making->settings->counters.count;
	unsigned most = plan->device.capability < 20 ? OLD_COUNTERS : choices;

	for (unsigned i = 0; i < choices; i++) {
		struct plan_counter *counter = &plan->counters[plan->count];

		counter->choice = i;
		making->reasons[i] = plan->count == most ? REFUSAL_FOUR
							 : try_formula(making, counter, 0);
		plan->count += !making->reasons[i];
	}
}

/* Removes unused inputs and renumbers the others. */
static void drop_unused(struct making *making)
{
	struct plan *plan = making->plan;
	size_t kept = 0;

	mark_used(making, plan->counters, plan->count);
	for (size_t i = 0; i < plan->input_count; i++) {
		making->moved[i] = (uint16_t)kept;
		if (making->used[i])
			plan->inputs[kept++] = plan->inputs[i];
	}
	plan->input_count = kept;
	for (unsigned i = 0; i < plan->count; i++)
		for (unsigned k = 0; k < plan->counters[i].formula.name_count; k++)
			plan->counters[i].inputs[k] = making->moved[plan->counters[i].inputs[k]];
}

/* Returns NULL, or the reason why no counter of the device is available. */
static const char *choose_engine(struct plan *plan, const struct settings *settings)
{
	const char *reason;

	if (settings->concurrent_kernels == TRISTATE_ON)
		return REFUSAL_CONCURRENT;
	if (!plan->device.capability)
		return "the driver does not identify the device";
	plan->engine = plan->device.capability <= 72 ? &event_engine : &range_engine;
	reason = plan->engine->examine(&plan->device);
	if (reason && plan->engine == &event_engine && plan->device.capability >= 70) {
		plan->engine = &range_engine;
		reason = plan->engine->examine(&plan->device);
	}
	if (reason)
		plan->engine = NULL;
	return reason;
}

/* Allocates for all candidates at once: the contents are pointed to and must not move. */
static int make_room(struct plan *plan, const struct settings *settings)
{
	size_t size = 0;

	for (unsigned i = 0; i < settings->counters.count; i++)
		size += plan_text_size(&settings->counters.items[i]);
	plan->inputs = memory_map(INPUTS * sizeof(*plan->inputs));
	plan->counters = memory_map(COUNTER_REQUESTS_MOST * sizeof(*plan->counters));
	return plan->inputs && plan->counters && strbuf_reserve(&plan->names, size + 1) ? 0 : -1;
}

static void make(struct making *making)
{
	struct plan *plan = making->plan;
	unsigned count = making->settings->counters.count;
	const char *reason = choose_engine(plan, making->settings);

	for (unsigned i = 0; reason && i < count; i++)
		making->reasons[i] = reason;
	if (!reason) {
		propose(making);
		choose(making);
		drop_unused(making);
	}
	if (!plan->count)
		plan->engine = NULL;
	refusal_say(&making->settings->counters, making->reasons, plan->device.capability);
	for (unsigned i = 0; i < count; i++)
		if (making->reasons[i])
			refusal_list(&plan->refused, &making->settings->counters.items[i]);
}

int plan_make(struct plan *plan, const struct settings *settings,
	      const struct engine_device *device, cuda_context context)
{
	struct making *making = memory_map(sizeof(*making));

	*plan = (struct plan){.device = *device};
	plan->device.replay = settings->replay_kernels;
	if (!making || make_room(plan, settings)) {
		memory_unmap(making, sizeof(*making));
		plan_free(plan);
		return -1;
	}
	making->plan = plan;
	making->settings = settings;
	making->context = context;
	make(making);
	memory_unmap(making, sizeof(*making));
	return 0;
}

void plan_refuse(struct plan *plan, const struct settings *settings, const char *reason)
{
	const struct counter_choices *choices = &settings->counters;
	const char **reasons = memory_map(COUNTER_REQUESTS_MOST * sizeof(*reasons));

	for (unsigned i = 0; reasons && i < plan->count; i++)
		reasons[plan->counters[i].choice] = reason;
	if (reasons)
		refusal_say(choices, reasons, plan->device.capability);
	memory_unmap(reasons, COUNTER_REQUESTS_MOST * sizeof(*reasons));
	plan->refused.length = 0;
	for (unsigned i = 0; i < choices->count; i++)
		refusal_list(&plan->refused, &choices->items[i]);
	plan->count = 0;
	plan->engine = NULL;
}

void plan_free(struct plan *plan)
{
	memory_unmap(plan->inputs, INPUTS * sizeof(*plan->inputs));
	memory_unmap(plan->counters, COUNTER_REQUESTS_MOST * sizeof(*plan->counters));
	strbuf_free(&plan->names);
	strbuf_free(&plan->refused);
	*plan = (struct plan){0};
}

void plan_values(const struct plan *plan, const double *inputs, double *values)
{
	for (unsigned i = 0; i < plan->count; i++)
		values[i] = plan_value(&plan->counters[i], inputs);
}
