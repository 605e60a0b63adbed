/* SPDX-License-Identifier: MIT */
/*
 * Usage: killed setuid|full
 * Makes FIRST numbered commands, and waits until their log is there. Then it becomes the user
 * 65534, or takes every descriptor that it may have. THREADS threads make EACH more each; when all
 * have, it prints "rows N" and "signal KILL", and kills itself by SIGKILL.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numbered.h"

enum { FIRST = 100, THREADS = 6, EACH = 50, NOBODY = 65534, LOOKS = 500, PAUSE = 10000 /* us */ };

static pthread_barrier_t all_made;

static void *make_some(void *nothing)
{
	struct numbered own;

	numbered_begin(&own);
	numbered_copy(&own, EACH);
	pthread_barrier_wait(&all_made);
	pause();
	return nothing;
}

static void await_log(void)
{
	for (int i = 0; getenv("COMPUTE_PROFILE") && i < LOOKS; i++) {
		if (!access("compute_profile.log", F_OK))
			return;
		usleep(PAUSE);
	}
}

static void check(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(EXIT_FAILURE);
}

static void start_threads(void)
{
	pthread_t thread;

	pthread_barrier_init(&all_made, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		check(!pthread_create(&thread, NULL, make_some, NULL), "pthread_create");
	pthread_barrier_wait(&all_made);
}

int main(int argc, char **argv)
{
	struct numbered numbered;

	if (argc != 2)
		return EXIT_FAILURE;
	numbered_open();
	numbered_begin(&numbered);
	numbered_copy(&numbered, FIRST);
	numbered_finish(&numbered);
	await_log();
	if (!strcmp(argv[1], "setuid"))
		check(!setgid(NOBODY) && !setuid(NOBODY), "setuid");
	else
		while (open("/dev/null", O_RDONLY) >= 0)
			;
	start_threads();
	numbered_say(FIRST + THREADS * EACH);
	printf("signal KILL\n");
	fflush(stdout);
	kill(getpid(), SIGKILL);
	pause();
	return EXIT_FAILURE;
}
