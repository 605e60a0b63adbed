/* SPDX-License-Identifier: MIT */
#ifndef ENTRY_SEARCH_H
#define ENTRY_SEARCH_H

typedef int (*execute_function)(const char *path, char *const arguments[],
				char *const environment[]);

/* execvpe, which uses nothing but calls of `execute`, an execve: safe in a forked child. Returns -1
 * with errno if nothing could be executed. */
int search_execute(const char *file, char *const arguments[], char *const environment[],
		   execute_function execute);

#endif
