/* SPDX-License-Identifier: MIT */
/*
 * cpuwaits [-t] MODE
 *
 * Uses the CPU, then blocks all signals, uses it again and takes what is pending, several times.
 * Prints the number of signals that the program has not sent. -t: another thread uses the CPU, too.
 * Modes, by the function that takes the signals:
 *
 *   timed     sigtimedwait, without waiting
 *   info      sigwaitinfo; the program sends itself SIGURG before. Not with -t: it would be the
 *             other thread's
 *   wait      sigwait; the program sends itself SIGIO before, whose number is above SIGURG's
 *   signalfd  a descriptor, which is opened when the signals are blocked
 *   early     a descriptor, which is opened just before the signals are blocked
 *   first     sigtimedwait, once at the start, before all else and with no signal blocked
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { MILLISECOND = 1000000, FIRST = 150, NEXT = 6, TIMES = 10, STEPS = 20000 };

static volatile double sink;
static volatile int over;
static const char *mode;
static int fd = -1;

static uint64_t used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void spin(unsigned milliseconds)
{
	uint64_t until = used() + (uint64_t)milliseconds * MILLISECOND;

	while (used() < until)
		for (int i = 0; i < STEPS; i++)
			sink += i;
}

static void *work(void *argument)
{
	while (!over)
		spin(1);
	return argument;
}

static int is(const char *name)
{
	return !strcmp(mode, name);
}

/* Returns the number of signals of others that are pending. */
static int take_all(const sigset_t *all)
{
	static const struct timespec at_once;
	siginfo_t information;
	int count = 0;

	while (sigtimedwait(all, &information, &at_once) > 0)
		count++;
	return count;
}

static int take_by_descriptor(const sigset_t *all)
{
	struct signalfd_siginfo information;
	int count = 0;

	if (fd < 0)
		fd = signalfd(-1, all, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		return -1;
	while (read(fd, &information, sizeof(information)) == sizeof(information))
		count++;
	return count;
}

static int take(const sigset_t *all)
{
	siginfo_t information;
	int number = 0;

	if (is("timed"))
		return take_all(all);
	if (is("signalfd") || is("early"))
		return take_by_descriptor(all);
	if (is("info")) {
		kill(getpid(), SIGURG);
		return sigwaitinfo(all, &information) != SIGURG ||
		       information.si_code != SI_USER;
	}
	pthread_kill(pthread_self(), SIGIO);
	return sigwait(all, &number) || number != SIGIO;
}

int main(int argument_count, char **arguments)
{
	int threads = argument_count > 2, foreign = 0;
	sigset_t all, before;
	pthread_t thread;

	mode = arguments[argument_count - 1];
	sigfillset(&all);
	if (threads && pthread_create(&thread, NULL, work, NULL))
		return EXIT_FAILURE;
	if (is("first"))
		foreign += take_all(&all);
	spin(FIRST);
	if (is("early"))
		fd = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
	for (int i = 0; i < TIMES && !is("first"); i++) {
		pthread_sigmask(SIG_BLOCK, &all, &before);
		spin(NEXT);
		foreign += take(&all);
		if (!is("signalfd") && !is("early"))
			pthread_sigmask(SIG_SETMASK, &before, NULL);
		spin(NEXT);
	}
	over = 1;
	if (threads)
		pthread_join(thread, NULL);
	printf("%d foreign signals\n", foreign);
	return EXIT_SUCCESS;
}
