/* SPDX-License-Identifier: MIT */
#ifndef BASE_SIGMASK_H
#define BASE_SIGMASK_H

#include <signal.h>

/*
 * Around a system call that writes: a reader that has left (SIGPIPE), a limit of the file size
 * (SIGXFSZ) or a terminal that is for the foreground alone (SIGTTOU) must not raise a signal in the
 * program. They are blocked in between; the one that the call has raised is taken away, unless it
 * was waiting before. Where SIGTTOU is blocked the terminal raises none, and takes the bytes.
 */
struct quiet {
	sigset_t pending;
	sigset_t before;
};

void sigmask_begin(struct quiet *quiet);

/* `error`: the errno of the call, 0 if it succeeded. errno is that afterwards. */
void sigmask_end(const struct quiet *quiet, int error);

/* All signals but those of a thread's own doing, which would kill if they were blocked; until
 * *before is the mask again. */
void sigmask_all(sigset_t *before);

#endif
