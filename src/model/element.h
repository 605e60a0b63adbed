/* SPDX-License-Identifier: MIT */
#ifndef MODEL_ELEMENT_H
#define MODEL_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"

/* The elements of memory: their types, and their bits as numbers. `type` is enum element_type. */
enum { ELEMENT_LEVELS = 6 /* of the rounding */ };

/* Returns the name of the type in OpenCL C. */
const char *element_name(uint8_t type);

/* Returns the size in bytes, 0 for an unknown type. */
unsigned element_size(uint8_t type);

static inline bool element_is_float(uint8_t type)
{
	return type >= ELEMENT_FLOAT16 && type < ELEMENT_TYPES;
}

/* Returns the number that the bits are. */
double element_number(uint8_t type, uint64_t bits);

/* Returns the integer, sign-extended; one of 64 bits without a sign has its bits, as has one of an
 * unknown type. */
int64_t element_integer(uint8_t type, uint64_t bits);

/* Returns the bits of the floating-point number; zeros, and all that are not a number, have the
 * same. */
uint64_t element_canonical(uint8_t type, uint64_t bits);

/* Returns the same with the mantissa cut to what the level keeps; integers stay as they are. */
uint64_t element_rounded(uint8_t type, uint64_t bits, unsigned level);

/* Returns the bits of infinity of the floating-point type. */
uint64_t element_infinite(uint8_t type);

/* Returns the number of bits of a mantissa of the floating-point type, and of those that a level
 * keeps. */
unsigned element_mantissa(uint8_t type);
unsigned element_kept(uint8_t type, unsigned level);

/* Returns true if a floating-point type of 16, 32 or 64 bits has exactly this number. */
bool element_fits(double number, unsigned bits);

/* Returns true if the floating-point number is a whole one, and an integer of its size has it. */
bool element_is_whole(uint8_t type, double number);

/* Returns how far a number of the type may be from another one that it counts as. */
double element_tolerance(uint8_t type);

#endif
