/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_DEMANGLE_H
#define VIEW_FORMAT_DEMANGLE_H

#include "base/strbuf.h"

/*
 * Names are from outside. The demangler gets none that is longer than DEMANGLE_LIMIT, and a name
 * that stands for more than DEMANGLE_ROOM bytes (one of a few bytes can stand for any number of
 * them) is left as it is.
 */
enum { DEMANGLE_LIMIT = 1024, DEMANGLE_ROOM = 1 << 16 };

/* Whether this was built with libiberty: else no name is demangled. */
bool demangle_built(void);

/* Appends what the C++ name says, with or without its parameters; false, and nothing is appended,
 * if it is none, or if this was built without libiberty. */
bool demangle(struct strbuf *to, const char *name, size_t length, bool parameters);

#endif
