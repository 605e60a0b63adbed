/* SPDX-License-Identifier: MIT */
#include "entry/search.h"

#include <alloca.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The search path of C libraries if PATH is unset. */
static const char fallback[] = "/bin:/usr/bin";

/* A file that the kernel rejects as a program is run as a script of the shell. */
static void run_by_shell(const char *path, char *const arguments[], char *const environment[],
			 execute_function execute)
{
	size_t count = 0;
	const char **shell;

	while (arguments[count])
		count++;
	shell = alloca((count + 3) * sizeof(*shell));
	shell[0] = "/bin/sh";
	shell[1] = path;
	for (size_t i = 1; i <= count; i++)
		shell[i + 1] = arguments[i];
	shell[count ? count + 1 : 2] = NULL;
	execute(shell[0], (char *const *)(void *)shell, environment);
}

static void run(const char *path, char *const arguments[], char *const environment[],
		execute_function execute)
{
	execute(path, arguments, environment);
	if (errno == ENOEXEC)
		run_by_shell(path, arguments, environment, execute);
}

/* Returns true if the search continues with the next folder of PATH after this error. */
static bool goes_on(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES || error == ESTALE ||
	       error == ENODEV || error == ETIMEDOUT;
}

int search_execute(const char *file, char *const arguments[], char *const environment[],
		   execute_function execute)
{
	const char *at = getenv("PATH");
	size_t length = strlen(file);
	char path[PATH_MAX + NAME_MAX + 2];
	bool refused = false;

	errno = ENOENT;
	if (!length)
		return -1;
	if (strchr(file, '/')) {
		run(file, arguments, environment, execute);
		return -1;
	}
	if (length > NAME_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (at = at ? at : fallback;; at++) {
		size_t folder = strcspn(at, ":");

		if (folder < PATH_MAX) {
			memcpy(path, at, folder);
			path[folder] = '/';
			memcpy(path + folder + (folder > 0), file, length + 1);
			run(path, arguments, environment, execute);
			refused |= errno == EACCES;
			if (!goes_on(errno))
				return -1;
		}
		at += folder;
		if (!*at)
			break;
	}
	if (refused)
		errno = EACCES;
	return -1;
}
