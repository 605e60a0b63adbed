/* SPDX-License-Identifier: MIT */
#ifndef SESSION_WRITER_H
#define SESSION_WRITER_H

#include "session/state.h"

/* Start the writer thread; the second one tries again after a failure. */
void writer_start(struct session *session);
void writer_start_again(struct session *session);

void writer_wake(struct session *session);
/* The same for a caller that calls it again at its next record: it may miss a writer that begins to
 * sleep at this moment, and is cheaper. */
void writer_wake_again(struct session *session);

/* The calling thread has committed a record of another device than before. If it is the first one
 * of this device in the process, waits, 100 ms at most, until its files are open: the program may
 * be permitted to open them now only, and change its user or enter a sandbox next. Keeps errno. */
void writer_await_files(struct session *session, uint32_t device);

/* With `meta` held, before a fork: waits for a writer that is starting. Locks that the C library or
 * a sanitizer takes meanwhile would stay locked in the child. */
void writer_await(struct session *session);

/* Ends its rounds; it then waits for the request of the last one. */
void writer_park(struct session *session);

/* The writer does all remaining work, session_shutdown: the thread that ends the process may not be
 * permitted to, because of a seccomp filter. Returns false if there is no writer or it does not
 * finish within ten seconds: then the caller does it. */
bool writer_finish(struct session *session);

/* The writer, if there is one, writes all records launched until now; waits as long as it makes
 * progress. Returns false without a writer. */
bool writer_flush(struct session *session);

/* A thread's ring is full: makes room. Returns false if this thread may not, since it holds the
 * lock. */
bool writer_make_room(struct session *session, const struct ring *ring);

#endif
