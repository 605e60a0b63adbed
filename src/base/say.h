/* SPDX-License-Identifier: MIT */
#ifndef BASE_SAY_H
#define BASE_SAY_H

#include <stdbool.h>

/*
 * One sentence to the user, on stderr: "computeprof: ..." and a newline, in one write. Control
 * bytes are made visible, over-long text is cut with "...". errno is kept. Uses no malloc and no
 * stdio.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As say, unless it has said just that in this process before: for what several may find. */
void say_new(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For the library in a program, to be called early: from here on nothing is written where stderr
 * was closed at this moment, is another file by then (it is the program's, a database perhaps), or
 * is full for more than 100 ms. The first of these sentences are kept for say_next_unsaid. */
void say_look_for_reader(void);

/* Hands each kept line out, with its newline, in no order; NULL when there are no more. Static
 * memory, which stays as it is until say_settle_unsaid: those that were handed out are written, and
 * others can be kept in their place; or they are not, and are handed out again. */
const char *say_next_unsaid(void);
void say_settle_unsaid(bool written);

/* In a forked child: what was kept is the parent's to tell. */
void say_forked(void);

/* Whether say and say_new are to say nothing from now on: for the tool, which reads settings that
 * the program will read, too. */
void say_mute(bool mute);

/* The one sentence for it, at most once per process. */
void say_no_memory(void);

/* As say, at most once per process for each `flag` (a static int, 0 at first). */
#define say_once(flag, ...)                                                                        \
	do {                                                                                       \
		if (!__atomic_exchange_n((flag), 1, __ATOMIC_RELAXED))                             \
			say(__VA_ARGS__);                                                          \
	} while (0)

#endif
