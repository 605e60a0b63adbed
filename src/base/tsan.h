/* SPDX-License-Identifier: MIT */
#ifndef BASE_TSAN_H
#define BASE_TSAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A program built with the thread sanitizer does not see what this library's threads hand to each
 * other by atomics, since the library is not instrumented: the sanitizer would report races of the
 * driver's, and change the exit code. So its runtime is told. All that a thread did before its
 * release is seen by a thread that acquires the same address later. Both are NULL in a program
 * without that runtime, and before tsan_look(). They are looked up, not linked: a symbol that is
 * nowhere costs the start of each program. Source: compiler-rt, sanitizer/tsan_interface.h.
 */
extern void (*tsan_release_function)(void *address);
extern void (*tsan_acquire_function)(void *address);

/*
 * The runtime sees the library's memcpy, read and the like, since it takes their names. Between
 * these two it takes no notice of what the calling thread reads and writes: the library's own
 * threads all the time, the program's while they have the drain lock. Both may be called without
 * that runtime. begin tells whether end has to follow: before tsan_look() it does nothing.
 */
bool tsan_ignore_begin(void);
void tsan_ignore_end(void);

/* As open(path, flags, 0666) and close. The runtime keeps what it knows of a descriptor by its
 * number. In a table of its own a thread has numbers that are other files in the program. */
int tsan_open(const char *path, int flags);
void tsan_close(int fd);

/* Before the first thread of the library begins. */
void tsan_look(void);

static inline bool tsan_is_here(void)
{
	return __builtin_expect(tsan_release_function != NULL, false);
}

static inline void tsan_release(void *address)
{
	if (tsan_is_here())
		tsan_release_function(address);
}

static inline void tsan_acquire(void *address)
{
	if (tsan_is_here())
		tsan_acquire_function(address);
}

#endif
