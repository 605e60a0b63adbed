/* SPDX-License-Identifier: MIT */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include "base/strbuf.h"

/* Suggests a known word for an unknown one. */
struct suggestion {
	const char *word;
	unsigned distance; /* of `best` to `word` */
	char best[128];	   /* "" if no candidate is near enough */
};

/* Returns the edit distance in bytes (changed, inserted or removed), ignoring letter case. Only the
 * first 127 bytes of `right` are compared. */
unsigned suggest_distance(const char *left, const char *right);

/* Candidates are copied. Of several equally near candidates the first one is kept. */
void suggest_begin(struct suggestion *nearest, const char *word);
void suggest_offer(struct suggestion *nearest, const char *candidate);

/* Appends "; did you mean WORD?", or nothing if no candidate is near enough. */
void suggest_put(struct strbuf *to, const struct suggestion *nearest);

/* Offers every word of the first part of a configuration file, or every ready-made
 * configuration. */
void suggest_offer_words(struct suggestion *nearest);
void suggest_offer_configs(struct suggestion *nearest);

#endif
