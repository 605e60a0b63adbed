/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_COMPARE_JSON_H
#define VIEW_COMPARE_COMPARE_JSON_H

#include "view/compare/compare.h"

/* Appends the comparison as JSON (doc/FORMAT). */
void compare_put_json(struct strbuf *to, struct comparison *comparison);

#endif
