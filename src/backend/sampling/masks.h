/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_MASKS_H
#define BACKEND_SAMPLING_MASKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/filethread.h"

/*
 * Which threads of this process block a signal, by /proc/self/task/TID/status. A signal that is
 * sent to a thread that blocks it becomes pending, and the program would see it (sigwait,
 * signalfd, sigpending; see sampler_thread_waits). The files are read by the file thread. One
 * caller at a time.
 */
enum { MASKS_MOST = 64 };

struct mask_list {
	struct file_job job;
	int signal; /* at most 31 */
	uint32_t count;
	uint32_t threads[MASKS_MOST]; /* kernel thread ids */
	uint64_t blocked;	      /* bit i: threads[i] blocks the signal, or has ended */
	uint64_t unknown; /* bit i: the mask is the C library's own, while threads[i] starts or
			   * makes a thread */
};

/* Returns false while a file system does not respond; the list must not be changed then. */
bool masks_read(struct mask_list *list);

/* Stores the signals that the handler of samples blocks: all but SIGMASK_MARK, which marks this
 * mask. */
void masks_handler(sigset_t *mask);

/* Call in a forked child: the parent's job is not in progress in the child. */
void masks_forked(struct mask_list *list);

#endif
