/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "entry/exits.h"
#include "entry/foresee.h"
#include "entry/search.h"
#include "session/session.h"

/*
 * The doors out of a process that pass by its exit handlers: they write out what is there before
 * they do what they always did. They may be called in a forked child of a threaded program, where
 * no lock can be taken, not even the dynamic linker's: so they look nothing up and allocate
 * nothing.
 */

#define DOOR __attribute__((visibility("default")))

/* The ways out underneath: another preloaded library's, or the C library's. Looked up early, since
 * the dynamic linker's lock cannot be taken later. */
static struct {
	void (*leave)(int);
	execute_function execute;
} under;

__attribute__((constructor)) static void find_next(void)
{
	*(void **)&under.leave = dlsym(RTLD_NEXT, "_exit");
	*(void **)&under.execute = dlsym(RTLD_NEXT, "execve");
}

static int call_kernel(const char *path, char *const arguments[], char *const environment[])
{
	return (int)syscall(SYS_execve, path, arguments, environment);
}

DOOR void _exit(int status)
{
	session_leave();
	if (under.leave)
		under.leave(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

DOOR void _Exit(int status)
{
	_exit(status);
}

/* Of those that quick_exit calls, the first that is registered is the last. */
static bool watched;

static void leave_last(void *nothing)
{
	(void)nothing;
	session_leave();
}

/*
 * exit() calls in reverse order what was registered. The dynamic linker's function that calls all
 * destructors is registered before the program begins, but after the constructors of the libraries
 * that are loaded with it: what such a constructor registers is called after all destructors. In a
 * library that is loaded later the same is called too early, before its destructor: it does nothing
 * there.
 */
static enum { LAST_NEVER, LAST_TO_COME, LAST_EXPECTED } last;

static void end_last(void *nothing)
{
	(void)nothing;
	if (last == LAST_EXPECTED)
		session_end();
	last = LAST_NEVER;
}

bool exits_end_later(void)
{
	if (last == LAST_NEVER)
		return false;
	last = LAST_EXPECTED;
	return true;
}

/* Whether another library stands before the C library in what the end takes (faketime, a
 * sanitizer): after its destructor its functions may have lost what they need. */
static bool has_stand_ins(void)
{
	static const char *const names[] = {"clock_gettime", "unlink", "mmap"};
	Dl_info libc, found;

	if (!dladdr(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &libc))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!dladdr(dlsym(RTLD_DEFAULT, names[i]), &found) ||
		    found.dli_fbase != libc.dli_fbase)
			return true;
	return false;
}

/* Not linked: each symbol costs the start of programs that are not profiled, too. Where there is no
 * such function, quick_exit itself and the own destructor are the last moments that are known. */
void exits_watch(void)
{
	int (*at_quick_exit)(void (*)(void *), void *);
	int (*at_exit)(void (*)(void *), void *, void *);

	*(void **)&at_quick_exit = dlsym(RTLD_DEFAULT, "__cxa_at_quick_exit");
	watched = at_quick_exit && !at_quick_exit(leave_last, NULL);
	*(void **)&at_exit = dlsym(RTLD_DEFAULT, "__cxa_atexit");
	if (at_exit && !has_stand_ins() && !at_exit(end_last, NULL, NULL))
		last = LAST_TO_COME;
}

DOOR void quick_exit(int status)
{
	void (*next)(int);

	if (!watched)
		session_leave();
	*(void **)&next = dlsym(RTLD_NEXT, "quick_exit");
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

static int execute(const char *path, char *const arguments[], char *const environment[])
{
	execute_function next = under.execute ? under.execute : call_kernel;

	if (!session_is_there() || foresee_failure(AT_FDCWD, path, 0))
		return next(path, arguments, environment);
	session_exec();
	return failed(next(path, arguments, environment));
}

DOOR int execve(const char *path, char *const arguments[], char *const environment[])
{
	return execute(path, arguments, environment);
}

DOOR int execv(const char *path, char *const arguments[])
{
	return execve(path, arguments, environ);
}

DOOR int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	return search_execute(file, arguments, environment, execute);
}

DOOR int execvp(const char *file, char *const arguments[])
{
	return execvpe(file, arguments, environ);
}

static int execute_open(int fd, char *const arguments[], char *const environment[])
{
	return (int)syscall(SYS_execveat, fd, "", arguments, environment, AT_EMPTY_PATH);
}

DOOR int fexecve(int fd, char *const arguments[], char *const environment[])
{
	if (!session_is_there() || foresee_failure(fd, "", AT_EMPTY_PATH))
		return execute_open(fd, arguments, environment);
	session_exec();
	return failed(execute_open(fd, arguments, environment));
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
