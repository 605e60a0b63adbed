/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LAST_MOMENT_H
#define SESSION_LAST_MOMENT_H

/*
 * The time between the end of recording and that of the process, when no exit handler and no
 * destructor is left to be called. A call that another thread makes in it cannot be recorded, so it
 * does not return: each call that has returned is in the log.
 */

/* The calling thread ends the process, and goes on. Call before recording ends. */
void last_moment_expect(void);

/* Recording will end now. */
void last_moment_begin(void);

/* A call was perhaps not recorded, and its thread holds no lock of ours. Waits until the process is
 * gone, for ten seconds at most; returns at once at other times. errno is kept. */
void last_moment_wait(void);

#endif
