/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SYMBOLS_LIBDW_H
#define VIEW_SYMBOLS_LIBDW_H

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

#include "base/strbuf.h"

/* The functions of libdw and libelf, by their names. Set by libdw_open. */
struct libdw_functions {
#define FUNCTION(name) __typeof__(&name) name;
#include "view/symbols/libdw.def"
#undef FUNCTION
};

extern struct libdw_functions libdw;

/* Opens the library unless it is open. Returns 0, or -1 with one clause. */
int libdw_open(struct strbuf *error);

#endif
