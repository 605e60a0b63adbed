/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_OPTIONS_H
#define REWRITE_OPTIONS_H

#include "rewrite/preprocess.h"

/* Takes macros (-D, -U) and folders (-I) from build options, and defines the names of a device's
 * extensions, separated by blanks (NULL: none). Returns 0, or -1 with an error in `to`. */
int options_apply(struct preprocessed *to, const char *extensions, const char *const *options);

#endif
