/* SPDX-License-Identifier: MIT */
#ifndef BASE_LIBRARY_COPIES_H
#define BASE_LIBRARY_COPIES_H

/*
 * Detects several copies of this library in one process, such as one that is preloaded and one
 * named by a variable of the user. The copies find each other by an ELF note.
 */

/* Claims `number` (0 to 31) for this copy and returns NULL. If another loaded copy has it, returns
 * that copy's path, which stays valid while the copy is loaded. */
const char *library_copies_claim(unsigned number);

#endif
