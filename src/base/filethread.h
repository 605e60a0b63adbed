/* SPDX-License-Identifier: MIT */
#ifndef BASE_FILETHREAD_H
#define BASE_FILETHREAD_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * The file thread alone opens, writes and closes the files of a profiled process. It has a
 * descriptor table of its own if the kernel has close_range and no seccomp filter is active. Then
 * the program cannot close or reuse these descriptors, neither a forked child nor an exec inherits
 * them, and a later chroot of the program does not change the root directory of the thread.
 * Otherwise the thread uses the program's table and root directory. Paths in jobs are absolute.
 *
 * Jobs run one at a time, in the order in which they were sent. Callers wait with a time limit, so
 * a file system that does not respond blocks this thread only. Without the thread (in the tool;
 * before filethread_start; if no thread can be made) the caller runs the job itself.
 */
enum file_job_state { JOB_IDLE, JOB_SENT, JOB_DONE, JOB_ABANDONED };

struct file_job {
	void (*work)(struct file_job *job);
	void (*dispose)(struct file_job *job); /* for filethread_try: releases the job's memory */
	_Atomic int state;		       /* enum file_job_state */
};

enum {
	FILE_PATIENCE = 800,	   /* timeout of a caller in ms, until a job times out */
	FILE_SHORT_PATIENCE = 20,  /* timeout after that, until a job is done again */
	FILE_LAST_PATIENCE = 2000, /* timeout at exit */
};

/* Makes the thread, unless it exists. `its_own`: with a descriptor table of its own, if possible.
 * Jobs wait until the thread runs. Must be called on a thread of the program at a safe point: a
 * thread that was interrupted, such as inside malloc, may never continue. */
void filethread_start(bool its_own);

/* Call before a fork: waits until the thread runs or has failed to start. */
void filethread_await(void);

/*
 * Returns true when the job is done. Returns false with ETIMEDOUT after the timeout. Then the job
 * is either in progress (filethread_is_sent), and its memory must not be changed until a later call
 * with it returns true; or it was not sent, because another one is in progress.
 */
bool filethread_run(struct file_job *job);

static inline bool filethread_is_sent(const struct file_job *job)
{
	return atomic_load(&job->state) != JOB_IDLE;
}

/*
 * Runs a job whose result the caller does not wait for. JOB_DONE: it is done. JOB_IDLE with
 * ETIMEDOUT: it was not sent, because another one is in progress. In both cases the caller owns its
 * memory again. JOB_ABANDONED with ETIMEDOUT: it is in progress, and `dispose` releases its memory.
 */
enum file_job_state filethread_try(struct file_job *job);

/* Return true if a job is in progress; if the job in progress has timed out. */
bool filethread_is_busy(void);
bool filethread_is_stalled(void);

/* Call before the process may end. Waits FILE_LAST_PATIENCE for the job in progress, once per job.
 * Returns false if it still is in progress. */
bool filethread_hurry(void);

/* The process ends: each further job may take FILE_LAST_PATIENCE until one times out. */
void filethread_last(void);

/* Returns the number of files that may be open in its own table, not counting short-lived ones; 0:
 * it has no table of its own. */
unsigned filethread_room(void);

/* Returns true if it has a table of its own. */
bool filethread_is_apart(void);

/* Call when all files are closed. Ends the thread and waits for it, unless it does not respond.
 * Callers run jobs themselves from then on. Must not be called in a signal handler. */
void filethread_end(void);

/* Call in a forked child, which has no file thread. Returns true if the child has inherited none of
 * its descriptors. */
bool filethread_forked(void);

#endif
