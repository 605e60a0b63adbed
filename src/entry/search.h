/* SPDX-License-Identifier: MIT */
#ifndef ENTRY_SEARCH_H
#define ENTRY_SEARCH_H

/* What execvpe does, with nothing but system calls: safe in a forked child. Returns -1 with errno
 * if nothing could be executed. */
int search_execute(const char *file, char *const arguments[], char *const environment[]);

#endif
