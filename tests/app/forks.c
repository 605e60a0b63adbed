/* SPDX-License-Identifier: MIT */
/*
 * Usage: forks WAY [COUNT]; without one, lists the ways.
 * Makes numbered commands, and starts other processes of itself in all possible ways (vforks.c has
 * vfork). Prints "rows N" for each process that made some. Output that depends on timing goes to
 * stderr.
 *
 * All ways except "plain", "spawn" and the exec ways continue to use the driver in a forked child,
 * so they need a driver that supports that.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "numbered.h"

enum { ROWS = 10, CHILD_ROWS = 8, THREADS = 4, STACK = 1 << 18 };

static struct numbered numbered;
static const char *self;
static int count; /* the second argument */
static atomic_bool enough;
static char stack[STACK] __attribute__((aligned(16)));

static void work(int rows)
{
	numbered_copy(&numbered, rows);
	numbered_finish(&numbered);
	numbered_say(rows);
}

static void check(bool good, const char *what)
{
	opencl_check(good ? CL_SUCCESS : CL_INVALID_OPERATION, what);
}

static void wait_for(pid_t child)
{
	int status = 1;

	check(waitpid(child, &status, 0) == child && !status, "the child");
}

static void plain(void)
{
}

static void child_work(int rows)
{
	numbered_begin(&numbered);
	work(rows);
}

static void fork_both(void)
{
	pid_t child = fork();

	if (!child) {
		child_work(CHILD_ROWS);
		exit(EXIT_SUCCESS);
	}
	wait_for(child);
	work(ROWS);
}

static void fork_leave(void)
{
	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		if (!child)
			_exit(EXIT_SUCCESS);
		wait_for(child);
		work(1);
	}
}

static void *copy_until_enough(void *made)
{
	struct numbered own;

	numbered_begin(&own);
	while (!enough) {
		numbered_copy(&own, 5);
		usleep(1000);
	}
	numbered_finish(&own);
	*(int *)made = own.made;
	return NULL;
}

static void fork_busy(void)
{
	pthread_t threads[THREADS];
	int made[THREADS], all = ROWS + count;

	for (int i = 0; i < THREADS; i++)
		check(!pthread_create(&threads[i], NULL, copy_until_enough, &made[i]), "a thread");
	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		if (!child) {
			numbered_begin(&numbered);
			numbered_copy(&numbered, 1);
			_exit(EXIT_SUCCESS);
		}
		wait_for(child);
	}
	enough = true;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		all += made[i];
	}
	fprintf(stderr, "rows %d\n", all);
}

static char **command(const char *way, int number)
{
	static char text[16], *arguments[4];

	snprintf(text, sizeof(text), "%d", number);
	arguments[0] = strdup(self);
	arguments[1] = strdup(way);
	arguments[2] = text;
	return arguments;
}

static void spawn(void)
{
	pid_t child;

	usleep(200000); /* by then the log exists and its name is in use */
	check(!posix_spawn(&child, self, NULL, NULL, command("plain", 0), environ), "posix_spawn");
	wait_for(child);
	work(ROWS);
}

/* A child that executes any other program does not affect the rows. */
static void spawn_true(void)
{
	char name[] = "true";
	char *arguments[] = {name, NULL};
	pid_t child;

	check(!posix_spawnp(&child, name, NULL, NULL, arguments, environ), "posix_spawnp");
	wait_for(child);
	check(!system("true"), "system");
	work(ROWS);
}

static void exec_itself(void)
{
	execve(self, command("plain", 0), environ);
	perror("execve");
}

static void exec_chain(void)
{
	if (count > 1)
		execve(self, command("chain", count - 1), environ);
}

/* By the system call, which cannot be intercepted. By then the rows are in the log. */
static void raw_chain(void)
{
	usleep(300000);
	if (count > 1)
		syscall(SYS_execve, self, command("raw_chain", count - 1), environ);
}

static void exec_true(void)
{
	execlp("true", "true", (char *)NULL);
}

