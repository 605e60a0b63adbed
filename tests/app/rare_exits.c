/* SPDX-License-Identifier: MIT */
/*
 * Usage: leaves WAY; without one, does nothing.
 * Makes ROWS numbered commands, and ends in a way that is rarely used. Prints "rows N".
 *
 *   thread      main leaves by pthread_exit; an exit handler needs 4 MiB of stack
 *   thread_term the same; an exit handler gets a SIGTERM
 *   quick       quick_exit; a function that it calls makes one more command
 *   both        two threads call exit at the same time, while main waits; there are exit handlers
 *   main        the same, and main is one of them
 * Without the profiler only one thread exits: glibc before 2.41 may crash.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numbered.h"

enum { ROWS = 500, DEEP = 4 << 20 };

static struct numbered numbered;

static void work(int count)
{
	numbered_copy(&numbered, count);
	numbered_finish(&numbered);
	numbered_say(count);
}

static void one_more(void)
{
	work(1);
}

static void need_stack(void)
{
	volatile char deep[DEEP];

	for (int i = 0; i < DEEP; i += 1024)
		deep[i] = 1;
	if (deep[0])
		one_more();
}

static void leave_thread(void)
{
	atexit(need_stack);
	pthread_exit(NULL);
}

static void terminate(void)
{
	kill(getpid(), SIGTERM);
	sleep(1);
}

static void leave_thread_term(void)
{
	printf("signal TERM\n");
	fflush(stdout);
	atexit(terminate);
	pthread_exit(NULL);
}

static void leave_quick(void)
{
	at_quick_exit(one_more);
	quick_exit(EXIT_SUCCESS);
}

static pthread_barrier_t start;

static void *exit_at_start(void *unused)
{
	pthread_barrier_wait(&start);
	exit(EXIT_SUCCESS);
	return unused;
}

static void do_little(void)
{
	usleep(1000);
}

/* More handlers than glibc has in one block. */
static void begin_exit(void)
{
	pthread_t thread;
	bool is_profiled = getenv("COMPUTE_PROFILE");

	for (int i = 0; i < 40; i++)
		atexit(do_little);
	pthread_barrier_init(&start, NULL, is_profiled ? 2 : 1);
	if (is_profiled && pthread_create(&thread, NULL, exit_at_start, NULL))
		abort();
}

static void leave_main(void)
{
	begin_exit();
	exit_at_start(NULL);
}

static void leave_both(void)
{
	pthread_t thread;

	begin_exit();
	if (pthread_create(&thread, NULL, exit_at_start, NULL))
		abort();
	pause();
}

static const struct exit_kind {
	const char *name;
	void (*leave)(void);
} exit_kinds[] = {
	{"thread", leave_thread}, {"thread_term", leave_thread_term},
	{"quick", leave_quick},	  {"both", leave_both},
	{"main", leave_main},	  {NULL, NULL},
};

int main(int argc, char **argv)
{
	for (const struct exit_kind *kind = exit_kinds; argc > 1 && kind->name; kind++) {
		if (strcmp(kind->name, argv[1]) != 0)
			continue;
		numbered_open();
		numbered_begin(&numbered);
		work(ROWS);
		kind->leave();
	}
	return EXIT_SUCCESS;
}
