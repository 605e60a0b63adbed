/* SPDX-License-Identifier: MIT */
/*
 * Usage: vforks WAY; without one, lists the ways.
 * Makes numbered commands, and children that share its memory until they execute another program.
 * Changes to the library's data in such a child would stay in the parent. Prints "rows N" for each
 * process that made some.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "numbered.h"

enum { ROWS = 10 };

static struct numbered numbered;
static char *self;

static void work(void)
{
	numbered_copy(&numbered, ROWS);
	numbered_finish(&numbered);
	numbered_say(ROWS);
}

static void plain(void)
{
}

/* A child that executes `path`, or exits with the expected code if that fails. */
static void run(char *path, int expected)
{
	char way[] = "plain", *arguments[] = {path, way, NULL};
	int status = 0;
	pid_t child = vfork();

	if (!child) {
		execv(path, arguments);
		_exit(EXIT_FAILURE);
	}
	if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != expected)
		opencl_check(CL_INVALID_OPERATION, "the child");
}

static void run_itself(void)
{
	run(self, EXIT_SUCCESS);
	work();
}

static void run_nothing(void)
{
	char nothing[] = "/nowhere/at/all";

	run(nothing, EXIT_FAILURE);
	work();
}

static void run_and_die(void)
{
	run(self, EXIT_SUCCESS);
	raise(SIGKILL);
}

/* clang-format off */
static const struct way {
	const char *name;
	void (*go)(void);
} ways[] = {
	{"plain", plain},
	{"itself", run_itself},
	{"nothing", run_nothing},
	{"die", run_and_die},
	{NULL, NULL},
};
/* clang-format on */

int main(int argc, char **argv)
{
	self = argv[0];
	for (const struct way *way = ways; way->name; way++) {
		if (argc < 2) {
			printf("%s\n", way->name);
			continue;
		}
		if (strcmp(way->name, argv[1]) != 0)
			continue;
		numbered_open();
		numbered_begin(&numbered);
		work();
		way->go();
	}
	return EXIT_SUCCESS;
}
