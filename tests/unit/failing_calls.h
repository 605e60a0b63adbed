/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAILING_CALLS_H
#define TESTS_FAILING_CALLS_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Calls of the C library that fail on request. The program is linked so that it calls these
 * functions instead: see refusals in tests/tests.am. */
enum refused_call {
	CALL_malloc,
	CALL_realloc,
	CALL_strdup,
	CALL_mmap,
	CALL_read,
	CALL_fstat,
	CALL_gethostname,
	CALLS
};

static int refuse[CALLS]; /* number of the next call that fails, counted from now; 0: none */
static bool refuse_all[CALLS];

static bool is_refused(enum refused_call call)
{
	return refuse_all[call] || (refuse[call] && !--refuse[call]);
}

#define REFUSABLE(type, name, parameters, arguments, failure, error)                               \
	type __real_##name parameters;                                                             \
	type __wrap_##name parameters;                                                             \
	type __wrap_##name parameters                                                              \
	{                                                                                          \
		if (!is_refused(CALL_##name))                                                      \
			return __real_##name arguments;                                            \
		errno = error;                                                                     \
		return failure;                                                                    \
	}

static int read_error = EIO;

REFUSABLE(void *, malloc, (size_t size), (size), NULL, ENOMEM)
REFUSABLE(void *, realloc, (void *memory, size_t size), (memory, size), NULL, ENOMEM)
REFUSABLE(char *, strdup, (const char *text), (text), NULL, ENOMEM)
REFUSABLE(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
	  (at, size, protection, flags, fd, offset), MAP_FAILED, ENOMEM)
REFUSABLE(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), -1, read_error)
REFUSABLE(int, gethostname, (char *name, size_t size), (name, size), -1, EPERM)

int __real_fstat(int fd, struct stat *status);
int __wrap_fstat(int fd, struct stat *status);

static bool hide_size; /* fstat reports empty files */

int __wrap_fstat(int fd, struct stat *status)
{
	int result = is_refused(CALL_fstat) ? -1 : __real_fstat(fd, status);

	if (result)
		errno = EIO;
	else if (hide_size)
		status->st_size = 0;
	return result;
}

/* Call before and after each test. */
static inline int refuse_nothing(void **state)
{
	(void)state;
	memset(refuse, 0, sizeof(refuse));
	memset(refuse_all, 0, sizeof(refuse_all));
	read_error = EIO;
	hide_size = false;
	return 0;
}

#endif
