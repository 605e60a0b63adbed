/* SPDX-License-Identifier: MIT */
#ifndef BASE_TSAN_H
#define BASE_TSAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Annotations for a program built with the thread sanitizer. The library is not instrumented, so
 * the sanitizer does not see the atomics that synchronize its threads: it would report races in the
 * driver and change the exit code. A thread that acquires an address sees everything that other
 * threads did before they released the address. Both pointers are NULL without that runtime, and
 * before tsan_look(). They are looked up, not linked: an undefined symbol slows the start of each
 * program. Source: compiler-rt, sanitizer/tsan_interface.h.
 */
extern void (*tsan_release_function)(void *address);
extern void (*tsan_acquire_function)(void *address);

/*
 * The runtime intercepts the library's calls of memcpy, read and others. Between these two calls it
 * ignores the accesses of the calling thread: of the library's own threads at all times, of the
 * program's threads while they hold the drain lock. Both may be called without that runtime. begin
 * returns true if end must follow; before tsan_look() it does nothing.
 */
bool tsan_ignore_begin(void);
void tsan_ignore_end(void);

/* As open(path, flags, 0666) and close. The runtime keeps state per descriptor number, but in a
 * descriptor table of its own a thread's numbers denote other files than the program's. */
int tsan_open(const char *path, int flags);
void tsan_close(int fd);

/* Call before the first thread of the library starts. */
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
