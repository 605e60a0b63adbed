/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_PLAN_WAYS_H
#define BACKEND_CUDA_COUNTERS_PLAN_WAYS_H

#include "backend/cuda/counters/plan.h"
#include "model/counter.h"

/*
 * The formulas by which an engine may measure a counter. Only for plan.c, when the plan's engine is
 * known.
 */

/* The formula with this number, from 0; the first whose inputs are all known counts. */
struct counter_way plan_way(const struct plan *plan, const struct counter_choice *choice,
			    unsigned number);

/* Why there is none, one clause. */
const char *plan_why_not(const struct plan *plan, const struct counter_choice *choice);

/* Whether its values are no whole numbers. */
bool plan_is_real(const struct plan *plan, const struct counter_choice *choice,
		  const struct formula *formula);

/* Whether the driver of 2010 counted it on one multiprocessor (unless countermodeaggregate was
 * there): by an event, of which the first instance can be read, or by metrics, where the engine
 * knows only sums over all. What nvprof had, and what is defined or stands as it is, never is. */
bool plan_is_of_first(const struct plan *plan, const struct counter_choice *choice);
bool plan_is_of_one(const struct plan *plan, const struct counter_choice *choice,
		    const struct formula *formula);

/* No more than this is in all names of all its formulas, each with an end and a NUL. */
size_t plan_text_size(const struct counter_choice *choice);

/* Of the counter, from those of all inputs; NAN where there is none, or none that logs can tell. */
double plan_value(const struct plan_counter *counter, const double *inputs);

#endif
