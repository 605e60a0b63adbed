/* SPDX-License-Identifier: MIT */
#ifndef ENTRY_EXITS_H
#define ENTRY_EXITS_H

#include <stdbool.h>

/* To be called before the program's own code runs: what the program does in functions that
 * at_quick_exit registers, and in destructors of other libraries, is recorded, too. */
void exits_watch(void);

/* In the own destructor: whether the session ends by a call that comes after all destructors. */
bool exits_end_later(void);

#endif
