/* SPDX-License-Identifier: MIT */
#include "failing.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ENTRY_POINT __attribute__((visibility("default")))

static struct failing *failing;
static uintptr_t first, last; /* the profiler's library */

static int find_library(struct dl_phdr_info *object, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (!strstr(object->dlpi_name, "libcomputeprof.so"))
		return 0;
	first = last = object->dlpi_addr;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;

		if (part->p_type == PT_LOAD && end > last)
			last = end;
	}
	return 1;
}

/* The profiler's constructor may run before this one, but it makes no system call before it has
 * called these functions. */
__attribute__((constructor)) static void open_report(void)
{
	const char *path = getenv("FAILING");
	long fd = path && !failing ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
	void *report;

	if (fd < 0)
		return;
	report = (void *)syscall(SYS_mmap, NULL, sizeof(*failing), PROT_READ | PROT_WRITE,
				 MAP_SHARED, fd, 0L);
	syscall(SYS_close, fd);
	dl_iterate_phdr(find_library, NULL);
	failing = report == MAP_FAILED ? NULL : report;
}

/* The number of this call, 0 if it is not the profiler's. */
static uint32_t count(enum call_kind kind, const char *name, const void *site)
{
	uintptr_t at = (uintptr_t)site;
	uint32_t number;

	open_report();
	if (!failing || !(failing->kinds & (uint32_t)kind) || at < first || at >= last)
		return 0;
	number = ++failing->count;
	if (number <= CALLS) {
		failing->calls[number - 1].site = at - first;
		strncpy(failing->calls[number - 1].name, name, sizeof(failing->calls->name) - 1);
	}
	return number;
}

/* Returns the error of this call, 0 if it does not fail. */
static int error_of(enum call_kind kind, const char *name, const void *site)
{
	uint32_t number = count(kind, name, site);

	if (!number || !failing->number || number < failing->number)
		return 0;
	if (number > failing->number && !failing->ever)
		return 0;
	if (failing->error == SHORT_WRITE && strcmp(name, "write") != 0)
		return 0;
	failing->failed++;
	return failing->error;
}

static void *next_of(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		abort();
	return function;
}

#define NEXT(name) \
	static __typeof__(&name) next; \
	if (!next) \
		next = (__typeof__(&name))next_of(#name)

#define FAILS(kind, name) (error = error_of(kind, #name, __builtin_return_address(0)))

#define CALL(kind, result, name, parameters, arguments, value) \
	ENTRY_POINT result name parameters \
	{ \
		int error; \
		NEXT(name); \
		if (!FAILS(kind, name)) \
			return next arguments; \
		errno = error; \
		return value; \
	}
#include "failing.def"
#undef CALL

/* A descriptor that cannot be closed is closed. */
ENTRY_POINT int close(int fd)
{
	int error, result;
	NEXT(close);

	FAILS(CALL_SYSTEM, close);
	result = next(fd);
	errno = error ? error : errno;
	return error ? -1 : result;
}

ENTRY_POINT int fclose(FILE *stream)
{
	int error, result;
	NEXT(fclose);

	FAILS(CALL_SYSTEM, fclose);
	result = next(stream);
	errno = error ? error : errno;
	return error ? EOF : result;
}

ENTRY_POINT ssize_t write(int fd, const void *bytes, size_t size)
{
	int error;
	NEXT(write);

	/* Messages must be written even if all other calls fail. */
	if (!FAILS(CALL_SYSTEM, write) || (failing->ever && fd == STDERR_FILENO))
		return next(fd, bytes, size);
	if (error == SHORT_WRITE)
		return next(fd, bytes, size > 1 ? size / 2 : size);
	errno = error;
	return -1;
}

/* Functions whose last arguments may be missing. */
ENTRY_POINT int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;
	int error;
	NEXT(open);

	va_start(arguments, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	if (!FAILS(CALL_SYSTEM, open))
		return next(path, flags, mode);
	errno = error;
	return -1;
}

ENTRY_POINT int openat(int folder, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;
	int error;
	NEXT(openat);

	va_start(arguments, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	if (!FAILS(CALL_SYSTEM, openat))
		return next(folder, path, flags, mode);
	errno = error;
	return -1;
}

/* The profiler passes no further arguments. */
ENTRY_POINT int clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
	int error;
	NEXT(clone);

	if (!FAILS(CALL_SYSTEM, clone))
		return next(run, stack, flags, argument);
	errno = error;
	return -1;
}

ENTRY_POINT int fcntl(int fd, int what, ...)
{
	va_list arguments;
	void *argument;
	int error;
	NEXT(fcntl);

	va_start(arguments, what);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!FAILS(CALL_SYSTEM, fcntl))
		return next(fd, what, argument);
	errno = error;
	return -1;
}

ENTRY_POINT int prctl(int what, ...)
{
	unsigned long more[4];
	va_list arguments;
	int error;
	static int (*next)(int, ...);

	if (!next)
		next = (int (*)(int, ...))next_of("prctl");
	va_start(arguments, what);
	for (int i = 0; i < 4; i++)
		more[i] = va_arg(arguments, unsigned long);
	va_end(arguments);
	if (!FAILS(CALL_SYSTEM, prctl))
		return next(what, more[0], more[1], more[2], more[3]);
	errno = error;
	return -1;
}

ENTRY_POINT long syscall(long number, ...)
{
	long more[6];
	va_list arguments;
	int error;
	static long (*next)(long, ...);

	if (!next)
		next = (long (*)(long, ...))next_of("syscall");
	va_start(arguments, number);
	for (int i = 0; i < 6; i++)
		more[i] = va_arg(arguments, long);
	va_end(arguments);
	/* open_report calls it, too. Futexes do not fail: without them no thread of any program
	 * works. */
	error = failing && number != SYS_futex
			? error_of(CALL_SYSTEM, "syscall", __builtin_return_address(0))
			: 0;
	if (!error)
		return next(number, more[0], more[1], more[2], more[3], more[4], more[5]);
	errno = error;
	return -1;
}

ENTRY_POINT void *mremap(void *at, size_t size, size_t wanted, int flags, ...)
{
	int error;
	static void *(*next)(void *, size_t, size_t, int, ...);

	if (!next)
		next = (void *(*)(void *, size_t, size_t, int, ...))next_of("mremap");
	if (!FAILS(CALL_BOTH, mremap))
		return next(at, size, wanted, flags);
	errno = error;
	return MAP_FAILED;
}

/* dlsym allocates memory itself. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *at, size_t size);

ENTRY_POINT void *malloc(size_t size)
{
	int error;

	if (failing && FAILS(CALL_MEMORY, malloc)) {
		errno = error;
		return NULL;
	}
	return __libc_malloc(size);
}

ENTRY_POINT void *calloc(size_t count, size_t size)
{
	int error;

	if (failing && FAILS(CALL_MEMORY, calloc)) {
		errno = error;
		return NULL;
	}
	return __libc_calloc(count, size);
}

ENTRY_POINT void *realloc(void *at, size_t size)
{
	int error;

	if (failing && FAILS(CALL_MEMORY, realloc)) {
		errno = error;
		return NULL;
	}
	return __libc_realloc(at, size);
}
