/* SPDX-License-Identifier: MIT */
/*
 * interpreter PATH NAME [ARGUMENT]...
 * The kernel runs it, by binfmt_misc, for programs of another processor (tests/cross/emulated). It
 * runs them with QEMU, which finds their libraries under ROOT. The variables of the dynamic loader,
 * such as LD_PRELOAD, are meant for the program: QEMU itself must not see them. So this program is
 * linked statically, and passes them on as options.
 *
 * The name of a process is that of the file that was executed last: so QEMU is executed by a
 * symbolic link with the name of the program, in the folder NAMES.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* The options, in front of the program: emulator, -L, its value, -0, its value. */
enum { FIRST = 5, FAILURE = 127 };

/* Moves the loader's variables from the environment to options. Returns the end of the options. */
static char **move_variables(char **options)
{
	char **kept = environ;

	for (char **variable = environ; *variable; variable++) {
		if (strncmp(*variable, "LD_", 3)) {
			*kept++ = *variable;
			continue;
		}
		if (strchr(*variable, ',')) { /* would be several variables for QEMU */
			fprintf(stderr, "interpreter: a comma in %s\n", *variable);
			exit(FAILURE);
		}
		*options++ = "-E";
		*options++ = *variable;
	}
	*kept = NULL;
	return options;
}

/* Returns the file to execute for this program. */
static const char *emulator_for(const char *program)
{
	static char path[PATH_MAX];
	const char *slash = strrchr(program, '/');
	int length = snprintf(path, sizeof(path), "%s/%s", NAMES, slash ? slash + 1 : program);

	if (length < 0 || length >= (int)sizeof(path) ||
	    (symlink(EMULATOR, path) && errno != EEXIST))
		return EMULATOR;
	return path;
}

int main(int count, char **arguments)
{
	static char emulator[] = EMULATOR, library_option[] = "-L", root[] = ROOT;
	static char name_option[] = "-0";
	size_t variables = 0;
	char **all, **next;

	if (count < 3)
		return FAILURE;
	while (environ[variables])
		variables++;
	all = calloc(FIRST + 2 * variables + (size_t)count, sizeof(*all));
	if (!all)
		return FAILURE;
	all[0] = emulator;
	all[1] = library_option;
	all[2] = root;
	all[3] = name_option;
	all[4] = arguments[2];
	next = move_variables(all + FIRST);
	*next++ = arguments[1];
	memcpy(next, arguments + 3, (size_t)(count - 3) * sizeof(*next));
	execve(emulator_for(arguments[1]), all, environ);
	perror(emulator);
	return FAILURE;
}
