/* SPDX-License-Identifier: MIT */
#include "view/stacks/folded.h"

#include <stdlib.h>

#include "model/amount.h"

const char *folded_unit(void)
{
	return flame_options.hertz ? "samples" : "us";
}

/*
 * Rounds so that the sum of all is the rounded sum: each gets the difference of two rounded partial
 * sums, and is less than one unit from its time.
 */
static void set_microseconds(struct folded *folded, int class, uint32_t count)
{
	uint64_t sum = 0, rounded = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t next;

		sum = amount_add(sum, folded->time[class][i]);
		next = sum / 1000 + (sum % 1000 >= 500);
		folded->units[class][i] = next - rounded;
		rounded = next;
	}
}

/* As xpu-perf's profiler does: rounds each time to a whole number of samples, at least 1. */
static void set_samples(struct folded *folded, int class, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		double samples = (double)folded->time[class][i] * flame_options.hertz / 1e9 + 0.5;

		if (folded->count[class][i])
			folded->units[class][i] = samples < 1 ? 1 : (uint64_t)samples;
	}
}

uint64_t folded_units(const struct folded *folded, uint32_t function)
{
	uint64_t units = 0;

	for (int class = 0; class < FLAME_CLASSES; class ++)
		units = amount_add(units, folded->units[class][function]);
	return units;
}

static void set_units(struct folded *folded, uint32_t count)
{
	for (int class = 0; class < FLAME_CLASSES; class ++)
		(flame_options.hertz ? set_samples : set_microseconds)(folded, class, count);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t units = folded_units(folded, i);

		folded->stacks += units > 0;
		folded->total = amount_add(folded->total, units);
	}
}

int folded_make(struct folded *folded, const struct flame *flame, struct strbuf *error)
{
	uint32_t count = flame->functions.count;
	size_t room = count ? count : 1;

	*folded = (struct folded){0};
	for (int class = 0; class < FLAME_CLASSES; class ++) {
		folded->time[class] = calloc(room, sizeof(uint64_t));
		folded->count[class] = calloc(room, sizeof(uint64_t));
		folded->units[class] = calloc(room, sizeof(uint64_t));
		if (!folded->time[class] || !folded->count[class] || !folded->units[class]) {
			strbuf_string(error, "out of memory for the call stacks");
			return -1;
		}
	}
	for (uint32_t i = 0; i < flame->sums.count; i++) {
		const struct flame_sum *sum = flame_sum(flame, i);
		uint32_t function = flame_frame(flame, sum->frame - 1)->function;
		uint64_t *time = &folded->time[sum->class][function];

		*time = amount_add(*time, sum->time);
		folded->count[sum->class][function] += sum->count;
	}
	set_units(folded, count);
	return 0;
}

void folded_free(struct folded *folded)
{
	for (int class = 0; class < FLAME_CLASSES; class ++) {
		free(folded->time[class]);
		free(folded->count[class]);
		free(folded->units[class]);
	}
}

/* Semicolons separate functions. */
static void put_name(struct strbuf *to, const struct flame *flame, uint32_t name)
{
	size_t length;
	const char *text = names_text(flame->names, name, &length);

	for (size_t i = 0; i < length; i++)
		strbuf_char(to, text[i] == ';' ? ':' : text[i]);
}

void folded_put_stack(struct strbuf *to, const struct flame *flame, uint32_t function,
		      uint32_t *path)
{
	size_t depth = flame_path(&flame->functions, function + 1, path);

	while (depth--) {
		put_name(to, flame, flame_function(flame, path[depth])->name);
		strbuf_string(to, depth ? ";" : "");
	}
}
