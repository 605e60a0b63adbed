/* SPDX-License-Identifier: MIT */
#ifndef BASE_SAY_H
#define BASE_SAY_H

#include <stdbool.h>

/* Every message begins with it. */
#define SAY_PREFIX "computeprof: "

/*
 * Prints one message on stderr: "computeprof: ..." and a newline, in one write. Control bytes are
 * made visible; long text is cut with "...". errno is kept. Uses neither malloc nor stdio.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum { SAY_WHERE = 40 };

/* As say of this text. Sets `where` to stderr as "DEVICE:INODE" in hexadecimal, or to "-" if it did
 * not take the whole message. */
void say_text(const char *text, char where[SAY_WHERE]);

/* Sets `where` to stderr of this process, as say_text. */
void say_where(char where[SAY_WHERE]);

/* As say, but each distinct message is printed once per process, since several places may find
 * it. */
void say_new(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For the library in a program; call early. From here on nothing is written if stderr is closed at
 * this moment, has become another file (such as a database of the program), or is full for more
 * than 100 ms. The first such messages are kept for say_next_kept, as are those that cannot be
 * written completely. */
void say_look_for_reader(void);

/* In the library: `pid` is the number of the process that the tool has started, or NULL. From here
 * on messages of other processes, such as forked children, begin with "process PID: ". */
void say_set_program(const char *pid);

/* `rank` is the number of this process in its job, or NULL; at most 9 digits. From here on messages
 * begin with "rank N: ", or "rank N, process PID: ". */
void say_set_rank(const char *rank);

/* Returns each kept line with its newline, in no order; NULL when there are no more. The static
 * memory is valid until say_end_kept, which either frees these lines (`written`) or keeps them
 * to be returned again. */
const char *say_next_kept(void);
void say_end_kept(bool written);

/* Call in a forked child: the parent prints the kept messages. */
void say_forked(void);

/* Mutes say, say_new and say_once. The tool uses it while it reads settings that the program reads
 * again. */
void say_mute(bool mute);

/* Prints the out-of-memory message, at most once per process. */
void say_no_memory(void);

/* As say, at most once per process for each `flag`, which is 0 at first. A message that is muted
 * leaves it as it is. */
void say_once(int *flag, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
