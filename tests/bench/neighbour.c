/* SPDX-License-Identifier: MIT */
/* Another preloaded library that wraps exec and exit functions, too. */
#include <dlfcn.h>
#include <unistd.h>

#define ENTRY_POINT __attribute__((visibility("default")))

ENTRY_POINT int execve(const char *path, char *const arguments[], char *const environment[])
{
	int (*next)(const char *, char *const *, char *const *);

	*(void **)&next = dlsym(RTLD_NEXT, "execve");
	if (write(STDERR_FILENO, "execve\n", 7) < 0)
		return -1;
	return next(path, arguments, environment);
}

ENTRY_POINT void _exit(int status)
{
	void (*next)(int);

	*(void **)&next = dlsym(RTLD_NEXT, "_exit");
	if (write(STDERR_FILENO, "_exit\n", 6) < 0)
		status = 99;
	next(status);
	__builtin_unreachable();
}
