/* SPDX-License-Identifier: MIT */
#include "cli/counters/chip.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/formula.h"

const struct chip chips[CHIP_COUNT] = {
#define CHIP(name, capability, products) {#name, capability, products},
#include "cli/counters/chips.def"
#undef CHIP
};

/* `without` and `passes` are words separated and surrounded by blanks: " GA10B GB10B ", " 1 GV100=2
 * ". */
static const struct {
	const char *name;
	const char *without;
} metrics[] = {
#define METRIC(name, without) {name, without},
#define PASSES(counter, passes)
#include "cli/counters/metrics.def"
#undef METRIC
#undef PASSES
	{NULL, NULL},
};

static const char *const passes_of[COUNTER_COUNT] = {
#define METRIC(name, without)
#define PASSES(counter, passes) [COUNTER_##counter] = passes,
#include "cli/counters/metrics.def"
#undef METRIC
#undef PASSES
};

/* Returns 90 for "9.0", "sm_90" or "90"; 0 for other texts. */
static unsigned read_capability(const char *text)
{
	bool arch = !strncmp(text, "sm_", 3) || !strncmp(text, "SM_", 3);
	unsigned capability = 0, points = 0;

	for (text += arch ? 3 : 0; *text; text++) {
		if (*text == '.' && !arch && ++points == 1)
			continue;
		if (*text < '0' || *text > '9' || capability > 999)
			return 0;
		capability = capability * 10 + (unsigned)(*text - '0');
	}
	return arch || points == 1 ? capability : 0;
}

const struct chip *chip_of_capability(unsigned capability)
{
	for (int i = 0; i < CHIP_COUNT; i++)
		if (chips[i].capability == capability)
			return &chips[i];
	return NULL;
}

/* Returns true if `text` is the name of one of the products, or its last words ("RTX 4090",
 * "4090"). */
static bool is_product(const char *products, const char *text)
{
	size_t length = strlen(text);
	char name[64];

	if (!text[strcspn(text, "0123456789")])
		return false;
	for (size_t size; *products; products += size + strspn(products + size, ", ")) {
		size = strcspn(products, ",");
		snprintf(name, sizeof(name), "%.*s", (int)size, products);
		if (size >= length && text_same(name + size - length, text) &&
		    (size == length || name[size - length - 1] == ' '))
			return true;
	}
	return false;
}

const struct chip *chip_find(const char *text)
{
	for (int i = 0; i < CHIP_COUNT; i++)
		if (text_same(chips[i].name, text) || is_product(chips[i].products, text))
			return &chips[i];
	return chip_of_capability(read_capability(text));
}

enum chip_access chip_access(const struct chip *chip)
{
	if (chip->capability < 20)
		return CHIP_LOST;
	return chip->capability < 75 ? CHIP_EVENTS : CHIP_METRICS;
}

static bool has_word(const char *words, const char *word)
{
	char wanted[32];

	snprintf(wanted, sizeof(wanted), " %s ", word);
	return strstr(words, wanted) != NULL;
}

bool chip_has(const struct chip *chip, const char *metric, size_t length)
{
	for (int i = 0; metrics[i].name; i++)
		if (strlen(metrics[i].name) == length && !memcmp(metrics[i].name, metric, length))
			return !has_word(metrics[i].without, chip->name);
	return false;
}

/* Returns true if the chip has all metrics of a formula; otherwise `missing` is set to the first
 * one that it lacks. */
static bool has_all(const struct chip *chip, struct counter_way way, char *missing, size_t size)
{
	struct formula formula;

	if (formula_parse(&formula, way.formula, way.length))
		return false;
	for (unsigned i = 0; i < formula.name_count; i++) {
		struct formula_name name = formula.names[i];

		if (chip_has(chip, name.text, name.length))
			continue;
		snprintf(missing, size, "%.*s", (int)name.length, name.text);
		return false;
	}
	return true;
}

struct counter_way chip_formula(const struct chip *chip, const char *metric, char *missing,
				size_t size)
{
	char other[128];

	*missing = '\0';
	for (unsigned number = 0;; number++) {
		struct counter_way way = counter_metric(metric, number);

		if (way.grade == COUNTER_NONE)
			return way;
		if (has_all(chip, way, number ? other : missing, number ? sizeof(other) : size)) {
			*missing = '\0';
			return way;
		}
	}
}

/* Example: for "1 GV100=2", returns 2 on GV100 and 1 elsewhere. */
static unsigned read_passes(const char *passes, const struct chip *chip)
{
	char wanted[32];
	const char *at;
	unsigned number = 0;

	if (!passes)
		return 0;
	snprintf(wanted, sizeof(wanted), " %s=", chip->name);
	at = strstr(passes, wanted);
	for (at = at ? at + strlen(wanted) : passes + 1; *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (unsigned)(*at - '0');
	return number;
}

struct chip_counter chip_counter(const struct chip *chip, int id)
{
	struct counter counter = counter_get(id);
	struct chip_counter found = {.event = chip_access(chip) != CHIP_METRICS};

	if (chip_access(chip) == CHIP_METRICS)
		found.way =
			chip_formula(chip, counter.metric, found.missing, sizeof(found.missing));
	else if (chip_access(chip) == CHIP_EVENTS)
		found.way = counter_event(counter.events, chip->capability);
	if (found.way.grade != COUNTER_NONE && !found.event)
		found.passes = read_passes(passes_of[id], chip);
	return found;
}
