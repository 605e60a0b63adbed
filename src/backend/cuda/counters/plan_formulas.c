/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/plan_formulas.h"

#include <math.h>
#include <string.h>

static struct counter_way none(void)
{
	return (struct counter_way){.grade = COUNTER_NONE};
}

static struct counter_way whole(const char *text)
{
	if (!text)
		return none();
	return (struct counter_way){COUNTER_EXACT, text, strlen(text)};
}

static bool is_defined(const struct counter_choice *choice)
{
	return choice->metric || choice->event;
}

static bool has_events(const struct plan *plan)
{
	return plan->engine == &event_engine;
}

/* Returns true if the choice itself is the name of an event or a metric. */
static bool is_raw(const struct plan *plan, const struct counter_choice *choice)
{
	return choice->id < 0 && !is_defined(choice) &&
	       counter_is_raw(choice->name) != has_events(plan);
}

struct counter_way plan_formula(const struct plan *plan, const struct counter_choice *choice,
				unsigned number)
{
	if (choice->id >= 0 && !has_events(plan))
		return counter_metric(counter_get(choice->id).metric, number);
	if (number)
		return none();
	if (choice->id >= 0)
		return counter_event(counter_get(choice->id).events, plan->device.capability);
	if (is_raw(plan, choice))
		return whole(choice->name);
	return whole(has_events(plan) ? choice->event : choice->metric);
}

const char *plan_refusal_reason(const struct plan *plan, const struct counter_choice *choice)
{
	const char *why = choice->id >= 0 ? counter_get(choice->id).why : "";

	if (has_events(plan) && choice->id >= 0)
		return "these devices have no event for it";
	if (has_events(plan))
		return is_defined(choice) ? "its section names no event"
					  : "these devices have CUPTI events, but no PerfWorks "
					    "metrics";
	if (*why)
		return why;
	return choice->id >= 0 ? "no metric counts it" : "its section names no metric";
}

static bool has_division(const struct formula *formula)
{
	for (unsigned i = 0; i < formula->step_count; i++) {
		const struct formula_step *step = &formula->steps[i];

		if (step->kind == '/' ||
		    (step->kind == '1' && step->number != (double)(uint64_t)step->number))
			return true;
	}
	return false;
}

/* Returns true for sm__cycles_active.sum, false for sm__cycles_active.avg and
 * sm__cycles_active.sum.per_second. */
static bool is_whole(const struct formula_name *metric)
{
	static const char *const ends[] = {".sum", ".min", ".max"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (metric->length > 4 &&
		    !memcmp(metric->text + metric->length - 4, ends[i], 4))
			return true;
	return false;
}

static bool is_of_old_tables(const struct counter_choice *choice)
{
	return choice->id >= 0 && counter_get(choice->id).kind != COUNTER_KIND_NVPROF;
}

bool plan_is_fractional(const struct plan *plan, const struct counter_choice *choice,
			const struct formula *formula)
{
	bool real = has_division(formula);

	for (unsigned i = 0; i < formula->name_count && !has_events(plan); i++)
		real |= !is_whole(&formula->names[i]);
	return real && !is_of_old_tables(choice);
}

bool plan_is_of_first(const struct plan *plan, const struct counter_choice *choice)
{
	return has_events(plan) && is_of_old_tables(choice);
}

bool plan_is_of_one(const struct plan *plan, const struct counter_choice *choice,
		    const struct formula *formula)
{
	return !has_events(plan) && choice->id >= 0 && counter_is_of_one(choice->id, formula);
}

size_t plan_text_size(const struct counter_choice *choice)
{
	const struct counter row = choice->id >= 0 ? counter_get(choice->id)
						   : (struct counter){.events = "", .metric = ""};

	/* The NUL of a name has the byte of what follows it in the formula, or one of the 5. */
	return strlen(row.events) + strlen(row.metric) + strlen(choice->name) +
	       (choice->metric ? strlen(choice->metric) : 0) +
	       (choice->event ? strlen(choice->event) : 0) + 5 +
	       FORMULA_NAMES * strlen(ENGINE_FIRST);
}

double plan_value(const struct plan_counter *counter, const double *inputs)
{
	double own[FORMULA_NAMES], value;

	for (unsigned i = 0; i < counter->formula.name_count; i++)
		own[i] = inputs[counter->inputs[i]];
	value = formula_value(&counter->formula, own) * counter->scale;
	return fabs(value) < 0x1p63 ? value : NAN;
}
