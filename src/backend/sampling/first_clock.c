/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif
#include "backend/sampling/first_clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/sampling/cpu_timer.h"
#include "backend/sampling/task_clock.h"

enum { PAGE = 4096 /* of an event without a buffer; the kernel maps a whole page of its size */ };

static const char *single; /* glibc's: not 0 while the process has one thread; NULL: unknown */
static void *_Atomic event; /* its mapping */
static _Atomic int timer = -1;
static _Atomic bool stopped, refused; /* the system refuses the event */

/* A reference to the variable would be looked up in programs that are not sampled, too. */
void first_clock_init(void)
{
	single = dlsym(RTLD_DEFAULT, "__libc_single_threaded");
}

static void remove_event(void *mapping)
{
	if (mapping)
		munmap(mapping, PAGE);
}

/* Returns NULL if the system refuses it. */
static void *add_event(int signal, uint64_t period)
{
	int fd = task_clock_make((uint32_t)syscall(SYS_gettid), signal, period, true);
	void *mapping;

	if (fd < 0)
		return NULL;
	mapping = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (mapping != MAP_FAILED && syscall(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, 1)) {
		munmap(mapping, PAGE);
		mapping = MAP_FAILED;
	}
	close(fd);
	return mapping == MAP_FAILED ? NULL : mapping;
}

/* A filter may kill a process for a system call that it does not know. Another thread could see
 * the descriptor. */
static bool may_open(bool alone)
{
	return alone && (!single || *(const volatile char *)single) && !atomic_load(&refused) &&
	       prctl(PR_GET_SECCOMP) == 0;
}

static int arm_timer(int signal, uint64_t period)
{
	if (atomic_load(&timer) < 0)
		atomic_store(&timer, cpu_timer_create((uint32_t)syscall(SYS_gettid), signal));
	return atomic_load(&timer) < 0 ? -1 : cpu_timer_once(atomic_load(&timer), period);
}

/* The other thread has stopped this one's clock meanwhile, or takes what is left. */
static void remove_all(void)
{
	int number = atomic_exchange(&timer, -1);

	remove_event(atomic_exchange(&event, NULL));
	if (number >= 0)
		cpu_timer_delete(number);
}

int first_clock_arm(int signal, uint64_t period, bool alone)
{
	int before = errno, result = 0;
	void *mapping = NULL;

	if (atomic_load(&stopped))
		return 0;
	if (may_open(alone)) {
		mapping = add_event(signal, period);
		atomic_store(&refused, !mapping);
	}
	if (mapping)
		remove_event(atomic_exchange(&event, mapping));
	else
		result = arm_timer(signal, period);
	if (atomic_load(&stopped))
		remove_all();
	errno = before;
	return result;
}

void first_clock_pause(void)
{
	remove_all();
}

void first_clock_stop(void)
{
	atomic_store(&stopped, true);
	remove_all();
}

void first_clock_forked(void)
{
	atomic_store(&event, NULL);
	atomic_store(&timer, -1);
	atomic_store(&stopped, false);
}
