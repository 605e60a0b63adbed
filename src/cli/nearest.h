/* SPDX-License-Identifier: MIT */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include "base/strbuf.h"

/* Suggests a known word for an unknown one. */
struct nearest {
	const char *word;
	unsigned distance; /* of `best` to `word` */
	char best[128];	   /* "" if no candidate is near enough */
};

/* Returns the edit distance in bytes (changed, inserted or removed), ignoring letter case. Only the
 * first 127 bytes of `right` are compared. */
unsigned nearest_distance(const char *left, const char *right);

/* Candidates are copied. Of several equally near candidates the first one is kept. */
void nearest_begin(struct nearest *nearest, const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);

/* Appends "; did you mean WORD?", or nothing if no candidate is near enough. */
void nearest_put(struct strbuf *to, const struct nearest *nearest);

/* Offers every word of the first part of a configuration file, or every ready-made
 * configuration. */
void nearest_offer_words(struct nearest *nearest);
void nearest_offer_configs(struct nearest *nearest);

#endif
