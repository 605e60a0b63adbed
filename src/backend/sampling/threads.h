/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_THREADS_H
#define BACKEND_SAMPLING_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/filethread.h"

/*
 * The threads of this process, by /proc/self/task, without those of the library. The list is read
 * by the file thread, whose descriptors are not the program's. One caller at a time.
 */
enum { THREADS_MOST = 4096 };

struct thread_list {
	struct file_job job;
	uint32_t count;
	bool complete; /* false: /proc cannot be read, or there are more than THREADS_MOST */
	uint32_t threads[THREADS_MOST]; /* kernel thread ids, ascending */
};

/* Returns false while a file system does not respond; the list must not be changed then. */
bool threads_read(struct thread_list *list);

/* Call in a forked child: the parent's job is not in progress in the child. */
void threads_forked(struct thread_list *list);

#endif
