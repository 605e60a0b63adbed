/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_LOGMETHOD_H
#define OUTPUT_LOGMETHOD_H

#include "output/logreader.h"

/*
 * Returns true if `method`, that of the reader's last row, stands for a copy or fill, and false if
 * it is the name of a kernel. A kernel can have the name of a copy: the other values of the row and
 * the dialect of the log decide (doc/FORMAT, section 5).
 */
bool logmethod_is_transfer(const struct logreader *reader, struct log_text method);

#endif
