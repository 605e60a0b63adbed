/* SPDX-License-Identifier: MIT */
#include "linear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct linear_name *find(struct linear *linear, const char *name)
{
	for (size_t i = 0; i < linear->count; i++) {
		if (!strcmp(linear->names[i].name, name))
			return &linear->names[i];
	}
	return NULL;
}

/* The second row with another number of rounds determines the step; the base must be positive. */
static bool learn(struct linear_name *known, uint64_t rounds, uint64_t each)
{
	bool more = rounds > known->rounds;
	uint64_t further = more ? rounds - known->rounds : known->rounds - rounds;
	uint64_t longer = more ? each - known->each : known->each - each;
	uint64_t step = longer / further;

	if ((more ? each < known->each : each > known->each) || longer % further || !step ||
	    step * rounds >= each)
		return false;
	known->step = step;
	return true;
}

static bool fits(struct linear_name *known, uint64_t rounds, uint64_t each)
{
	if (rounds == known->rounds)
		return each == known->each;
	if (!known->step)
		return learn(known, rounds, each);
	/* modulo 2^64, so the sign does not matter */
	return each - known->each == known->step * (rounds - known->rounds);
}

bool linear_fits(struct linear *linear, const char *wanted, const char *value)
{
	struct linear_name *known, new = {0};
	uint64_t warps, rounds, total, each;
	char *rest;

	if (sscanf(wanted, "%31[^:]:%lu:%lu", new.name, &warps, &rounds) != 3 || !warps)
		return false;
	total = strtoull(value, &rest, 10);
	each = total / warps;
	if (!*value || *rest || !each || total % warps)
		return false;
	known = find(linear, new.name);
	if (known)
		return fits(known, rounds, each);
	if (linear->count == LINEAR_NAMES)
		return false;
	new.rounds = rounds;
	new.each = each;
	linear->names[linear->count++] = new;
	return true;
}
