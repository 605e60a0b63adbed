/* SPDX-License-Identifier: MIT */
#include "cli/counters/passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/formula.h"

static unsigned find(const struct passes *passes, struct formula_name name)
{
	unsigned i = 0;

	while (i < passes->count && (strlen(passes->metrics[i]) != name.length ||
				     memcmp(passes->metrics[i], name.text, name.length)))
		i++;
	return i;
}

static void add_metrics(struct passes *passes, struct counter_way way)
{
	struct formula formula;

	if (way.grade == COUNTER_NONE || formula_parse(&formula, way.formula, way.length))
		return;
	for (unsigned i = 0; i < formula.name_count; i++) {
		struct formula_name name = formula.names[i];
		char *copy;

		if (find(passes, name) < passes->count || passes->count == PASSES_METRICS)
			continue;
		copy = strndup(name.text, name.length);
		if (copy)
			passes->metrics[passes->count++] = copy;
	}
}

/* Returns the formula of a counter that is not in the table, or NULL. */
static const char *own_formula(const struct counter_choice *choice, const struct chip *chip)
{
	if (chip_access(chip) == CHIP_EVENTS)
		return choice->event;
	return choice->metric || choice->event ? choice->metric : choice->name;
}

/* Returns the counter as the tables have it, without libcupti's answers. */
static struct chip_counter assumed_counter(const struct passes *passes, unsigned number)
{
	const struct counter_choice *choice = &passes->settings->counters.items[number];
	struct chip_counter found = {.event = chip_access(passes->chip) == CHIP_EVENTS};
	const char *formula;

	if (choice->id >= 0)
		return chip_counter(passes->chip, choice->id);
	formula = own_formula(choice, passes->chip);
	if (formula && chip_access(passes->chip) != CHIP_LOST)
		found.way = (struct counter_way){COUNTER_EXACT, formula, strlen(formula)};
	return found;
}

/* Returns the first metric of a formula whose answer is `answer`, or NULL. Metrics that were not
 * queried have no answer. */
static const char *metric_with(const struct passes *passes, struct counter_way way, char answer)
{
	struct formula formula;

	if (!passes->answer.known || way.grade == COUNTER_NONE ||
	    formula_parse(&formula, way.formula, way.length))
		return NULL;
	for (unsigned i = 0; i < formula.name_count; i++) {
		unsigned metric = find(passes, formula.names[i]);

		if (metric < passes->count && passes->answer.have[metric] == answer)
			return passes->metrics[metric];
	}
	return NULL;
}

void passes_ask(struct passes *passes, const struct settings *settings, const struct chip *chip)
{
	*passes = (struct passes){.settings = settings, .chip = chip};
	if (chip_access(chip) != CHIP_METRICS)
		return;
	for (unsigned i = 0; i < settings->counters.count; i++)
		add_metrics(passes, assumed_counter(passes, i).way);
	cupti_query_metrics(&passes->answer, chip, (const char *const *)passes->metrics,
			    passes->count);
}

void passes_free(struct passes *passes)
{
	free(passes->answer.have);
	for (unsigned i = 0; i < passes->count; i++)
		free(passes->metrics[i]);
	*passes = (struct passes){0};
}

struct chip_counter passes_counter(const struct passes *passes, unsigned number)
{
	struct chip_counter found = assumed_counter(passes, number);
	const char *missing = metric_with(passes, found.way, '0');

	if (missing) {
		found.way.grade = COUNTER_NONE;
		snprintf(found.missing, sizeof(found.missing), "%s", missing);
	}
	return found;
}

const char *passes_apart(const struct passes *passes, unsigned number)
{
	return metric_with(passes, passes_counter(passes, number).way, 'x');
}

/* With concurrent kernels, values cannot be assigned to one kernel. */
static bool is_concurrent(const struct passes *passes)
{
	return passes->settings->concurrent_kernels == TRISTATE_ON;
}

unsigned passes_measured(const struct passes *passes)
{
	unsigned measured = 0;

	for (unsigned i = 0; i < passes->settings->counters.count && !is_concurrent(passes); i++)
		measured += passes_counter(passes, i).way.grade != COUNTER_NONE &&
			    !passes_apart(passes, i);
	return measured;
}

/* Returns the sum of the passes of each counter, the upper bound for all together; 0 if one is
 * unknown. */
static unsigned most_passes(const struct passes *passes)
{
	unsigned most = 0;

	for (unsigned i = 0; i < passes->settings->counters.count; i++) {
		struct chip_counter found = passes_counter(passes, i);

		if (found.way.grade != COUNTER_NONE && !found.passes)
			return 0;
		most += found.passes;
	}
	return most;
}

static void say_unasked(struct strbuf *to, unsigned most)
{
	if (most == 1)
		strbuf_string(to, ", in 1 pass: each kernel runs once");
	else if (most)
		strbuf_printf(to, ", in at most %u passes: each kernel runs up to %u times. The "
				  "exact number is not known, ", most,
			      most);
	else
		strbuf_string(to, ", but the number of passes is not known, ");
	if (most != 1)
		strbuf_string(to, "because no libcupti of CUDA 12.6 Update 2 to 13.1 that knows "
				  "the chip was found (or later, with a driver)");
}

static void say_events(struct strbuf *to, bool replay)
{
	strbuf_string(to, ", as CUPTI events; ");
	if (replay)
		strbuf_string(to, "only the device itself determines the number of passes (replay "
				  "= kernel: each kernel runs once in each pass)");
	else
		strbuf_string(to, "only the device itself determines which of them fit into one "
				  "run of a kernel. The others are refused, unless section "
				  "[counters] has replay = kernel, which repeats each kernel for "
				  "them");
}

void passes_say(const struct passes *passes, const char *where, struct strbuf *to)
{
	unsigned count = passes->answer.known ? passes->answer.passes : 0;
	unsigned measured = passes_measured(passes), all = passes->settings->counters.count;

	strbuf_printf(to, "%u of %u can be measured%s%s", measured, all,
		      where ? " on " : "", where ? where : "");
	if (is_concurrent(passes))
		strbuf_string(to, ", because counters of kernels that run at the same time "
				  "(conckerneltrace) cannot be told apart");
	else if (!measured)
		return;
	else if (chip_access(passes->chip) == CHIP_EVENTS)
		say_events(to, passes->settings->replay_kernels);
	else if (count == 1)
		strbuf_string(to, ", in 1 pass: each kernel runs once");
	else if (count)
		strbuf_printf(to, ", in %u passes: each kernel runs %u times", count, count);
	else
		say_unasked(to, most_passes(passes));
}
