/* SPDX-License-Identifier: MIT */
#ifndef SESSION_WRITER_H
#define SESSION_WRITER_H

#include "session/state.h"

/* Starts the thread; the second where there was none to be had. */
void writer_start(struct session *session);
void writer_start_again(struct session *session);

void writer_wake(struct session *session);

/* With `meta` held, before a fork: waits for a writer that is just coming to life. What the C
 * library or a sanitizer locks for that moment would be locked in the child for ever. */
void writer_await(struct session *session);

/* Its rounds end; it waits to be asked for the last one. */
void writer_park(struct session *session);

/* Has the writer do everything that is left to do, session_finish: the thread that ends the process
 * may have forbidden itself, by a seccomp filter, what that takes. False if there is no writer, or
 * it does not come to its end: then that is left to the caller. Both wait ten seconds at most. */
bool writer_finish(struct session *session);

/* Lets the writer, if there is one, bring everything out that was launched until now, and waits as
 * long as it gets on. False if there is none. */
bool writer_settle(struct session *session);

/* A thread's ring is full: make room. False if this thread may not (it holds the lock itself). */
bool writer_help(struct session *session, const struct ring *ring);

#endif
