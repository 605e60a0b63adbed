/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COUNTER_H
#define MODEL_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The hardware counters that configuration files ask for by name: those of the manual of 2010,
 * later events, and nvprof's metrics. One table in three .def files (counters_2010.def, ...), whose
 * rows are COUNTER(name, unit, help, events, metric, why):
 *
 *	name    in lower case; the log's column is called so
 *	unit    of the value, in the plural
 *	help    a few words, no full stop
 *	events  for devices whose counters are read as CUPTI events: for which compute
 *		capabilities, and the formula (formula.h), as "1.2-3.7 one; 5.0-6.2 ~one + other"
 *	metric  for later ones: the formula, in names of PerfWorks metrics. Several are separated
 *		by " | ": the first counts whose metrics the chip all has.
 *	why     a row of reasons.def: what makes the value another than the name says, or why
 *		there is no metric
 *
 * A ~ before a formula says that its value is only about what the name says. `unit` and `help` are
 * not in the library: the tool reads them from the .def files (cli/counters/countertext.c).
 *
 * Knowing a name is not being able to read it: that is for a back end to say.
 */
enum counter_id {
#define COUNTER(name, unit, help, events, metric, why) COUNTER_##name,
#include "model/counters_2010.def"
	COUNTER_2010_COUNT,
	COUNTER_2010_LAST = COUNTER_2010_COUNT - 1,
#include "model/counters_events.def"
	COUNTER_EVENTS_COUNT,
	COUNTER_EVENTS_LAST = COUNTER_EVENTS_COUNT - 1,
#include "model/counters_nvprof.def"
#undef COUNTER
	COUNTER_COUNT
};

enum counter_kind { COUNTER_KIND_2010, COUNTER_KIND_EVENT, COUNTER_KIND_NVPROF };

struct counter {
	const char *name;
	const char *events; /* "" if there is none, as `metric` and `why` */
	const char *metric;
	const char *why;
	enum counter_kind kind;
};

/* The counter of this name (any letter case), or -1. */
int counter_find(const char *name);

/* The row of an id from 0 to COUNTER_COUNT - 1. */
struct counter counter_get(int id);

struct formula;

/* Whether a value made by this formula of metrics, which are of the whole device, has to become
 * that of one multiprocessor where countermodeaggregate is not set: for names of 2010 and of
 * events, if all of it is counted on multiprocessors. */
bool counter_is_of_one(int id, const struct formula *formula);

/* How near a value comes to what the counter's name says. */
enum counter_grade { COUNTER_NONE, COUNTER_APPROXIMATE, COUNTER_EXACT };

/* A formula of a row: a piece of its text, not terminated. */
struct counter_way {
	enum counter_grade grade; /* COUNTER_NONE: there is no formula */
	const char *formula;
	size_t length;
};

/* From `events`: what holds for a compute capability, given as 10 * major + minor. */
struct counter_way counter_event(const char *events, unsigned capability);

/* From `metric`: the formula with this number, from 0. */
struct counter_way counter_metric(const char *metric, unsigned number);

/* Whether this is written like the name of a PerfWorks metric (sm__cycles_active.sum): such a name
 * may be asked for as it stands. */
bool counter_is_raw(const char *name);

#endif
