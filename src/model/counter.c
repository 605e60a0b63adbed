/* SPDX-License-Identifier: MIT */
#include "model/counter.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "model/formula.h"

/*
 * All strings of the table are in one struct, and the rows have offsets into it. Rows of pointers
 * would need relocations in every process that loads the library.
 */
static const struct texts {
#define COUNTER(name, unit, help, events, metric, why)                                             \
	char name_##name[sizeof(#name)];                                                           \
	char events_##name[sizeof(events)];                                                        \
	char metric_##name[sizeof(metric)];
#include "model/counters_2010.def"
#include "model/counters_events.def"
#include "model/counters_nvprof.def"
#undef COUNTER
#define REASON(id, text) char reason_##id[sizeof(text)];
#include "model/reasons.def"
#undef REASON
} texts = {
#define COUNTER(name, unit, help, events, metric, why) #name, events, metric,
#include "model/counters_2010.def"
#include "model/counters_events.def"
#include "model/counters_nvprof.def"
#undef COUNTER
#define REASON(id, text) text,
#include "model/reasons.def"
#undef REASON
};

static const struct row {
	uint16_t name;
	uint16_t events;
	uint16_t metric;
	uint16_t why;
} rows[COUNTER_COUNT] = {
#define COUNTER(name, unit, help, events, metric, why)                                             \
	[COUNTER_##name] = {                                                                       \
		offsetof(struct texts, name_##name),                                               \
		offsetof(struct texts, events_##name),                                             \
		offsetof(struct texts, metric_##name),                                             \
		offsetof(struct texts, reason_##why),                                              \
	},
#include "model/counters_2010.def"
#include "model/counters_events.def"
#include "model/counters_nvprof.def"
#undef COUNTER
};

_Static_assert(sizeof(struct texts) < UINT16_MAX, "offsets have 16 bits");

static const char *text_at(uint16_t offset)
{
	return (const char *)&texts + offset;
}

int counter_find(const char *name)
{
	for (int id = 0; id < COUNTER_COUNT; id++)
		if (text_same(name, text_at(rows[id].name)))
			return id;
	return -1;
}

int counter_find_words(const char *words)
{
	static const char blanks[] = " \t";
	char joined[64];
	size_t length = 0;

	words += strspn(words, blanks);
	while (*words) {
		size_t blank = strspn(words, blanks);

		words += blank ? blank : 1;
		if (blank && !*words)
			break;
		if (length + 1 == sizeof(joined))
			return -1;
		joined[length++] = blank ? '_' : words[-1];
	}
	joined[length] = '\0';
	return counter_find(joined);
}

struct counter counter_get(int id)
{
	const struct row *row = &rows[id];

	return (struct counter){
		.name = text_at(row->name),
		.events = text_at(row->events),
		.metric = text_at(row->metric),
		.why = text_at(row->why),
		.kind = id < COUNTER_2010_COUNT	    ? COUNTER_KIND_2010
			: id < COUNTER_EVENTS_COUNT ? COUNTER_KIND_EVENT
						    : COUNTER_KIND_NVPROF,
	};
}

static struct counter_way way(const char *text, size_t length)
{
	struct counter_way found = {COUNTER_EXACT, text, length};

	while (found.length && *found.formula == ' ') {
		found.formula++;
		found.length--;
	}
	while (found.length && found.formula[found.length - 1] == ' ')
		found.length--;
	if (found.length && *found.formula == '~') {
		found.grade = COUNTER_APPROXIMATE;
		found.formula++;
		found.length--;
	}
	if (found.length == 0)
		found.grade = COUNTER_NONE;
	return found;
}

/* Reads "2.1" as 21 at `*text`, which is moved past it. */
static unsigned read_capability(const char **text)
{
	unsigned capability = 0;

	for (; (**text >= '0' && **text <= '9') || **text == '.'; ++*text)
		if (**text != '.')
			capability = capability * 10 + (unsigned)(**text - '0');
	return capability;
}

struct counter_way counter_event(const char *events, unsigned capability)
{
	while (*events) {
		size_t length = strcspn(events, ";");
		const char *at = events;
		unsigned first = read_capability(&at), last = first;

		if (*at == '-') {
			at++;
			last = read_capability(&at);
		}
		if (capability >= first && capability <= last)
			return way(at, (size_t)(events + length - at));
		events += length + strspn(events + length, "; ");
	}
	return way(events, 0);
}

struct counter_way counter_metric(const char *metric, unsigned number)
{
	for (; number && *metric; number--)
		metric += strcspn(metric, "|") + (strchr(metric, '|') != NULL);
	return way(metric, strcspn(metric, "|"));
}

bool counter_is_raw(const char *name)
{
	static const char units[] = " ctc dram dramc fbpa fe gcc gpc gpu gr idc l1tex lrc lts mcc "
				    "nvlrx nvltx pcie sm smsp sys syslrc syslts tpc ";
	const char *mark = strstr(name, "__");
	char unit[16] = " ";
	size_t length = mark ? (size_t)(mark - name) : 0;

	if (length == 0 || length + 3 > sizeof(unit))
		return false;
	memcpy(unit + 1, name, length);
	unit[length + 1] = ' ';
	if (!strstr(units, unit))
		return false;
	for (const char *at = mark + 2; *at; at++) {
		bool dot = *at == '.';

		if (dot && (at[-1] == '.' || at[-1] == '_' || !at[1]))
			return false;
		if (!dot && *at != '_' && !(*at >= '0' && *at <= '9') &&
		    !((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z'))
			return false;
	}
	return mark[2] != '\0' && mark[2] != '.';
}

static bool is_of_multiprocessor(const struct formula_name *metric)
{
	static const char *const units[] = {"sm__", "smsp__", "l1tex__", "tpc__", "idc__"};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strncmp(metric->text, units[i], strlen(units[i])))
			return true;
	return false;
}

bool counter_is_of_one(int id, const struct formula *formula)
{
	for (unsigned i = 0; i < formula->name_count; i++)
		if (!is_of_multiprocessor(&formula->names[i]))
			return false;
	return counter_get(id).kind != COUNTER_KIND_NVPROF;
}
