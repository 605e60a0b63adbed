/* SPDX-License-Identifier: MIT */
#ifndef BASE_PYTHON_CODE_H
#define BASE_PYTHON_CODE_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/python_layout.h"
#include "base/python_memory.h"

/*
 * Python functions: their texts are copied while a frame runs them, since code objects end at any
 * time. The table of them only grows; it is used without a lock, in signal handlers, too. Functions
 * with equal names, files and first lines are one.
 *
 * A frame is a word: no address has its upper 16 bits. The lower 24 bits are the line, those
 * between them the function. A word without a function is a frame that could not be read.
 */
enum { PYTHON_TAG = 0x5059, PYTHON_LINE_BITS = 24, PYTHON_FUNCTION_BITS = 24 };

#define PYTHON_UNKNOWN ((uintptr_t)((uint64_t)PYTHON_TAG << 48))

struct python_function {
	uint64_t hash;
	uint32_t first_line;
	uint16_t name_length;
	uint16_t file_length;
	uint32_t name_id; /* for the user of the table, as both 0 until it sets them */
	uint32_t file_id;
	char text[]; /* the name, the file */
};

static inline bool python_is_frame(uintptr_t word)
{
	return (uint64_t)word >> 48 == PYTHON_TAG;
}

static inline uint32_t python_line(uintptr_t word)
{
	return (uint32_t)(word & ((1 << PYTHON_LINE_BITS) - 1));
}

/* Returns the function of a frame, NULL if it is not known. */
struct python_function *python_function_of(uintptr_t word);

/* Maps the table, once. Returns 0, or -1 without memory. */
int python_code_start(void);

/* Returns the word of a frame of the code object that is at `instruction` (PYTHON_SINGLE: unit of
 * its code), or 0 if it cannot be read, is not valid, or if the table is full. */
uintptr_t python_code_frame(const struct python_interpreter *interpreter,
			    struct python_memory *memory, uintptr_t code, uintptr_t instruction);

#endif
