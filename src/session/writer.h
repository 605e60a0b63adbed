/* SPDX-License-Identifier: MIT */
#ifndef SESSION_WRITER_H
#define SESSION_WRITER_H

#include "session/state.h"

/* Start the writer thread; the second one tries again after a failure. */
void writer_start(struct session *session);
void writer_start_again(struct session *session);

void writer_wake(struct session *session);
/* As writer_wake, but cheaper: may fail to wake a writer that begins to sleep at this moment. For a
 * caller that calls it again at its next record. */
void writer_wake_again(struct session *session);

/* The calling thread has committed a record of another device than before. If it is the first one
 * of this device in the process, waits, 100 ms at most, until its files are open: the program may
 * next change its user or enter a sandbox, and then may not open them. Keeps errno. */
void writer_await_files(struct session *session, uint32_t device);

/* With `meta` held, before a fork: waits for a writer that is starting. Locks that the C library or
 * a sanitizer takes meanwhile would stay locked in the child. */
void writer_await(struct session *session);

/* Ends the writer's rounds. The writer then waits for writer_finish. */
void writer_park(struct session *session);

/* Lets the writer do all remaining work (session_shutdown), since a seccomp filter may forbid that
 * work to the thread that ends the process. Returns false if there is no writer, or if it makes no
 * progress for ten seconds; then the caller does the work. */
bool writer_finish(struct session *session);

/* Lets the writer write all records launched until now, and waits as long as the writer makes
 * progress. Returns false without a writer. */
bool writer_flush(struct session *session);

/* Runs a round to make room in a full ring. Returns false if there is no room: this thread holds
 * the drain lock, a file system does not respond, or the session has ended. */
bool writer_make_room(struct session *session, const struct ring *ring);

#endif
