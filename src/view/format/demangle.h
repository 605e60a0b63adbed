/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_DEMANGLE_H
#define VIEW_FORMAT_DEMANGLE_H

#include "base/strbuf.h"

/*
 * Names are untrusted. Names longer than DEMANGLE_LIMIT are not demangled, and a name whose
 * demangled form exceeds DEMANGLE_ROOM bytes (a few bytes can stand for any number) is kept
 * unchanged.
 */
enum { DEMANGLE_LIMIT = 1024, DEMANGLE_ROOM = 1 << 16 };

/* Returns true if the tool was built with libiberty; otherwise no name is demangled. */
bool demangle_built(void);

/* Appends the demangled C++ name, with or without its parameters. Returns false and appends nothing
 * if it is not a mangled name, or without libiberty. */
bool demangle(struct strbuf *to, const char *name, size_t length, bool parameters);

#endif
