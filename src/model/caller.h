/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CALLER_H
#define MODEL_CALLER_H

#include "model/catalog.h"

/*
 * The caller of a launch: the innermost function of its stack that is the program's own code, not
 * of a library of the system, of the driver or of the profiler.
 */

/* Return true if the module is the profiler; if it is a library between the program and the device.
 * Both return false for NULL. */
bool caller_is_profiler(const struct stack_module *module);
bool caller_is_driver(const struct stack_module *module);

/* Returns true for code of the program itself. A function of an interpreted program counts as such
 * code unless its file belongs to an installed package or was generated. */
bool caller_is_program(const struct catalog *catalog, const struct stack_node *node);

/* Returns the caller of a stack, NULL if it is not known. */
const struct stack_node *caller_find(const struct catalog *catalog, uint32_t stack);

/* Returns the part of a path behind the last slash. */
const char *caller_file(const char *path);

enum { CALLER_SIZE = 512 };

/* Writes "MODULE+0xOFFSET", or "NAME (FILE:LINE)" of a function of an interpreted program, with a
 * NUL. The text may have any bytes; a longer one is cut off. Returns the length. */
size_t caller_text(const struct catalog *catalog, const struct stack_node *node,
		   char to[CALLER_SIZE]);

#endif
