/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SYMBOLS_SYMBOLS_H
#define VIEW_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/*
 * The functions and lines of an ELF file: from its debug information, which may be in another file
 * (beside it, in .debug or below /usr/lib/debug; from a server only if DEBUGINFOD_URLS is set), or
 * from its symbol table. Files are untrusted. Each unit of the debug information is read once, when
 * the first of its addresses is looked up.
 */
struct symbols;

/* A function at an address. The texts belong to the struct symbols. */
struct symbol {
	const char *function; /* as in the file, C++ names mangled; NULL: not known */
	const char *file;     /* path of the source; NULL: not known */
	uint32_t line;	      /* 0: not known */
};

/* What the file must be. */
struct symbols_file {
	const char *path;
	const uint8_t *build_id;
	size_t build_id_length; /* 0: it had none */
	uint64_t before; /* without a build id: last change, at most; ns since 1970 */
};

/* Returns 0 if files can be opened, or -1 and appends the reason as a clause: the tool was built
 * without libdw, or libdw is not here. */
int symbols_check(struct strbuf *why);

/* Only after symbols_check. Returns NULL if the file cannot be used, with a reason in `why` without
 * a full stop, such as "it has changed since (build id)"; no text if there is no such file. */
struct symbols *symbols_open(const struct symbols_file *file, struct strbuf *why);
void symbols_close(struct symbols *symbols);

/* What there is for a file. */
struct symbols_facts {
	bool table; /* the symbol table, which `strip` removes: functions that are not exported */
	bool lines; /* debug information */
	const char *debug_file; /* that has them, if it is another one; or NULL */
	size_t build_id_length; /* 0: none; the bytes belong to the struct symbols */
	const unsigned char *build_id;
};

void symbols_describe(struct symbols *symbols, struct symbols_facts *facts);

/* Finds the functions at the virtual address `address` of the file, of which the first is inlined
 * into the second and so on; at most `room`. Returns their number, 0 if none is known. */
size_t symbols_find(struct symbols *symbols, uint64_t address, struct symbol *found, size_t room);

#endif
