/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_LIBZ_H
#define VIEW_FORMAT_LIBZ_H

#define ZLIB_CONST
#include <zlib.h>

#include "base/strbuf.h"

/* The functions of zlib, by their names. Set by libz_open. */
struct libz_functions {
#define FUNCTION(name) __typeof__(&name) name;
#include "view/format/libz.def"
#undef FUNCTION
};

extern struct libz_functions libz;

/* Opens the library unless it is open. Returns 0, or -1 with one clause. */
int libz_open(struct strbuf *error);

#endif
