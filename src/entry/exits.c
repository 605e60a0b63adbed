/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "entry/exits.h"
#include "entry/exec_check.h"
#include "entry/search.h"
#include "session/session.h"

/*
 * Wrappers of the functions that end a process without its exit handlers. They write out all
 * records before they call the original function. They may be called in a forked child of a
 * threaded program, where no lock can be taken, not even the dynamic linker's, so they neither look
 * up symbols nor allocate.
 */

#define ENTRY_POINT __attribute__((visibility("default")))
#define PATIENCE    UINT64_C(10000000000) /* ns for which other threads that exit wait */

/* The wrapped functions: those of another preloaded library or of the C library. They are looked up
 * early, since the dynamic linker's lock cannot be taken later. */
static struct {
	void (*leave)(int);
	void (*exit)(int);
	execute_function execute;
} under;

__attribute__((constructor)) static void find_next(void)
{
	*(void **)&under.leave = dlsym(RTLD_NEXT, "_exit");
	*(void **)&under.exit = dlsym(RTLD_NEXT, "exit");
	*(void **)&under.execute = dlsym(RTLD_NEXT, "execve");
}

static int call_kernel(const char *path, char *const arguments[], char *const environment[])
{
	return (int)syscall(SYS_execve, path, arguments, environment);
}

ENTRY_POINT void _exit(int status)
{
	session_leave();
	if (under.leave)
		under.leave(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

ENTRY_POINT void _Exit(int status)
{
	_exit(status);
}

/* quick_exit calls the functions in reverse order, so the first one registered is the last one
 * called. */
static bool watched;

static void leave_last(void *nothing)
{
	(void)nothing;
	session_leave();
}

/*
 * exit() calls registered functions in reverse order. The dynamic linker registers the function
 * that calls all destructors before the program starts, but after the constructors of the libraries
 * loaded with it. So a function that such a constructor registers is called after all destructors.
 * In a library that is loaded later it would be called too early, before its destructor; it does
 * nothing there.
 */
static enum { LAST_NEVER, LAST_TO_COME, LAST_EXPECTED } last;

static void end_last(void *nothing)
{
	(void)nothing;
	if (last == LAST_EXPECTED)
		session_end_last();
	last = LAST_NEVER;
}

/* The process and the thread that exits first. */
static _Atomic uint64_t first_exit;

/* Returns true if this thread is the first one of the process that exits. */
static bool exits_first(void)
{
	uint64_t self = (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);
	uint64_t first = atomic_load(&first_exit);

	while (first >> 32 != self >> 32) /* a forked child inherits it */
		if (atomic_compare_exchange_strong(&first_exit, &first, self))
			return true;
	return first == self;
}

/*
 * exit() of glibc before 2.41 crashes if two threads are in it at the same time. Without the
 * profiler they rarely are; with it, both have waited for the same commands. So the other threads
 * wait for the end of the process, for a limited time: an exit handler may wait for them.
 */
static void exit_in_turn(void)
{
	uint64_t begun = clock_monotonic();

	if (!session_is_there() || exits_first())
		return;
	while (clock_monotonic() - begun < PATIENCE)
		clock_pause();
}

/*
 * Commands are waited for before any exit handler is called: PoCL compiles a kernel when it is
 * launched, in a thread of its own, and crashes if the handlers that LLVM registers then have been
 * called. Destructors of the calling thread's variables come first in exit(), also if main returns.
 * Only the main thread has one, since they are also called at the end of a thread.
 */
static void before_handlers(void *nothing)
{
	(void)nothing;
	exit_in_turn();
	session_before_exit();
}

/* The same for other threads, except in calls by the C library itself. */
ENTRY_POINT void exit(int status)
{
	exit_in_turn();
	session_before_exit();
	if (under.exit)
		under.exit(status);
	_exit(status);
}

bool exits_end_later(void)
{
	if (last == LAST_NEVER)
		return false;
	last = LAST_EXPECTED;
	return true;
}

/* The object that a function is in; NULL if that is not known. */
static const struct link_map *object_of(const void *function)
{
	int (*find)(const void *, Dl_info *, void **, int);
	const struct link_map *map = NULL;
	Dl_info info;

	*(void **)&find = dlsym(RTLD_DEFAULT, "dladdr1");
	if (!find || !find(function, &info, (void **)(void *)&map, RTLD_DL_LINKMAP))
		return NULL;
	return map;
}

static bool precedes(const struct link_map *one, const struct link_map *other)
{
	while (one && one != other)
		one = one->l_next;
	return one && one->l_prev; /* the program itself has no destructor that is called early */
}

/* A sanitizer's functions work after its destructor. */
static bool is_sanitizer(const void *base)
{
	Dl_info found;

	return dladdr(dlsym(RTLD_DEFAULT, "__sanitizer_print_stack_trace"), &found) &&
	       found.dli_fbase == base;
}

static enum interposers {
	INTERPOSERS_NONE,
	INTERPOSERS_LATER,
	INTERPOSERS_EARLIER,
} interposers;

/*
 * Returns whether another library (faketime, a sanitizer) interposes functions that session_end
 * uses: after its destructor these functions may not work. The dynamic linker calls destructors in
 * the order of the objects, so that of an EARLIER one is called before this library's. Allocators
 * are not looked for: they work until the process ends.
 */
static enum interposers find_interposers(void)
{
	static const char names[][16] = {"clock_gettime", "unlink", "mmap",   "open",
					 "close",	  "write",  "pwrite", "fstat"};
	enum interposers result = INTERPOSERS_NONE;
	Dl_info libc, found;

	if (!dladdr(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &libc))
		return INTERPOSERS_LATER;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const void *function = dlsym(RTLD_DEFAULT, names[i]);

		if (!function || (dladdr(function, &found) && found.dli_fbase == libc.dli_fbase))
			continue;
		if (precedes(object_of(function), object_of(&watched)) &&
		    !is_sanitizer(found.dli_fbase))
			return INTERPOSERS_EARLIER;
		result = INTERPOSERS_LATER;
	}
	return result;
}

/* Returns false in a namespace that the program has made with dlmopen: exit() does not call the
 * functions that are registered with the C library of that namespace. */
static bool is_in_first_namespace(void)
{
	const struct link_map *map = object_of(&watched);

	if (!map)
		return true;
	while (map->l_prev)
		map = map->l_prev;
	return !*map->l_name; /* the program */
}

/* The functions are not linked: each symbol slows the start of unprofiled programs, too. Without
 * them, quick_exit itself and the library's destructor are the last points where records can be
 * written. */
void exits_watch(void)
{
	int (*at_quick_exit)(void (*)(void *), void *);
	int (*at_exit)(void (*)(void *), void *, void *);
	int (*at_thread_exit)(void (*)(void *), void *, void *);

	*(void **)&at_quick_exit = dlsym(RTLD_DEFAULT, "__cxa_at_quick_exit");
	watched = at_quick_exit && !at_quick_exit(leave_last, NULL);
	*(void **)&at_exit = dlsym(RTLD_DEFAULT, "__cxa_atexit");
	*(void **)&at_thread_exit = dlsym(RTLD_DEFAULT, "__cxa_thread_atexit_impl");
	if (at_thread_exit && syscall(SYS_gettid) == getpid() && is_in_first_namespace())
		at_thread_exit(before_handlers, NULL, &watched);
	interposers = find_interposers();
	if (at_exit && interposers == INTERPOSERS_NONE && is_in_first_namespace() &&
	    !at_exit(end_last, NULL, NULL))
		last = LAST_TO_COME;
}

bool exits_end_early(void)
{
	return interposers == INTERPOSERS_EARLIER;
}

ENTRY_POINT void quick_exit(int status)
{
	void (*next)(int);

	if (!watched)
		session_leave();
	*(void **)&next = dlsym(RTLD_NEXT, "quick_exit");
	if (next)
		next(status);
	_exit(status);
}

/* An exec that returns has failed: the program and its log continue. */
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

	if (!session_is_there() || exec_check_fails(AT_FDCWD, path, 0))
		return next(path, arguments, environment);
	session_exec();
	return failed(next(path, arguments, environment));
}

