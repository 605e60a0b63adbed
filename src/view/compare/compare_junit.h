/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_COMPARE_JUNIT_H
#define VIEW_COMPARE_COMPARE_JUNIT_H

#include "view/compare/compare.h"

/* Appends the comparison as JUnit's XML: a test case for each row. Slower rows are failures; rows
 * without a test are skipped. */
void compare_put_junit(struct strbuf *to, struct comparison *comparison);

#endif
