/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LEAVE_H
#define TESTS_LEAVE_H

/* Included first in a coverage build, so that a child that ends by _exit is counted, too. */

#include <unistd.h>

void __gcov_dump(void);

static inline __attribute__((noreturn, unused)) void count_and_leave(int status)
{
	__gcov_dump();
	_exit(status);
}

/* src/entry/exits.c defines _exit, and calls the C library's as under.leave(status). It calls
 * quick_exit and execve as next(...): the latter may return. */
#ifdef DEFINES_EXIT
void __gcov_reset(void);
#define leave(status) leave((__gcov_dump(), status))
#define next(...) (__gcov_dump(), __gcov_reset(), next(__VA_ARGS__))
#else
#define _exit count_and_leave
#endif

#endif
