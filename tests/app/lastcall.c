/* SPDX-License-Identifier: MIT */
/* A library for "leaves destructor": its destructor calls what the program wants. */
#include <stddef.h>

extern void (*at_the_end)(void);
__attribute__((visibility("default"))) void (*at_the_end)(void);

__attribute__((destructor)) static void end(void)
{
	if (at_the_end)
		at_the_end();
}
