/* SPDX-License-Identifier: MIT */
#include "values.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static char why[512];

void values_begin(struct values *values)
{
	*values = (struct values){.earliest = -DBL_MAX, .latest = DBL_MAX};
}

/* Returns true if `value` is one of the alternatives in `list`, separated by |. */
static bool one_of(const char *list, const char *value)
{
	size_t length = strlen(value);

	for (;;) {
		size_t end = strcspn(list, "|");

		if (end == length && !strncmp(list, value, length))
			return true;
		if (!list[end])
			return false;
		list += end + 1;
	}
}

static bool compare_name(struct values *values, const char *name, const char *value)
{
	if (!*value || !strcmp(value, "1"))
		return false;
	for (size_t i = 0; i < values->name_count; i++) {
		const struct values_name *known = &values->names[i];

		if (!strcmp(known->name, name))
			return !strcmp(known->value, value);
		if (!strcmp(known->value, value))
			return false;
	}
	if (values->name_count < VALUES_NAMES) {
		struct values_name *known = &values->names[values->name_count++];

		snprintf(known->name, sizeof(known->name), "%.31s", name);
		snprintf(known->value, sizeof(known->value), "%.31s", value);
	}
	return true;
}

static bool compare_text(struct values *values, const char *wanted, const char *value)
{
	if (*wanted == '@')
		return compare_name(values, wanted + 1, value);
	if (*wanted == '~')
		return linear_fits(&values->linear, wanted + 1, value);
	if (!strcmp(wanted, "+"))
		return *value != 0;
	return one_of(wanted, value);
}

/* Times in the log have the precision of a float and three decimals. */
static double slack(double microseconds)
{
	return microseconds * 2 * FLT_EPSILON + 0.001;
}

static const char *compare_call(struct values *values, const struct logtext *log, size_t row,
				const char *window)
{
	char timestamp[LOGTEXT_VALUE], cputime[LOGTEXT_VALUE], *rest;
	double before = (double)strtoull(window, &rest, 10);
	double after = (double)strtoull(rest + 1, NULL, 10);
	double at, took, longest = (after - before) / 1000;

	if (!logtext_value(log, row, "timestamp", timestamp) || !*timestamp ||
	    !logtext_value(log, row, "cputime", cputime) || !*cputime)
		return "the call has no times";
	at = strtod(timestamp, NULL) * 1000;
	took = strtod(cputime, NULL);
	values->calls++;
	values->earliest = fmax(values->earliest, before - at);
	values->latest = fmin(values->latest, after - took * 1000 - at);
	values->span = fmax(values->span, at);
	/* Two clocks: CUPTI's may be adjusted. */
	if (took <= longest * 1.001 + slack(took) + 0.5)
		return NULL;
	snprintf(why, sizeof(why), "cputime is longer than the call, %.3f us", longest);
	return why;
}

/* KEY=VALUE, KEY>=NUMBER or KEY<=NUMBER */
static bool compare_word(struct values *values, const struct logtext *log, size_t row,
			 const char *word)
{
	char key[64], value[LOGTEXT_VALUE];
	size_t length = strcspn(word, "<>=");

	snprintf(key, sizeof(key), "%.*s", (int)length, word);
	if (!word[length] || !logtext_value(log, row, key, value))
		return false;
	if (word[length] == '=')
		return compare_text(values, word + length + 1, value);
	if (!*value || word[length + 1] != '=')
		return false;
	if (word[length] == '<')
		return strtod(value, NULL) <= strtod(word + length + 2, NULL);
	return strtod(value, NULL) >= strtod(word + length + 2, NULL);
}

const char *values_compare(struct values *values, const struct logtext *log, size_t row,
			   char *const *words)
{
	const char *wrong;

	for (; *words; words++) {
		if (!strncmp(*words, "device=", 7))
			continue;
		if (strncmp(*words, "call=", 5)) {
			if (compare_word(values, log, row, *words))
				continue;
			snprintf(why, sizeof(why), "not %s", *words);
			return why;
		}
		wrong = compare_call(values, log, row, *words + 5);
		if (wrong)
			return wrong;
	}
	return NULL;
}

const char *values_times(const struct logtext *log, size_t row)
{
	char start[LOGTEXT_VALUE], end[LOGTEXT_VALUE], gputime[LOGTEXT_VALUE];
	unsigned long long first, last;
	double took, difference;

	if (!logtext_value(log, row, "gpustarttimestamp", start) ||
	    !logtext_value(log, row, "gpuendtimestamp", end) ||
	    !logtext_value(log, row, "gputime", gputime))
		return NULL; /* the part has selected other columns */
	first = strtoull(start, NULL, 16);
	last = strtoull(end, NULL, 16);
	if (!first || last < first || !*gputime)
		return "no times, or reversed ones";
	took = strtod(gputime, NULL);
	difference = (double)(last - first) / 1000;
	if (fabs(took - difference) <= slack(difference))
		return NULL;
	return "gputime is not end - start";
}

size_t values_late(const struct values *values)
{
	/* The profiler's clock and the program's are read at two moments; either may be
	 * adjusted. */
	double allowed = 20000 + slack(values->span / 1000) * 1000 + values->span * 0.0005;

	if (values->earliest <= values->latest + allowed)
		return 0;
	tap_note("calls lie up to %.1f us outside of what the program measured",
		 (values->earliest - values->latest) / 1000);
	return 1;
}
