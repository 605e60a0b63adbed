/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_FOLDED_H
#define VIEW_STACKS_FOLDED_H

#include "view/stacks/flame.h"

/* The sums of a flame graph by function stacks, in whole units of flame_options. */
struct folded {
	uint64_t *time[FLAME_CLASSES];	/* ns, by number in flame.functions */
	uint64_t *count[FLAME_CLASSES]; /* records, samples or waits */
	uint64_t *units[FLAME_CLASSES]; /* of `time`, rounded according to flame_options.hertz */
	uint64_t stacks; /* with units */
	uint64_t total;	 /* units */
};

/* Returns -1 with one sentence in `error`. Call folded_free in any case. */
int folded_make(struct folded *folded, const struct flame *flame, struct strbuf *error);
void folded_free(struct folded *folded);

/* Returns the units of all classes of a function, by its number in flame.functions. */
uint64_t folded_units(const struct folded *folded, uint32_t function);

/* Appends its stack, such as "main;run;kernel". `path` has room for all functions. */
void folded_put_stack(struct strbuf *to, const struct flame *flame, uint32_t function,
		      uint32_t *path);

/* Returns the word for the unit: "us" or "samples". */
const char *folded_unit(void);

#endif
