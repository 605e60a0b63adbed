/* SPDX-License-Identifier: MIT */
#ifndef ENTRY_EXITS_H
#define ENTRY_EXITS_H

#include <stdbool.h>

/* Call before the program's own code runs, so that work of at_quick_exit functions and of other
 * libraries' destructors is recorded, too. */
void exits_watch(void);

/* Call in the library's destructor: returns true if the session ends in a call after all
 * destructors. */
bool exits_end_later(void);

#endif