static void exec_true_by_array(void)
{
	execvp("true", (char *[]){strdup("true"), NULL});
}

/* The library is not loaded into that program. */
static void exec_bare(void)
{
	char *none[] = {NULL};

	execle("/bin/sh", "sh", "-c", ":", (char *)NULL, none);
}

/* The next program does not look for files in this one's folder. */
static void exec_elsewhere(void)
{
	check(!mkdir("elsewhere", 0700) && !chdir("elsewhere"), "mkdir");
	exec_bare();
}

/* There is no such program: this one continues. */
static void exec_nothing(void)
{
	execl("/nowhere/at/all", "all", (char *)NULL);
	work(1);
}

/* The same while commands run. */
static void exec_early(void)
{
	numbered_copy(&numbered, 1);
	execl("/nowhere/at/all", "all", (char *)NULL);
	execlp("nowhere-at-all", "all", (char *)NULL);
	numbered_finish(&numbered);
	numbered_say(1);
}

/* The kernel refuses arguments of this length. The rows are in no log yet. */
static void exec_too_much(void)
{
	enum { LONG = 200000 };
	char *argument = calloc(1, LONG);

	memset(argument, 'x', LONG - 1);
	for (int i = 0; i < count; i++) {
		execv(self, (char *[]){argument, argument, NULL});
		numbered_copy(&numbered, 1020);
		numbered_say(1020);
	}
	raise(SIGKILL);
}

/* The first parent ends in a call inside the C library. This process waits for all. */
static void become_daemon(void)
{
	int ends[2], nothing;
	pid_t child;

	check(!pipe(ends), "pipe");
	child = fork();
	if (child) {
		wait_for(child);
		close(ends[1]);
		check(!read(ends[0], &nothing, sizeof(nothing)), "the daemon");
		work(ROWS);
		return;
	}
	child_work(CHILD_ROWS);
	check(!daemon(1, 1), "daemon");
	child_work(CHILD_ROWS);
}

/* No fork handler runs. The writer is idle by then and holds no lock of the driver. */
static void raw_clone(void)
{
	pid_t child;

	usleep(300000);
	child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child) {
		child_work(CHILD_ROWS);
		exit(EXIT_SUCCESS);
	}
	wait_for(child);
	work(ROWS);
}

static int share(void *nothing)
{
	(void)nothing;
	work(CHILD_ROWS);
	return EXIT_SUCCESS;
}

/* Another process in the same memory. */
static void clone_memory(void)
{
	wait_for(clone(share, stack + STACK, CLONE_VM | SIGCHLD, NULL));
	work(ROWS);
}

/* clang-format off */
static const struct way {
	const char *name;
	void (*go)(void);
} ways[] = {
	{"plain", plain},
	{"fork", fork_both},
	{"fork_leave", fork_leave},
	{"fork_busy", fork_busy},
	{"spawn", spawn},
	{"spawn_true", spawn_true},
	{"exec", exec_itself},
	{"chain", exec_chain},
	{"raw_chain", raw_chain},
	{"execlp", exec_true},
	{"execvp", exec_true_by_array},
	{"exec_bare", exec_bare},
	{"exec_elsewhere", exec_elsewhere},
	{"failed_exec", exec_nothing},
	{"failed_early", exec_early},
	{"failed_kill", exec_too_much},
	{"daemon", become_daemon},
	{"clone", raw_clone},
	{"clone_vm", clone_memory},
	{NULL, NULL},
};
/* clang-format on */

int main(int argc, char **argv)
{
	self = argv[0];
	count = argc > 2 ? atoi(argv[2]) : 1;
	for (const struct way *way = ways; way->name; way++) {
		if (argc < 2) {
			printf("%s\n", way->name);
			continue;
		}
		if (strcmp(way->name, argv[1]) != 0)
			continue;
		numbered_open();
		numbered_begin(&numbered);
		work(ROWS);
		way->go();
	}
	return EXIT_SUCCESS;
}
