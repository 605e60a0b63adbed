/* SPDX-License-Identifier: MIT */
#include "backend/sampling/masks.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	LINE = 1024,
	FIELDS_BEFORE = 29, /* between the name, in parentheses, and the mask (proc_pid_stat(5)) */
	KNOWN = 0x7fffffff, /* the signals of that mask */
};

/* Nothing sends this signal. */
#ifdef SIGSTKFLT
enum { MARK = SIGSTKFLT };
#else
enum { MARK = SIGPWR };
#endif

/* Returns false if the file cannot be read. */
static bool read_line(char *line, uint32_t thread, const char *name)
{
	ssize_t length;
	int fd;

	snprintf(line, LINE, "/proc/self/task/%u/%s", (unsigned)thread, name);
	fd = open(line, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = read(fd, line, LINE - 1);
	close(fd);
	line[length > 0 ? length : 0] = '\0';
	return length > 0;
}

void masks_handler(sigset_t *mask)
{
	sigfillset(mask);
	sigdelset(mask, MARK);
}

static unsigned long bit_of(int signal)
{
	return 1UL << (signal - 1);
}

/* A thread that takes a sample has the mask of the handler. */
static bool is_of_handler(unsigned long mask)
{
	return mask == (KNOWN & ~(bit_of(MARK) | bit_of(SIGKILL) | bit_of(SIGSTOP)));
}

static bool is_in_mask(const char *line, int signal)
{
	const char *at = strrchr(line, ')');
	unsigned long mask;

	at = at ? at + 1 : NULL;
	for (int i = 0; at && i < FIELDS_BEFORE; i++)
		at = strchr(at + 1, ' ');
	mask = at ? strtoul(at, NULL, 10) : KNOWN;
	return mask & bit_of(signal) && !is_of_handler(mask);
}

/* While a thread waits for signals, the kernel takes them out of its mask. */
static bool waits(uint32_t thread)
{
	char line[LINE], *end;
	long call;

	if (!read_line(line, thread, "syscall"))
		return false;
	call = strtol(line, &end, 10);
	return end != line && (call == SYS_rt_sigtimedwait || call == SYS_rt_sigsuspend);
}

static bool blocks(uint32_t thread, int signal)
{
	char line[LINE];

	return !read_line(line, thread, "stat") || is_in_mask(line, signal) || waits(thread);
}

static void read_masks(struct file_job *job)
{
	struct mask_list *list = (struct mask_list *)(void *)job;

	list->blocked = 0;
	for (uint32_t i = 0; i < list->count; i++)
		list->blocked |= (uint64_t)blocks(list->threads[i], list->signal) << i;
}

bool masks_read(struct mask_list *list)
{
	list->job.work = read_masks;
	return filethread_run(&list->job);
}

void masks_forked(struct mask_list *list)
{
	atomic_store(&list->job.state, JOB_IDLE);
}
