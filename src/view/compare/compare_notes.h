/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_COMPARE_NOTES_H
#define VIEW_COMPARE_COMPARE_NOTES_H

#include "view/compare/compare.h"

/* Appends what a user must know about the comparison to comparison->notes: environments that
 * differ, missing data, and what the number of runs does not allow. */
void compare_put_notes(struct comparison *comparison);

/* Appends a sentence without a full stop: the verdict over all. */
void compare_put_verdict(struct strbuf *to, const struct comparison *comparison);

#endif
