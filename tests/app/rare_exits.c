/* SPDX-License-Identifier: MIT */
/*
 * Usage: leaves WAY; without one, does nothing.
 * Makes ROWS numbered commands, and ends in a way that is rarely used. Prints "rows N".
 *
 *   thread      main leaves by pthread_exit; an exit handler needs 4 MiB of stack
 *   thread_term the same; an exit handler gets a SIGTERM
 *   quick       quick_exit; a function that it calls makes one more command
 */
#include <pthread.h>
#include <signal.h>
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

static const struct exit_kind {
	const char *name;
	void (*leave)(void);
} exit_kinds[] = {
	{"thread", leave_thread},
	{"thread_term", leave_thread_term},
	{"quick", leave_quick},
	{NULL, NULL},
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
