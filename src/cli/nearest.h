/* SPDX-License-Identifier: MIT */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include "base/strbuf.h"

/* What a word that nobody knows may have been meant to be. */
struct nearest {
	const char *word;
	unsigned distance; /* of the best so far */
	char best[128];	   /* "": none is near enough */
};

/* How many bytes have to be changed, put in or left out to make one of the other, in any letter
 * case; of `right` the first 127 bytes count. */
unsigned nearest_distance(const char *left, const char *right);

/* Candidates are copied; the first of several that are equally near wins. */
void nearest_begin(struct nearest *nearest, const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);

/* Appends "; did you mean WORD?", or nothing if no candidate is near enough. */
void nearest_put(struct strbuf *to, const struct nearest *nearest);

/* Candidates: every word of a configuration file's first part; every ready-made configuration. */
void nearest_offer_words(struct nearest *nearest);
void nearest_offer_configs(struct nearest *nearest);

#endif
