/* SPDX-License-Identifier: MIT */
#include "entry/exits.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "session/session.h"

#define DOOR __attribute__((visibility("default")))

enum real { REAL_QUICK_EXIT, REAL_EXECVE, REAL_EXECVP, REAL_EXECVPE, REAL_FEXECVE, REAL_COUNT };

static const char *const names[REAL_COUNT] = {
	[REAL_QUICK_EXIT] = "quick_exit", [REAL_EXECVE] = "execve",   [REAL_EXECVP] = "execvp",
	[REAL_EXECVPE] = "execvpe",	  [REAL_FEXECVE] = "fexecve",
};
static void *reals[REAL_COUNT];

void exits_prepare(void)
{
	for (int i = 0; i < REAL_COUNT; i++)
		reals[i] = dlsym(RTLD_NEXT, names[i]);
}

static void *real(enum real which)
{
	if (!reals[which])
		reals[which] = dlsym(RTLD_NEXT, names[which]);
	return reals[which];
}

static void leave(void)
{
	session_stop();
	session_end();
}

DOOR void _exit(int status)
{
	leave();
	for (;;)
		syscall(SYS_exit_group, status);
}

DOOR void _Exit(int status)
{
	_exit(status);
}

DOOR void quick_exit(int status)
{
	void (*next)(int);

	leave();
	*(void **)&next = real(REAL_QUICK_EXIT);
	if (next)
		next(status);
	_exit(status);
}

/* An exec that comes back has failed: the program goes on, and so does its log. */
static int failed(int result)
{
	int error = errno;

	session_exec_failed();
	errno = error;
	return result;
}

static int missing(void)
{
	errno = ENOSYS;
	return -1;
}

DOOR int execve(const char *path, char *const arguments[], char *const environment[])
{
	int (*next)(const char *, char *const[], char *const[]);

	session_exec();
	*(void **)&next = real(REAL_EXECVE);
	return failed(next ? next(path, arguments, environment) : missing());
}

DOOR int execv(const char *path, char *const arguments[])
{
	return execve(path, arguments, environ);
}

DOOR int execvp(const char *file, char *const arguments[])
{
	int (*next)(const char *, char *const[]);

	session_exec();
	*(void **)&next = real(REAL_EXECVP);
	return failed(next ? next(file, arguments) : missing());
}

DOOR int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	int (*next)(const char *, char *const[], char *const[]);

	session_exec();
	*(void **)&next = real(REAL_EXECVPE);
	return failed(next ? next(file, arguments, environment) : missing());
}

DOOR int fexecve(int fd, char *const arguments[], char *const environment[])
{
	int (*next)(int, char *const[], char *const[]);

	session_exec();
	*(void **)&next = real(REAL_FEXECVE);
	return failed(next ? next(fd, arguments, environment) : missing());
}

/* The arguments of an execl, `first` and what follows in the list, up to and with the NULL. */
static size_t count_arguments(va_list list)
{
	size_t count = 1;

	while (va_arg(list, char *))
		count++;
	return count + 1;
}

#define COLLECT(arguments, first)                                                                  \
	do {                                                                                       \
		va_list each;                                                                      \
		size_t count;                                                                      \
		va_start(each, first);                                                             \
		count = count_arguments(each);                                                     \
		va_end(each);                                                                      \
		arguments = __builtin_alloca(count * sizeof(*arguments));                          \
		arguments[0] = first;                                                              \
		va_start(each, first);                                                             \
		for (size_t i = 1; i < count; i++)                                                 \
			arguments[i] = va_arg(each, const char *);                                 \
		va_end(each);                                                                      \
	} while (0)

DOOR int execl(const char *path, const char *first, ...)
{
	const char **arguments;

	COLLECT(arguments, first);
	return execv(path, (char *const *)(void *)arguments);
}

DOOR int execlp(const char *file, const char *first, ...)
{
	const char **arguments;

	COLLECT(arguments, first);
	return execvp(file, (char *const *)(void *)arguments);
}

DOOR int execle(const char *path, const char *first, ...)
{
	const char **arguments;
	char *const *environment;
	va_list list;

	COLLECT(arguments, first);
	va_start(list, first);
	while (va_arg(list, char *))
		;
	environment = va_arg(list, char *const *);
	va_end(list);
	return execve(path, (char *const *)(void *)arguments, environment);
}
