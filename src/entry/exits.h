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

/* After exits_watch: returns true if the session has to end in an exit handler, because the
 * functions that it needs are another library's, whose destructor is called before this one's. */
bool exits_end_early(void);

#endif
