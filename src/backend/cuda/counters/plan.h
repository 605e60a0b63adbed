/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_PLAN_H
#define BACKEND_CUDA_COUNTERS_PLAN_H

#include "backend/cuda/counters/engine.h"
#include "base/strbuf.h"
#include "model/formula.h"
#include "settings/settings.h"

/*
 * The plan of a device: the requested counters that are measured, their engine, its inputs, and the
 * formulas that compute the counters. Made once per device and settings, and then constant.
 */
struct plan_counter {
	unsigned choice; /* index in settings->counters */
	struct formula formula;
	uint16_t inputs[FORMULA_NAMES]; /* indices in plan.inputs of the formula's names */
	bool real;	 /* its values are not integers: a ratio, a rate, an average */
	double scale;	 /* factor of the formula's value, see plan_make */
};

struct plan {
	const struct engine *engine; /* NULL if nothing is measured */
	struct engine_device device;
	struct plan_counter *counters; /* in the order of the settings */
	unsigned count;
	const char **inputs;
	size_t input_count;
	struct strbuf names; /* the texts of inputs and formulas */
	struct strbuf refused; /* the names of refused counters, each followed by a newline */
};

/*
 * Makes the plan, and prints each reason of refusal once on stderr with the refused counters. With
 * `context` NULL, counters that need a context may be refused later.
 *
 * A counter is refused if no engine can measure the device, if no formula exists for the device, if
 * the device does not know an input, or if its inputs cannot be measured together with those of
 * earlier counters.
 *
 * Without countermodeaggregate the driver of 2010 counted on one multiprocessor; if an engine only
 * has sums, the sum is divided by the number of multiprocessors.
 */
int plan_make(struct plan *plan, const struct settings *settings,
	      const struct engine_device *device, cuda_context context);
void plan_free(struct plan *plan);

/* Refuses all remaining counters with a message, because the device cannot be measured. */
void plan_refuse(struct plan *plan, const struct settings *settings, const char *reason);

/* Computes plan->count values from those of the inputs; NAN where a value is missing. */
void plan_values(const struct plan *plan, const double *inputs, double *values);

#endif
