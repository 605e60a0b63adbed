/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_HEADER_H
#define OUTPUT_HEADER_H

#include "output/output.h"

/*
 * Everything before the first row, equal in both formats: the warnings, the "# " lines of the
 * dialect and the column line. Other programs that read logs fail on further "# " lines, so none
 * may be added.
 */
void header_write(const struct output_target *target, struct strbuf *to);

#endif
