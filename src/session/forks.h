/* SPDX-License-Identifier: MIT */
#ifndef SESSION_FORKS_H
#define SESSION_FORKS_H

#include "session/state.h"

/* Called in a forked child: drops the parent's data. */
void session_forked(void);

/* Registers the fork handlers. */
void forks_watch(void);

#endif
