/* SPDX-License-Identifier: MIT */
/* Checks how samples of the CPU can be taken: as the library does, for a thread of its own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* SIGEV_THREAD_ID */
#endif
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backend/sampling/handler_stack.h"
#include "cli/doctor/doctor.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum { SECOND = 1000000000, SIGEV_OF_THREAD = 4 /* SIGEV_THREAD_ID */ };

/* The highest value of kernel.perf_event_paranoid with which users may count their own threads. */
enum { PARANOID_USERS = 2 };

/* Returns 0 or an error number. */
static int try_task_clock(void)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = SECOND,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int try_timer(void)
{
	struct sigevent event;
	int timer;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_OF_THREAD;
	event.sigev_signo = SIGURG;
#ifdef sigev_notify_thread_id
	event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
#else
	event._sigev_un._tid = (int)syscall(SYS_gettid);
#endif
	if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer))
		return errno;
	syscall(SYS_timer_delete, timer);
	return 0;
}

/* Returns the number behind `key` in a file; -1 if it is not there. */
static long read_number(const char *path, const char *key)
{
	FILE *file = fopen(path, "re");
	char line[256];
	long number = -1;

	while (file && number < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)))
			number = strtol(line + strlen(key), NULL, 10);
	if (file)
		fclose(file);
	return number;
}

/* Appends why perf_event_open is refused, and what to do. */
static void put_refusal(struct strbuf *to, int error)
{
	long paranoid = read_number("/proc/sys/kernel/perf_event_paranoid", "");

	if (error == ENOSYS)
		strbuf_string(to, "this kernel, or its sandbox, has no perf_event_open");
	else if (paranoid > PARANOID_USERS && geteuid())
		strbuf_printf(to, "kernel.perf_event_paranoid is %ld; sysctl "
				  "kernel.perf_event_paranoid=2 permits it",
			      paranoid);
	else if (read_number("/proc/self/status", "Seccomp:") > 0)
		strbuf_string(to, "a seccomp filter, as containers have, refuses perf_event_open; "
				  "permit it in the container's seccomp profile");
	else
		strbuf_printf(to, "perf_event_open is refused: %s", strerror(error));
}

/* Appends which signal is used, and what it takes of a stack. */
static void put_signal(struct strbuf *to)
{
	unsigned long frame = getauxval(AT_MINSIGSTKSZ);

	strbuf_string(to, "the signal is SIGURG, or SIGWINCH if the program handles SIGURG");
	if (frame)
		strbuf_printf(to, ", and takes up to %lu bytes of the interrupted stack",
			      frame + HANDLER_ROOM);
}

void doctor_samples(struct doctor *doctor)
{
	int clock = try_task_clock(), timer = try_timer();
	struct strbuf why = STRBUF_INIT, signal_used = STRBUF_INIT;

	put_signal(&signal_used);
	if (clock)
		put_refusal(&why, clock);
	if (timer)
		doctor_say(doctor, VERDICT_NOTE,
			   "samples: none can be taken, because timer_create is refused (%s): "
			   "permit it in the sandbox",
			   strerror(timer));
	else if (clock)
		doctor_say(doctor, VERDICT_NOTE,
			   "samples: CPU samples are possible by timers of the threads' CPU time "
			   "(timer_create), at most as many a second as the kernel has ticks "
			   "(CONFIG_HZ, often 250); %s. Not by the task clock: %s",
			   strbuf_text(&signal_used), strbuf_text(&why));
	else
		doctor_say(doctor, VERDICT_OK,
			   "samples: CPU samples are possible without root by the task clock "
			   "(perf_event_open); %s",
			   strbuf_text(&signal_used));
	strbuf_free(&why);
	strbuf_free(&signal_used);
}
