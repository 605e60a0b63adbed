/* SPDX-License-Identifier: MIT */
#include "backend/sampling/masks.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sigmask.h"

enum { TEXT = 4096 /* bytes of a file that are read */ };

/* Signals of the C library, which programs cannot block. The C library blocks these and all others
 * while it starts or makes a thread. */
#define OF_C_LIBRARY (UINT64_C(3) << 31)

/* Returns false if the file cannot be read. */
static bool read_file(char *text, uint32_t thread, const char *name)
{
	ssize_t length;
	int fd;

	snprintf(text, TEXT, "/proc/self/task/%u/%s", (unsigned)thread, name);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = read(fd, text, TEXT - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

void masks_handler(sigset_t *mask)
{
	sigfillset(mask);
	sigdelset(mask, SIGMASK_MARK);
}

static uint64_t bit_of(int signal)
{
	return UINT64_C(1) << (signal - 1);
}

/* Returns true for the mask of a thread that takes a sample, or that sigmask_all() has set. */
static bool is_of_library(uint64_t mask)
{
	static const int some[] = {SIGHUP,    SIGINT,  SIGQUIT,	 SIGPIPE, SIGALRM, SIGTERM, SIGCHLD,
				   SIGCONT,   SIGTSTP, SIGTTIN,	 SIGTTOU, SIGURG,  SIGXCPU, SIGXFSZ,
				   SIGVTALRM, SIGPROF, SIGWINCH, SIGIO,	  SIGUSR1, SIGUSR2};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		if (!(mask & bit_of(some[i])))
			return false;
	return !(mask & bit_of(SIGMASK_MARK));
}

enum answer { OPEN, BLOCKED, UNKNOWN };

static enum answer look(uint32_t thread, int signal)
{
	char text[TEXT];
	const char *line;
	uint64_t mask;

	if (!read_file(text, thread, "status"))
		return BLOCKED;
	line = strstr(text, "\nSigBlk:");
	mask = line ? strtoull(line + sizeof("\nSigBlk:") - 1, NULL, 16) : 0;
	if (!(mask & bit_of(signal)) || is_of_library(mask))
		return OPEN;
	return mask & OF_C_LIBRARY ? UNKNOWN : BLOCKED;
}

/* While a thread waits for signals, the kernel removes them from the mask of the thread. */
static bool waits(uint32_t thread)
{
	char text[TEXT], *end;
	long call;

	if (!read_file(text, thread, "syscall"))
		return false;
	call = strtol(text, &end, 10);
	return end != text && (call == SYS_rt_sigtimedwait || call == SYS_rt_sigsuspend);
}

/* A wait may end between the first two reads: then the third read gets the whole mask. */
static enum answer find(uint32_t thread, int signal)
{
	enum answer answer = look(thread, signal);

	if (answer != OPEN)
		return answer;
	return waits(thread) ? BLOCKED : look(thread, signal);
}

static void read_masks(struct file_job *job)
{
	struct mask_list *list = (struct mask_list *)(void *)job;

	list->blocked = list->unknown = 0;
	for (uint32_t i = 0; i < list->count; i++) {
		enum answer answer = find(list->threads[i], list->signal);

		list->blocked |= (uint64_t)(answer == BLOCKED) << i;
		list->unknown |= (uint64_t)(answer == UNKNOWN) << i;
	}
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
