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
 * Parses the decimal number at the start of `text`: 0 if there is none, UINT64_MAX if it is larger.
 * *end (may be NULL) is set to the first byte after it. strtoul is not used: newer glibc headers
 * rename it, and the library would not load with an older glibc or musl.
 */
uint64_t number_read(const char *text, const char **end);

/*
 * Writes `value` as printf("%.3f") does in the C locale: the exact binary value, rounded to three
 * decimals, ties to even. Negative, infinite and NaN values are written as by printf, too.
 */
char *number_float(char *to, float value);

/* Write the nearest integer, ties to even, and three decimals. Values beyond 2^63 are written as
 * 2^63. NaN is not allowed. */
char *number_whole(char *to, double value);
char *number_real(char *to, double value);

/* Writes a number of thousandths as an exact number with three decimals: nanoseconds as
 * microseconds. */
char *number_thousandths(char *to, uint64_t thousandths);

/* Writes nanoseconds as microseconds, as in the logs: (float)(ns / 1000.0), three decimals. */
char *number_microseconds(char *to, uint64_t nanoseconds);

#endif
