/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PAGE_PAGE_NUMBER_H
#define VIEW_PAGE_PAGE_NUMBER_H

#include <stdint.h>

enum { PAGE_NUMBER = 13 /* digits at most */ };

/* Writes a number for the page's script: five bits in each digit, the lowest ones first; the digits
 * from 32 on have more to come. Returns the end of the text. */
static inline char *page_number_put(char *to, uint64_t number)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	for (; number > 31; number >>= 5)
		*to++ = digits[32 | (number & 31)];
	*to++ = digits[number];
	return to;
}

#endif
