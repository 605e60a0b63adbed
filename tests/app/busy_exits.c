/* SPDX-License-Identifier: MIT */
/*
 * Usage: crowd WAY THREADS
 * Makes ROWS numbered commands and prints "rows N". Then it ends in the given way while THREADS
 * other threads continue to launch. On stderr it prints the number of commands shortly before,
 * "rows N", and the second since 1970 in which the exit began, "leaving N".
 *
 *   exit    by exit
 *   _exit   by _exit
 *   quick   by quick_exit
 *   thread  by exit in a thread of its own
 *   exec    by an exec of itself; prints the number of commands when the threads had ended
 *   bare    the same, but the next program is not profiled
 *   forks   forks FORKS times and waits for each child, then exit
 *   filled  fills memory, then SIGKILL
 *
 * MADE names a file in which each thread counts its commands: an array of int.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "numbered.h"

enum { ROWS = 500, MOST = 64 /* threads */, FORKS = 50, FILL = 128 << 20 };

static _Atomic int *made; /* MOST of them, in memory that survives an exec */
static int counts;	   /* the descriptor of that */

static void *copy_for_ever(void *count)
{
	struct numbered own;

	numbered_begin(&own);
	for (;;) {
		numbered_copy(&own, 1);
		atomic_store((_Atomic int *)count, own.made);
	}
	return NULL;
}

/* An anonymous file, or the one from before the exec. */
static int map_made(int file)
{
	size_t size = MOST * sizeof(*made);

	if (file < 0 && getenv("MADE"))
		file = open(getenv("MADE"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	else if (file < 0)
		file = memfd_create("made", 0);
	if (file < 0 || ftruncate(file, (off_t)size))
		opencl_check(CL_OUT_OF_HOST_MEMORY, "memfd_create");
	made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (made == MAP_FAILED)
		opencl_check(CL_OUT_OF_HOST_MEMORY, "mmap");
	return file;
}

static void start_threads(int count)
{
	pthread_t thread;

	for (int i = 0; i < count && i < MOST; i++)
		if (pthread_create(&thread, NULL, copy_for_ever, &made[i]))
			opencl_check(CL_OUT_OF_HOST_MEMORY, "pthread_create");
	usleep(200000);
}

static void tell_made(void)
{
	int all = ROWS;

	for (int i = 0; i < MOST; i++)
		all += atomic_load(&made[i]);
	fprintf(stderr, "rows %d\nleaving %ld\n", all, (long)time(NULL));
}

static void leave_exit(void)
{
	tell_made();
	exit(EXIT_SUCCESS);
}

static void leave__exit(void)
{
	tell_made();
	_exit(EXIT_SUCCESS);
}

static void leave_quick(void)
{
	tell_made();
	quick_exit(EXIT_SUCCESS);
}

static void *exit_here(void *unused)
{
	exit(EXIT_SUCCESS);
	return unused;
}

static void leave_thread(void)
{
	pthread_t thread;

	tell_made();
	pthread_create(&thread, NULL, exit_here, NULL);
	pause();
}

static void leave_exec(void)
{
	char file[16];

	snprintf(file, sizeof(file), "%d", counts);
	execl("/proc/self/exe", "crowd", "tell", file, (char *)NULL);
}

static void leave_bare(void)
{
	unsetenv("COMPUTE_PROFILE");
	leave_exec();
}

/* Each fork waits for calls in progress in the other threads. */
static void leave_forks(void)
{
	tell_made();
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork();

		if (!child)
			_exit(EXIT_SUCCESS);
		waitpid(child, NULL, 0);
	}
	exit(EXIT_SUCCESS);
}

/* The kernel kills a process that uses too much memory, at any point. */
static void leave_filled(void)
{
	char *memory = mmap(NULL, FILL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED)
		memset(memory, 1, FILL);
	tell_made();
	kill(getpid(), SIGKILL);
	pause();
}

static const struct exit_kind {
	const char *name;
	void (*leave)(void);
} exit_kinds[] = {
	{"exit", leave_exit},	  {"_exit", leave__exit},   {"quick", leave_quick},
	{"thread", leave_thread}, {"exec", leave_exec},	    {"bare", leave_bare},
	{"forks", leave_forks},	  {"filled", leave_filled}, {NULL, NULL},
};

int main(int argc, char **argv)
{
	struct numbered numbered;

	counts = map_made(argc > 2 && !strcmp(argv[1], "tell") ? atoi(argv[2]) : -1);
	if (argc > 2 && !strcmp(argv[1], "tell")) {
		tell_made();
		return EXIT_SUCCESS;
	}
	for (const struct exit_kind *kind = exit_kinds; argc > 2 && kind->name; kind++) {
		if (strcmp(kind->name, argv[1]) != 0)
			continue;
		numbered_open();
		numbered_begin(&numbered);
		numbered_copy(&numbered, ROWS);
		numbered_finish(&numbered);
		numbered_say(ROWS);
		start_threads(atoi(argv[2]));
		kind->leave();
	}
	return EXIT_FAILURE;
}
