/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_PLAN_H
#define BACKEND_CUDA_COUNTERS_PLAN_H

#include "backend/cuda/counters/engine.h"
#include "base/strbuf.h"
#include "model/formula.h"
#include "settings/settings.h"

/*
 * Which of the counters that the user asks for are measured on a device, and how: the engine, its
 * inputs, and the formulas that make counters of them. Made once for each device and settings, and
 * constant from then on.
 */
struct plan_counter {
	unsigned choice; /* of settings->counters */
	struct formula formula;
	uint16_t inputs[FORMULA_NAMES]; /* of the formula's names: numbers of plan.inputs */
	bool real;	 /* its values are no whole numbers: a ratio, a rate, an average */
	double scale;	 /* what the formula's value is multiplied by, see plan_make */
};

struct plan {
	const struct engine *engine; /* NULL if nothing is measured */
	struct engine_device device;
	struct plan_counter *counters; /* in the order of the settings */
	unsigned count;
	const char **inputs;
	size_t input_count;
	struct strbuf names; /* where inputs and formulas have their texts */
	struct strbuf refused; /* the names of the others, each ended by a newline */
};

/*
 * Makes it, and says on stderr once for each reason which counters are refused and why. With
 * `context` NULL nothing that needs one can be promised. A counter is refused when
 *   no engine can measure the device, no row has a formula for it, the device does not know an
 *   input, or the inputs cannot be had in the same run as those of counters named before it.
 * Counters of one multiprocessor, as the driver of 2010 read them without countermodeaggregate, are
 * the sum divided by the multiprocessors where an engine knows only sums.
 */
int plan_make(struct plan *plan, const struct settings *settings,
	      const struct engine_device *device, cuda_context context);
void plan_free(struct plan *plan);

/* Refuses all that is left, and says so: it turned out that the device cannot be measured. */
void plan_refuse(struct plan *plan, const struct settings *settings, const char *reason);

/* `values` gets plan->count values, from those of the inputs; NAN where there is none. */
void plan_values(const struct plan *plan, const double *inputs, double *values);

#endif
