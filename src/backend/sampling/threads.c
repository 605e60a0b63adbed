/* SPDX-License-Identifier: MIT */
#include "backend/sampling/threads.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/worker.h"

/* They mostly come in ascending order. */
static void insert(struct thread_list *list, uint32_t thread)
{
	uint32_t at = list->count++;

	for (; at && list->threads[at - 1] > thread; at--)
		list->threads[at] = list->threads[at - 1];
	list->threads[at] = thread;
}

static void read_tasks(struct file_job *job)
{
	struct thread_list *list = (struct thread_list *)(void *)job;
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;

	list->count = 0;
	list->complete = tasks;
	while (tasks && (entry = readdir(tasks))) {
		uint32_t thread = (uint32_t)strtoul(entry->d_name, NULL, 10);

		if (!thread || worker_is_thread(thread))
			continue;
		if (list->count == THREADS_MOST) {
			list->complete = false;
			break;
		}
		insert(list, thread);
	}
	if (tasks)
		closedir(tasks);
}

bool threads_read(struct thread_list *list)
{
	list->job.work = read_tasks;
	return filethread_run(&list->job);
}

void threads_forked(struct thread_list *list)
{
	atomic_store(&list->job.state, JOB_IDLE);
}
