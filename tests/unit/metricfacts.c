/* SPDX-License-Identifier: MIT */
#include "metricfacts.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "backend/cuda/libcupti_path.h"
#include "model/formula.h"

static int take(const char *path, void *argument)
{
	struct metricfacts *facts = argument;
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*version)(uint32_t *) = NULL;

	if (!library || !hostapi_fill(&facts->api, library))
		return 0;
	*(void **)&version = dlsym(library, "cuptiGetVersion");
	if (version)
		version(&facts->version);
	facts->chip_count = hostapi_chips(&facts->api, &facts->chips);
	return facts->chip_count > 0;
}

static size_t find(const struct metricfacts *facts, struct formula_name name)
{
	size_t i = 0;

	while (i < facts->metric_count && (strlen(facts->metrics[i]) != name.length ||
					   memcmp(facts->metrics[i], name.text, name.length)))
		i++;
	return i;
}

static void add_names(struct metricfacts *facts, struct counter_way way)
{
	struct formula formula;

	if (formula_parse(&formula, way.formula, way.length))
		return;
	for (unsigned i = 0; i < formula.name_count; i++)
		if (find(facts, formula.names[i]) == facts->metric_count &&
		    facts->metric_count < FACT_METRICS)
			facts->metrics[facts->metric_count++] =
				strndup(formula.names[i].text, formula.names[i].length);
}

int metricfacts_open(struct metricfacts *facts)
{
	*facts = (struct metricfacts){0};
	if (libcupti_path_walk(take, facts) != 1)
		return -1;
	for (int id = 0; id < COUNTER_COUNT; id++) {
		struct counter_way way;

		for (unsigned i = 0;; i++) {
			way = counter_metric(counter_get(id).metric, i);
			if (way.grade == COUNTER_NONE)
				break;
			add_names(facts, way);
		}
	}
	return 0;
}

int metricfacts_have(const struct metricfacts *facts, const char *chip, bool *have)
{
	size_t count = 0;

	if (hostapi_have(&facts->api, chip, (const char *const *)facts->metrics,
			 facts->metric_count, have))
		return -1;
	for (size_t i = 0; i < facts->metric_count; i++)
		count += have[i];
	return count ? 0 : -1; /* CUPTI 13.0 lists GV11B, but has nothing else for it */
}

struct counter_way metricfacts_way(const struct metricfacts *facts, const bool *have, int id)
{
	struct counter_way way;
	struct formula formula;

	for (unsigned number = 0;; number++) {
		bool all = true;

		way = counter_metric(counter_get(id).metric, number);
		if (way.grade == COUNTER_NONE)
			return way;
		if (formula_parse(&formula, way.formula, way.length))
			continue;
		for (unsigned i = 0; i < formula.name_count; i++)
			all = all && have[find(facts, formula.names[i])];
		if (all)
			return way;
	}
}

/*
 * Querying each metric separately is slow. Metrics that fit into one pass together need one each,
 * and groups that fit on one chip usually fit on the next. So groups are kept.
 */
static struct group {
	size_t metrics[FACT_METRICS];
	size_t count;
} groups[FACT_METRICS];
static size_t group_count;

static size_t ask(const struct metricfacts *facts, const char *chip, const size_t *metrics,
		  size_t count)
{
	const char *names[FACT_METRICS] = {NULL};

	for (size_t i = 0; i < count; i++)
		names[i] = facts->metrics[metrics[i]];
	return hostapi_passes(&facts->api, chip, names, count);
}

static void find_alone(struct metricfacts *facts, const char *chip, const size_t *metrics,
		       size_t count)
{
	size_t passes = ask(facts, chip, metrics, count);

	if (count == 1 || passes == 1) {
		for (size_t i = 0; i < count; i++)
			facts->alone[metrics[i]] = passes;
	} else {
		find_alone(facts, chip, metrics, count / 2);
		find_alone(facts, chip, metrics + count / 2, count - count / 2);
	}
}

/* Adds a metric without a group to the last group if it fits. */
static void place(struct metricfacts *facts, const char *chip, size_t metric)
{
	struct group *last = &groups[group_count ? group_count - 1 : 0];

	last->metrics[last->count] = metric;
	if (group_count && ask(facts, chip, last->metrics, last->count + 1) == 1)
		last->count++;
	else
		groups[group_count++] = (struct group){.metrics = {metric}, .count = 1};
}

void metricfacts_plan(struct metricfacts *facts, const char *chip, const bool *have)
{
	static bool placed[FACT_METRICS];

	memset(facts->alone, 0, sizeof(facts->alone));
	for (size_t i = 0; i < facts->metric_count; i++) {
		if (have[i] && !placed[i])
			place(facts, chip, i);
		placed[i] = placed[i] || have[i];
	}
	for (size_t i = 0; i < group_count; i++) {
		size_t metrics[FACT_METRICS], count = 0;

		for (size_t k = 0; k < groups[i].count; k++)
			if (have[groups[i].metrics[k]])
				metrics[count++] = groups[i].metrics[k];
		if (count)
			find_alone(facts, chip, metrics, count);
	}
}

size_t metricfacts_passes(const struct metricfacts *facts, const char *chip,
			  struct counter_way way)
{
	const char *names[FORMULA_NAMES];
	struct formula formula;

	if (formula_parse(&formula, way.formula, way.length))
		return 0;
	if (formula.name_count == 1)
		return facts->alone[find(facts, formula.names[0])];
	for (unsigned i = 0; i < formula.name_count; i++)
		names[i] = facts->metrics[find(facts, formula.names[i])];
	return hostapi_passes(&facts->api, chip, names, formula.name_count);
}
