/* SPDX-License-Identifier: MIT */
/*
 * latesignals
 *
 * Delays the handlers of signals, as the thread sanitizer does: sigaction is this program's, and
 * its handler only copies what the kernel says. The handler that was asked for is called later,
 * inside of qsort, a function of the C library, with the copies. Prints the number of threads then;
 * the program has one. After that it creates a thread.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

enum { SIGNALS = 65, MOST = 5 /* seconds */, LATER = 100 /* ms */, STEPS = 20000 };

static struct sigaction wanted[SIGNALS];
static ucontext_t context;
static siginfo_t information;
static volatile sig_atomic_t pending;
static volatile double sink;

static void keep(int number, siginfo_t *now, void *interrupted)
{
	memcpy(&context, interrupted, sizeof(context));
	information = *now;
	pending = number;
}

__attribute__((visibility("default"))) int sigaction(int number, const struct sigaction *action,
						     struct sigaction *before)
{
	static int (*next)(int, const struct sigaction *, struct sigaction *);
	struct sigaction ours;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "sigaction");
	if (before)
		*before = wanted[number];
	if (!action)
		return 0;
	wanted[number] = ours = *action;
	if (ours.sa_flags & SA_SIGINFO)
		ours.sa_sigaction = keep;
	return next(number, &ours, NULL);
}

static int count_threads(void)
{
	DIR *folder = opendir("/proc/self/task");
	int count = -2; /* . and .. */

	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	return count;
}

static int deliver(const void *left, const void *right)
{
	int number = pending;

	(void)left;
	(void)right;
	pending = 0;
	if (number)
		wanted[number].sa_sigaction(number, &information, &context);
	return 0;
}

/* Uses the CPU for LATER ms, and until a signal has come. */
static void spin(void)
{
	struct timespec now;

	do {
		for (int i = 0; i < STEPS; i++)
			sink += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_sec < MOST && (!pending || (!now.tv_sec && now.tv_nsec < LATER * 1000000)));
}

static void *nothing(void *argument)
{
	return argument;
}

int main(void)
{
	char two[2] = {2, 1};
	pthread_t thread;

	spin();
	if (!pending) {
		puts("no signal came");
		return EXIT_FAILURE;
	}
	qsort(two, sizeof(two), 1, deliver);
	printf("%d threads\n", count_threads());
	if (pthread_create(&thread, NULL, nothing, NULL))
		return EXIT_FAILURE;
	pthread_join(thread, NULL);
	return EXIT_SUCCESS;
}
