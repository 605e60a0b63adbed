/* SPDX-License-Identifier: MIT */
#ifndef VIEW_OPTIONAL_LIBRARY_H
#define VIEW_OPTIONAL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/*
 * A shared library that is opened when a feature needs it, so that the tool starts without it. Each
 * has a module of its own (libsqlite.c) with a struct of pointers to the functions that are used,
 * made from a list (libsqlite.def). Callers call the functions by that struct, after a check that
 * the library is open.
 */
struct optional_function {
	const char *name; /* NULL ends a list */
	size_t offset;	  /* of its pointer in the struct */
};

struct optional_library {
	const char *title;   /* in messages */
	const char *soname;  /* the name of the file, with the version of its interface */
	const char *other_soname; /* tried first: its name outside of Debian; or NULL */
	const char *package; /* of Debian that has the file */
	const struct optional_function *list;
	void *functions; /* the struct of pointers */
	bool is_open;
};

/* Opens the library unless it is open, and sets all pointers. Returns 0, or -1 and appends one
 * clause without a full stop: the library, its package and the reason. The library is never closed.
 * Not for several threads at a time. */
int optional_library_open(struct optional_library *library, struct strbuf *error);

#endif
