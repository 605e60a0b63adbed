/* SPDX-License-Identifier: MIT */
#ifndef BASE_FILETHREAD_H
#define BASE_FILETHREAD_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * The thread that alone opens, writes and closes the files of a profiled process. It has a table of
 * descriptors of its own, where the kernel has close_range and no seccomp filter is active: what
 * the program does to its descriptors does not reach these, and neither a forked child nor the
 * program after an exec inherits one. Elsewhere it uses the program's table.
 *
 * Jobs are done one at a time, in the order in which they were sent. Callers wait with a bound, so
 * a file system that does not answer stops this thread and no other. Without the thread (the tool;
 * before filethread_start; where no thread can be made) a job is done by its caller.
 */
enum file_job_state { JOB_IDLE, JOB_SENT, JOB_DONE, JOB_ABANDONED };

struct file_job {
	void (*work)(struct file_job *job);
	void (*dispose)(struct file_job *job); /* of filethread_try: gives its memory back */
	_Atomic int state;		       /* enum file_job_state */
};

enum {
	FILE_PATIENCE = 800,	   /* ms that a caller waits, until one of them waited in vain; */
	FILE_SHORT_PATIENCE = 20,  /* and from then on, until a job is done again */
	FILE_LAST_PATIENCE = 2000, /* on the way out */
};

/* Makes the thread, unless there is one, which is to have a table of `its_own` if it can. Jobs wait
 * until it is at work. By a thread of the program: what another one interrupts, as malloc, may
 * never go on. */
void filethread_start(bool its_own);

/* Before a fork: waits until it is at work, or not to be had. */
void filethread_await(void);

/*
 * True when the job is done. False, with ETIMEDOUT, when that takes too long: then the job is
 * either on its way (filethread_is_sent) and its memory is not the caller's until a later call with
 * it returns true; or it was not sent, since another one is on its way.
 */
bool filethread_run(struct file_job *job);

static inline bool filethread_is_sent(const struct file_job *job)
{
	return atomic_load(&job->state) != JOB_IDLE;
}

/*
 * For a job that nobody comes back to. JOB_DONE: it is done. JOB_IDLE, with ETIMEDOUT: it was not
 * sent, since another one is on its way. In both cases its memory is the caller's again.
 * JOB_ABANDONED, with ETIMEDOUT: it is on its way, and `dispose` gives its memory back.
 */
enum file_job_state filethread_try(struct file_job *job);

/* Whether a job is on its way; and one that was waited for in vain. */
bool filethread_is_busy(void);
bool filethread_is_stalled(void);

/* Before the process ends, or may end: waits FILE_LAST_PATIENCE for what is on its way, but for
 * each job once only. False if that is still on its way. */
bool filethread_hurry(void);

/* It ends now: each further job may take so long until one was waited for in vain. */
void filethread_last(void);

/* How many files may be open in a table of its own, beside those of a moment; 0: it has none. */
unsigned filethread_room(void);

/* When all files are closed: ends the thread and waits for that, unless it does not answer. Jobs
 * are done by their callers from then on. Never in a signal handler. */
void filethread_end(void);

/* In a forked child: it has no such thread. Whether it has none of the parent's descriptors. */
bool filethread_forked(void);

#endif
