/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COUNTER_H
#define MODEL_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The hardware counters that configuration files request by name: those of the manual of 2010,
 * later events, and nvprof's metrics. One table in three .def files (counters_2010.def, ...), whose
 * rows are COUNTER(name, unit, help, events, metric, why):
 *
 *	name    in lower case; the log's column has this name
 *	unit    of the value, in the plural
 *	help    a few words, no full stop
 *	events  for devices whose counters are read as CUPTI events: ranges of compute capabilities,
 *		each with its formula (formula.h), as "1.2-3.7 one; 5.0-6.2 ~one + other"
 *	metric  for later devices: the formula, in names of PerfWorks metrics. Several are separated
 *		by " | ": the first one is used all of whose metrics the chip has.
 *	why     a row of reasons.def: the difference between the value and the name, or the reason
 *		why there is no metric
 *
 * A ~ before a formula marks a value that is only approximately what the name says. `unit` and
 * `help` are not in the library: the tool reads them from the .def files
 * (cli/counters/countertext.c).
 *
 * A known counter may not be readable on a device: the back end decides that.
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
	const char *events; /* "" if there is none; likewise `metric` and `why` */
	const char *metric;
	const char *why;
	enum counter_kind kind;
};

/* Returns the id of the counter of this name (any letter case), or -1. */
int counter_find(const char *name);

/* As counter_find, for a name that may be spelled as words: blanks between them stand for one '_'
 * ("local store" in the manual of 2010), others are ignored. */
int counter_find_words(const char *words);

/* Returns the row of an id from 0 to COUNTER_COUNT - 1. */
struct counter counter_get(int id);

struct formula;

/* Returns true if a value of this formula, which covers the whole device, must be converted to one
 * multiprocessor unless countermodeaggregate is set: for names of 2010 and of events, if all its
 * metrics are counted on multiprocessors. */
bool counter_is_of_one(int id, const struct formula *formula);

/* The accuracy of a value with respect to the counter's name. */
enum counter_grade { COUNTER_NONE, COUNTER_APPROXIMATE, COUNTER_EXACT };

/* A formula: a part of the text of a row's `events` or `metric`, without a NUL. */
struct counter_way {
	enum counter_grade grade; /* COUNTER_NONE: no formula */
	const char *formula;
	size_t length;
};

/* Returns the formula in `events` for a compute capability, given as 10 * major + minor. */
struct counter_way counter_event(const char *events, unsigned capability);

/* Returns the formula in `metric` with this number, from 0. */
struct counter_way counter_metric(const char *metric, unsigned number);

/* Returns true if the name has the form of a PerfWorks metric (sm__cycles_active.sum): such a
 * metric may be requested directly. */
bool counter_is_raw(const char *name);

#endif
