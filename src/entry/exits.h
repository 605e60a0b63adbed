/* SPDX-License-Identifier: MIT */
#ifndef ENTRY_EXITS_H
#define ENTRY_EXITS_H

/* To be called before the program's own code runs: what the program does in functions that
 * at_quick_exit registers, is recorded, too. */
void exits_watch(void);

#endif
