/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_SETSIG */
#endif
#include "backend/sampling/task_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/filethread.h"

enum { ROOM = 256 /* descriptors of other files that must remain */ };

struct clock_job {
	struct file_job job;
	uint32_t thread;
	int signal;
	uint64_t period;
	int fd;
	int error;
};

static struct clock_job opening, closing; /* guarded by the drain lock, as all updates are */

bool task_clock_has_room(uint32_t threads)
{
	return filethread_room() > ROOM + threads;
}

/* The descriptor sends the signal to the thread itself, not to any thread of the process. */
static int send_signals(int fd, uint32_t thread, int signal)
{
	struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (int)thread};

	return fcntl(fd, F_SETOWN_EX, &owner) || fcntl(fd, F_SETSIG, signal) ||
	       fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC);
}

int task_clock_make(uint32_t thread, int signal, uint64_t period, bool disabled)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = period,
		.disabled = disabled,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, (int)thread, -1, -1,
			      PERF_FLAG_FD_CLOEXEC);
	int error;

	if (fd < 0 || !send_signals(fd, thread, signal))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

static void do_open(struct file_job *file_job)
{
	struct clock_job *job = (struct clock_job *)(void *)file_job;

	job->fd = task_clock_make(job->thread, job->signal, job->period, false);
	job->error = errno;
}

static void do_close(struct file_job *file_job)
{
	close(((struct clock_job *)(void *)file_job)->fd);
}

/* A job that has timed out is still in progress: its event stays until the process ends. */
int task_clock_open(uint32_t thread, int signal, uint64_t period)
{
	if (filethread_is_sent(&opening.job) && !filethread_run(&opening.job)) {
		errno = ETIMEDOUT;
		return -1;
	}
	opening.job.work = do_open;
	opening.thread = thread;
	opening.signal = signal;
	opening.period = period;
	if (!filethread_run(&opening.job))
		return -1;
	errno = opening.error;
	return opening.fd;
}

void task_clock_close(int fd)
{
	if (filethread_is_sent(&closing.job) && !filethread_run(&closing.job))
		return;
	closing.job.work = do_close;
	closing.fd = fd;
	filethread_run(&closing.job);
}

void task_clock_forked(void)
{
	atomic_store(&opening.job.state, JOB_IDLE);
	atomic_store(&closing.job.state, JOB_IDLE);
}

bool task_clock_has_sent(const siginfo_t *information)
{
	return information->si_code == POLL_IN || information->si_code == POLL_HUP ||
	       information->si_code == SI_SIGIO;
}
