/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_PLAN_FORMULAS_H
#define BACKEND_CUDA_COUNTERS_PLAN_FORMULAS_H

#include "backend/cuda/counters/plan.h"
#include "model/counter.h"

/*
 * The alternative formulas of a counter for the plan's engine. Only for plan.c, after the engine is
 * chosen.
 */

/* Returns the formula with this number, from 0. The first one whose inputs are all known is
 * used. */
struct counter_way plan_formula(const struct plan *plan, const struct counter_choice *choice,
				unsigned number);

/* Returns the reason why there is none, as a clause. */
const char *plan_refusal_reason(const struct plan *plan, const struct counter_choice *choice);

/* Returns true if the counter's values are not integers. */
bool plan_is_fractional(const struct plan *plan, const struct counter_choice *choice,
			const struct formula *formula);

/* Return true if the driver of 2010 counted it on one multiprocessor (without
 * countermodeaggregate): by an event whose first instance can be read; or by metrics, where the
 * engine only has sums. False for counters of nvprof, of [counter NAME] sections, and for plain
 * events and metrics. */
bool plan_is_of_first(const struct plan *plan, const struct counter_choice *choice);
bool plan_is_of_one(const struct plan *plan, const struct counter_choice *choice,
		    const struct formula *formula);

/* Returns an upper bound for the size of all names in its formulas, each with a suffix and a
 * NUL. */
size_t plan_text_size(const struct counter_choice *choice);

/* Computes the counter from the values of all inputs; NAN if a value is missing or logs cannot
 * represent it. */
double plan_value(const struct plan_counter *counter, const double *inputs);

#endif
