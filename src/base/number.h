/* SPDX-License-Identifier: MIT */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

/*
 * Numbers as text without printf: no locale, no floating-point environment, no allocation.
 * Every function writes at `to`, which has room for NUMBER_SIZE bytes, writes no NUL and returns
 * the first byte after the number.
 */
#define NUMBER_SIZE 48 /* -FLT_MAX takes 44 */

char *number_decimal(char *to, uint64_t value);
char *number_hex(char *to, uint64_t value); /* lower case, no 0x, no leading zeros */

/*
 * The decimal number that `text` starts with: 0 if there is none, UINT64_MAX if it is larger. *end
 * (may be NULL) is the first byte after it. (strtoul has a name of its own in newer headers of
 * glibc, which neither an older glibc nor musl knows: the library would not load there.)
 */
uint64_t number_read(const char *text, const char **end);

/*
 * `value` exactly as printf("%.3f") writes it in the C locale: the exact binary value, rounded to
 * three decimals, ties to even. Negative, infinite and NaN are written as printf does, too.
 */
char *number_float(char *to, float value);

/* The nearest whole number, ties to even, and three decimals. Beyond 2^63 all are that; not for
 * NaN. */
char *number_whole(char *to, double value);
char *number_real(char *to, double value);

/* Nanoseconds as microseconds the way the logs have them: (float)(ns / 1000.0), three decimals. */
char *number_microseconds(char *to, uint64_t nanoseconds);

#endif
