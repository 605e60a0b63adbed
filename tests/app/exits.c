/* SPDX-License-Identifier: MIT */
/*
 * Usage: exits WAY; without one, lists them.
 * Makes ROWS numbered commands, waits for them, and ends in the given way. Prints "rows N" and, for
 * the ways that have one, "signal NAME". busy_exits.c has the exits while other threads work.
 *
 * If the driver has threads, the ways "thread", "system_call" and "strict" do not end the process.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "numbered.h"

enum { ROWS = 500, CODE = 5, CHUNK = 1 << 20 };

static struct numbered numbered;

static void work(void)
{
	numbered_copy(&numbered, ROWS);
	numbered_finish(&numbered);
	numbered_say(ROWS);
}

static void one_more(void)
{
	numbered_copy(&numbered, 1);
	numbered_finish(&numbered);
	numbered_say(1);
}

/* Returns from main. */
static void leave_return(void)
{
}

static void leave_exit(void)
{
	exit(EXIT_SUCCESS);
}

static void leave__exit(void)
{
	_exit(EXIT_SUCCESS);
}

static void leave__Exit(void)
{
	_Exit(EXIT_SUCCESS);
}

/* As Go's os.Exit: it cannot be intercepted. */
static void leave_exit_group(void)
{
	printf("no last word\n");
	fflush(stdout);
	syscall(SYS_exit_group, EXIT_SUCCESS);
}

/* As daemons do. */
static void leave_clearenv(void)
{
	clearenv();
	one_more();
}

/* Ends main's thread, which has no other besides it, and so the process. */
static void leave_system_call(void)
{
	fflush(stdout);
	syscall(SYS_exit, CODE);
}

/* The C library's way out needs a system call that this forbids. */
static void leave_strict(void)
{
	fflush(stdout);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		opencl_check(CL_INVALID_OPERATION, "PR_SET_SECCOMP");
	syscall(SYS_exit, CODE);
}

static void leave_quick_exit(void)
{
	quick_exit(EXIT_SUCCESS);
}

static void leave_by_signal(int number)
{
	printf("signal %s\n", sigabbrev_np(number));
	fflush(stdout);
	raise(number);
}

static void leave_abort(void)
{
	printf("signal ABRT\n");
	fflush(stdout);
	abort();
}

static void leave_terminate(void)
{
	leave_by_signal(SIGTERM);
}

/* By then all rows have their times, and the log is complete without recovery. */
static void leave_kill_late(void)
{
	usleep(500000);
	leave_by_signal(SIGKILL);
}

static void leave_kill(void)
{
	leave_by_signal(SIGKILL);
}

/* PoCL has its own handler of this signal, so the program would not die of it. */
static void leave_crash(void)
{
	signal(SIGSEGV, SIG_DFL);
	leave_by_signal(SIGSEGV);
}

/* Each call uses more stack, and there is no room for a handler either. */
__attribute__((noinline)) static int overflow(volatile char *above)
{
	volatile char page[CHUNK / 256];

	page[0] = *above;
	return page[0] ? overflow(page) + page[0] : 0;
}

static void leave_overflow(void)
{
	volatile char top = 1; /* the last one has 0 here */

	signal(SIGSEGV, SIG_DFL);
	printf("signal SEGV\n");
	fflush(stdout);
	overflow(&top);
}

/* From now on no address space is left, except 16 MiB for the heap. */
static void take_memory(void)
{
	struct rlimit limit = {.rlim_cur = CHUNK, .rlim_max = RLIM_INFINITY};
	void *first[256] = {0}, *last = NULL;

	for (int i = 0; i < 256; i++)
		first[i] = malloc(CHUNK / 16);
	setrlimit(RLIMIT_AS, &limit);
	for (void **more; (more = malloc(CHUNK / 16)); last = more)
		*more = last;
	if (mmap(NULL, CHUNK, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		opencl_check(CL_INVALID_OPERATION, "RLIMIT_AS");
	for (int i = 0; i < 256; i++)
		free(first[i]);
}

static void leave_memory(void)
{
	take_memory();
	work();
}

static void *launch_later(void *nothing)
{
	(void)nothing;
	usleep(50000);
	one_more();
	return NULL;
}

/* The other thread continues to work, and the process ends with it. */
static void leave_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, launch_later, NULL))
		opencl_check(CL_OUT_OF_HOST_MEMORY, "pthread_create");
	pthread_detach(thread);
	pthread_exit(NULL);
}

/* exit() in another thread than the main thread. */
static void *exit_now(void *nothing)
{
	(void)nothing;
	exit(EXIT_SUCCESS);
}

static void leave_elsewhere(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, exit_now, NULL))
		opencl_check(CL_OUT_OF_HOST_MEMORY, "pthread_create");
	pause();
}

/* Work in an exit handler. */
static void leave_handler(void)
{
	atexit(one_more);
}

/* clang-format off */
static const struct exit_kind {
	const char *name;
	void (*leave)(void);
} exit_kinds[] = {
	{"return", leave_return},
	{"exit", leave_exit},
	{"_exit", leave__exit},
	{"_Exit", leave__Exit},
	{"exit_group", leave_exit_group},
	{"clearenv", leave_clearenv},
	{"system_call", leave_system_call},
	{"strict", leave_strict},
	{"quick_exit", leave_quick_exit},
	{"abort", leave_abort},
	{"terminate", leave_terminate},
	{"kill", leave_kill},
	{"kill_late", leave_kill_late},
	{"crash", leave_crash},
	{"overflow", leave_overflow},
	{"memory", leave_memory},
	{"starved", leave_memory},
	{"thread", leave_thread},
	{"elsewhere", leave_elsewhere},
	{"handler", leave_handler},
	{"early_handler", leave_return},
	{NULL, NULL},
};
/* clang-format on */

int main(int argc, char **argv)
{
	for (const struct exit_kind *kind = exit_kinds; kind->name; kind++) {
		if (argc < 2) {
			printf("%s\n", kind->name);
			continue;
		}
		if (strcmp(kind->name, argv[1]) != 0)
			continue;
		numbered_open();
		numbered_begin(&numbered);
		/* It runs after the profiler's own, of the first row. */
		if (!strcmp(kind->name, "early_handler"))
			atexit(one_more);
		if (kind->leave != leave_memory || !strcmp(kind->name, "memory"))
			work();
		kind->leave();
	}
	return EXIT_SUCCESS;
}
