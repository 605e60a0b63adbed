/* SPDX-License-Identifier: MIT */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include "base/strbuf.h"

/* Suggests a known word for an unknown one. */
enum { SUGGEST_MOST = 3 };

struct suggestion {
	const char *word;
	/* The nearest ones first. */
	struct {
		unsigned distance; /* to `word` */
		char text[128];	   /* "" if no candidate is near enough */
	} nearest[SUGGEST_MOST];
};

/* Returns the edit distance in bytes (changed, inserted or removed), ignoring letter case. Only the
 * first 127 bytes of `right` are compared. */
unsigned suggest_distance(const char *left, const char *right);

/* Candidates are copied. Of several equally near candidates the first one is kept. */
void suggest_begin(struct suggestion *nearest, const char *word);
void suggest_offer(struct suggestion *nearest, const char *candidate);

/* Appends "; did you mean WORD?" with the nearest candidate, or nothing if none is near enough. */
void suggest_put(struct strbuf *to, const struct suggestion *nearest);

/* The same with up to SUGGEST_MOST candidates. */
void suggest_put_several(struct strbuf *to, const struct suggestion *nearest);

/* Offers each word of `choices`, which has | between them. */
void suggest_offer_choices(struct suggestion *nearest, const char *choices);

/* Offers the name and the alias of each command. */
void suggest_offer_commands(struct suggestion *nearest);

/* Offers every word of the first part of a configuration file, or every ready-made
 * configuration. */
void suggest_offer_words(struct suggestion *nearest);
void suggest_offer_configs(struct suggestion *nearest);

#endif
