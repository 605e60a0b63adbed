/* SPDX-License-Identifier: MIT */
#ifndef BASE_PYTHON_LINES_H
#define BASE_PYTHON_LINES_H

#include "base/python_layout.h"
#include "base/python_memory.h"

/*
 * Returns the line of the instruction at the byte `at` of a function's code, from its table of
 * lines: the bytes object co_linetable. `first` is the function's first line; it is returned where
 * an instruction has no line, before the first one, and if the table is not valid.
 */
uint32_t python_lines_find(const struct python_interpreter *interpreter,
			   struct python_memory *memory, uintptr_t table, uint32_t first,
			   int64_t at);

#endif