ENTRY_POINT int execve(const char *path, char *const arguments[], char *const environment[])
{
	return execute(path, arguments, environment);
}

ENTRY_POINT int execv(const char *path, char *const arguments[])
{
	return execve(path, arguments, environ);
}

ENTRY_POINT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	return search_execute(file, arguments, environment, execute);
}

ENTRY_POINT int execvp(const char *file, char *const arguments[])
{
	return execvpe(file, arguments, environ);
}

static int execute_open(int fd, char *const arguments[], char *const environment[])
{
	return (int)syscall(SYS_execveat, fd, "", arguments, environment, AT_EMPTY_PATH);
}

ENTRY_POINT int fexecve(int fd, char *const arguments[], char *const environment[])
{
	if (!session_is_there() || exec_check_fails(fd, "", AT_EMPTY_PATH))
		return execute_open(fd, arguments, environment);
	session_exec();
	return failed(execute_open(fd, arguments, environment));
}

/* Counts the arguments of an execl: `first` and the rest of the list, including the NULL. */
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

ENTRY_POINT int execl(const char *path, const char *first, ...)
{
	const char **arguments;

	COLLECT(arguments, first);
	return execv(path, (char *const *)(void *)arguments);
}

ENTRY_POINT int execlp(const char *file, const char *first, ...)
{
	const char **arguments;

	COLLECT(arguments, first);
	return execvp(file, (char *const *)(void *)arguments);
}

ENTRY_POINT int execle(const char *path, const char *first, ...)
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
