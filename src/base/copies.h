/* SPDX-License-Identifier: MIT */
#ifndef BASE_COPIES_H
#define BASE_COPIES_H

/*
 * Copies of this library in one process: a program is preloaded with one, say, and a variable of
 * the user's names another one. They find each other by a note in each of them.
 */

/* Takes `number` (0 to 31) for this copy, unless another one that is loaded has it: then the path
 * of that one, which stays valid as long as it is loaded. NULL if it is this copy's now. */
const char *copies_claim(unsigned number);

#endif
