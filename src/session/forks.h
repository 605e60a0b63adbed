/* SPDX-License-Identifier: MIT */
#ifndef SESSION_FORKS_H
#define SESSION_FORKS_H

#include "session/state.h"

/* In a forked child: nothing of the parent's is written any more. */
void session_forked(void);

/* Has forks of this process keep the locks and the child's session in order. */
void forks_watch(void);

#endif
