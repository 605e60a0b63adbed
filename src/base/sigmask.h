/* SPDX-License-Identifier: MIT */
#ifndef BASE_SIGMASK_H
#define BASE_SIGMASK_H

#include <signal.h>

/*
 * Brackets a system call that writes. A closed pipe (SIGPIPE), a file size limit (SIGXFSZ) or a
 * background process on its terminal (SIGTTOU) must not raise a signal in the program. These
 * signals are blocked in between, and a signal that the call raised is removed, unless it was
 * pending before. With SIGTTOU blocked, the terminal accepts the bytes.
 */
struct quiet {
	sigset_t pending;
	sigset_t before;
};

void sigmask_begin(struct quiet *quiet);

/* `error`: the errno of the call, 0 if it succeeded. errno is set to it. */
void sigmask_end(const struct quiet *quiet, int error);

/* The signal that masks of the library leave out besides: nothing sends it. */
#ifdef SIGSTKFLT
enum { SIGMASK_MARK = SIGSTKFLT };
#else
enum { SIGMASK_MARK = SIGPWR };
#endif

/* Blocks all signals except SIGMASK_MARK and synchronous ones such as SIGSEGV, which would kill the
 * process. The caller restores *before. */
void sigmask_all(sigset_t *before);

#endif
