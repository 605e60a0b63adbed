/* SPDX-License-Identifier: MIT */
/*
 * Usage: leaves DOOR [COUNT]; without one, does nothing.
 * Makes ROWS numbered commands, and leaves by a door that is rarely used; some make one more
 * command on the way. Prints "rows N" for all of them but those of threads that never stop: these
 * tell on stderr how many they had made shortly before, and when it was that the program left.
 *
 *   thread      main leaves by pthread_exit; an exit handler needs 4 MiB of stack
 *   thread_term the same; an exit handler gets a SIGTERM
 *   quick       quick_exit, with a handler of at_quick_exit that makes a command
 *   destructor  exit, with a library whose destructor makes a command; COUNT is its path
 *   many        exit while COUNT threads go on launching; many_leave: _exit
 *   forks       50 children that do nothing, beside COUNT threads that go on launching
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <dlfcn.h>

#include "numbered.h"

enum { ROWS = 500, MAX_THREADS = 64, DEEP = 4 << 20, FORKS = 50 };

static struct numbered numbered;
static _Atomic int made[MAX_THREADS];
static const char *word; /* the second argument, or "" */

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

static void leave_destructor(void)
{
	void *library = dlopen(word, RTLD_NOW);
	void (**at_the_end)(void) = NULL;

	if (library)
		*(void **)&at_the_end = dlsym(library, "at_the_end");
	opencl_check(at_the_end ? CL_SUCCESS : CL_INVALID_VALUE, word);
	*at_the_end = one_more;
	exit(EXIT_SUCCESS);
}

static void *copy_for_ever(void *number)
{
	struct numbered own;

	numbered_begin(&own);
	for (;;) {
		numbered_copy(&own, 1);
		atomic_store((_Atomic int *)number, own.made);
	}
	return NULL;
}

static int start_threads(void)
{
	int count = atoi(word);
	pthread_t thread;

	for (int i = 0; i < count && i < MAX_THREADS; i++)
		if (pthread_create(&thread, NULL, copy_for_ever, &made[i]))
			opencl_check(CL_OUT_OF_HOST_MEMORY, "pthread_create");
	usleep(300000);
	return count;
}

static void tell(int threads)
{
	int all = ROWS;

	for (int i = 0; i < threads; i++)
		all += atomic_load(&made[i]);
	fprintf(stderr, "rows %d\nleaving %ld\n", all, (long)time(NULL));
}

static void leave_many(void)
{
	tell(start_threads());
	exit(EXIT_SUCCESS);
}

static void leave_many_at_once(void)
{
	tell(start_threads());
	_exit(EXIT_SUCCESS);
}

static void leave_forks(void)
{
	int threads = start_threads();
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork();

		if (!child)
			_exit(EXIT_SUCCESS);
		waitpid(child, NULL, 0);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	fprintf(stderr, "forks %ld ms\n",
		(end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000);
	tell(threads);
	exit(EXIT_SUCCESS);
}

static const struct door {
	const char *name;
	void (*leave)(void);
} doors[] = {
	{"thread", leave_thread},	  {"thread_term", leave_thread_term},
	{"quick", leave_quick},		  {"destructor", leave_destructor},
	{"many", leave_many},		  {"many_leave", leave_many_at_once},
	{"forks", leave_forks},		  {NULL, NULL},
};

int main(int argc, char **argv)
{
	word = argc > 2 ? argv[2] : "";
	for (const struct door *door = doors; argc > 1 && door->name; door++) {
		if (strcmp(door->name, argv[1]) != 0)
			continue;
		numbered_open();
		numbered_begin(&numbered);
		work(ROWS);
		door->leave();
	}
	return EXIT_SUCCESS;
}
