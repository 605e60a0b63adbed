/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_HEADER_H
#define OUTPUT_HEADER_H

#include "output/output.h"

/*
 * Everything above the first row, the same for both formats: the warnings, the "# " lines of the
 * dialect and the column line. Outside readers fail on any other "# " line: never add one.
 */
void header_write(const struct output_target *target, struct strbuf *to);

#endif
