/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_COMPILER_H
#define REWRITE_COMPILER_H

#include <clang-c/Index.h>

#include "base/strbuf.h"
#include "rewrite/macro.h"

#define COMPILER_FILE "computeprof.cl" /* the name of the text for libclang */

/* libclang, and the build options for it. */
struct compiler {
	struct arena *arena;
	CXIndex index;
	const char **arguments;
	int count;
};

/* `extensions` are those of the device, separated by blanks, or NULL for all that clang knows. Of
 * the build options, those that libclang needs are kept. */
void compiler_open(struct compiler *compiler, struct arena *arena, const char *extensions,
		   const char *const *options);

/* Defines the macros that clang and its OpenCL header define, as foreign ones. Returns 0, or -1 if
 * the header is missing. */
int compiler_macros(const struct compiler *compiler, struct macros *macros);

/* Parses a preprocessed text. Returns the unit, to be disposed of, or NULL without one. If there
 * are errors, stores the first one, and the offset of its place. */
CXTranslationUnit compiler_parse(const struct compiler *compiler, struct strbuf *text,
				 const char **error, unsigned *offset);

/* Appends what tells this compiler from others: its version, and the files that its code and its
 * OpenCL header are in, with their sizes and times. */
void compiler_identify(struct strbuf *to);

void compiler_close(struct compiler *compiler);

#endif
