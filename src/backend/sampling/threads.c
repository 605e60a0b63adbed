/* SPDX-License-Identifier: MIT */
#include "backend/sampling/threads.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/worker.h"

static int compare(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
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
		list->threads[list->count++] = thread;
	}
	if (tasks)
		closedir(tasks);
	qsort(list->threads, list->count, sizeof(*list->threads), compare);
}

bool threads_read(struct thread_list *list)
{
	list->job.work = read_tasks;
	return filethread_run(&list->job);
}
