/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program: compares the walker's stacks with those of backtrace() while the
 * program runs, every WALKS_EVERY microseconds (1000). At its end
 * writes a line to the file $WALKS_TO: the stacks that were compared; those that differ; those of
 * them that are longer only where backtrace() ends for the lack of a table, or shorter inside
 * setcontext; the frames that are equal; the times that backtrace() crashed. The first stacks that
 * differ otherwise are in $WALKS_TO.differ.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif

#include <features.h>
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && (defined(__x86_64__) || defined(__aarch64__))
#define CAN_COMPARE
#endif

#ifdef CAN_COMPARE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/unwind.h"

enum {
	MOST = UNWIND_MOST,
	THEIRS = MOST + 40,
	KEPT = 8,
	EVERY = 1000,
	ROOM = 256 << 10, /* bytes of a stack */
};

/* As struct dwarf_eh_bases of libgcc. */
struct bases {
	void *text, *data, *function;
};
const void *_Unwind_Find_FDE(void *pc, struct bases *bases);

struct stacks {
	uintptr_t own[MOST];
	void *theirs[THEIRS];
	size_t own_count;
	int first, their_count;
};

static struct stacks kept[KEPT];
static unsigned long compared, differing, explained, frames, crashes;
static sigjmp_buf before_backtrace;
static volatile bool in_backtrace;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *path;
static pid_t owner;

/* Returns the number of frames that are equal. Theirs begin after that of the signal's handler,
 * which returns to the address `leaves`. */
static size_t count_same(struct stacks *stacks, uintptr_t leaves)
{
	size_t same = 0;

	while (stacks->first < stacks->their_count &&
	       (uintptr_t)stacks->theirs[stacks->first] != leaves)
		stacks->first++;
	stacks->first++;
	while (same < stacks->own_count && stacks->first + (int)same < stacks->their_count &&
	       (uintptr_t)stacks->theirs[stacks->first + (int)same] == stacks->own[same])
		same++;
	return same;
}

/* backtrace() ends at code without a table, and the walker goes on by the frame pointer. */
static bool ends_without_table(const struct stacks *stacks, size_t same)
{
	struct bases bases;
	void *pc;

	if (!same || stacks->first + (int)same != stacks->their_count)
		return false;
	pc = (void *)(stacks->own[same - 1] - (same > 1));
	return !_Unwind_Find_FDE(pc, &bases);
}

/* Inside setcontext, the stack pointer is that of another stack than the return address. */
static bool is_in_setcontext(const struct stacks *stacks, size_t same)
{
	Dl_info info;

	return same && same == stacks->own_count && dladdr((void *)stacks->own[same - 1], &info) &&
	       info.dli_sname && !strcmp(info.dli_sname, "setcontext");
}

/* backtrace() reads memory at addresses that are no code, as while a coroutine is entered. */
static void on_fault(int number)
{
	if (in_backtrace)
		siglongjmp(before_backtrace, 1);
	signal(number, SIG_DFL);
}

static int count_theirs(void **theirs)
{
	volatile int count = -1;

	if (!sigsetjmp(before_backtrace, 1)) {
		in_backtrace = true;
		count = backtrace(theirs, THEIRS);
	}
	in_backtrace = false;
	return count;
}

static void compare(const void *context, uintptr_t leaves)
{
	static struct stacks stacks;
	size_t same;

	stacks.own_count = unwind_context(context, stacks.own, MOST, NULL);
	stacks.their_count = count_theirs(stacks.theirs);
	if (stacks.their_count < 0) {
		crashes++;
		return;
	}
	stacks.first = 0;
	same = count_same(&stacks, leaves);
	compared++;
	frames += same;
	if (same == MOST ||
	    (same == stacks.own_count && stacks.first + (int)same == stacks.their_count))
		return;
	differing++;
	if (ends_without_table(&stacks, same) || is_in_setcontext(&stacks, same))
		explained++;
	else if (differing - explained <= KEPT)
		kept[differing - explained - 1] = stacks;
}

/* In one thread at a time, so that the stacks need no room in that of a thread. */
static void on_timer(int number, siginfo_t *information, void *context)
{
	int before = errno;

	(void)number;
	(void)information;
	if (!pthread_mutex_trylock(&lock)) {
		compare(context, (uintptr_t)__builtin_return_address(0));
		pthread_mutex_unlock(&lock);
	}
	errno = before;
}

static void show_frame(FILE *to, const char *whose, uintptr_t pc)
{
	Dl_info object = {0};

	dladdr((void *)(pc - 1), &object);
	fprintf(to, "%s %#lx %s+%#lx %s\n", whose, (unsigned long)pc,
		object.dli_fname ? object.dli_fname : "?",
		(unsigned long)(pc - (uintptr_t)object.dli_fbase),
		object.dli_sname ? object.dli_sname : "");
}

static void show(FILE *to, const struct stacks *stacks)
{
	fprintf(to, "differ\n");
	for (size_t i = 0; i < stacks->own_count; i++)
		show_frame(to, "own   ", stacks->own[i]);
	for (int i = stacks->first; i < stacks->their_count; i++)
		show_frame(to, "theirs", (uintptr_t)stacks->theirs[i]);
}

static void __attribute__((destructor)) report(void)
{
	char other[4096], line[200];
	FILE *to;
	int fd, length;

	if (!path || getpid() != owner)
		return;
	pthread_mutex_lock(&lock); /* for ever */
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	length = snprintf(line, sizeof(line),
			  "compared %lu differing %lu explained %lu frames %lu crashes %lu\n",
			  compared, differing, explained, frames, crashes);
	if (fd < 0 || write(fd, line, (size_t)length) != length)
		_exit(99);
	close(fd);
	if (differing == explained)
		return;
	snprintf(other, sizeof(other), "%s.differ", path);
	to = fopen(other, "a");
	for (unsigned long i = 0; to && i < differing - explained && i < KEPT; i++)
		show(to, &kept[i]);
	if (to)
		fclose(to);
}

/* The main thread may run on small stacks, such as those of coroutines. */
static void make_stack(void)
{
	static char room[ROOM];
	const stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)};

	sigaltstack(&stack, NULL);
}

static void __attribute__((constructor)) start(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
	const char *every = getenv("WALKS_EVERY");
	long nanoseconds = 1000 * (every ? atol(every) : EVERY);
	struct itimerspec often = {{0, nanoseconds}, {0, nanoseconds}};
	struct sigaction action;
	void *first[2];
	timer_t timer;

	path = getenv("WALKS_TO");
	if (!path)
		return;
	owner = getpid();
	backtrace(first, 2); /* loads libgcc_s */
	unwind_start();
	make_stack();
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_timer;
	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigaction(SIGPROF, &action, NULL);
	action.sa_handler = on_fault;
	action.sa_flags = SA_ONSTACK | SA_NODEFER;
	sigaction(SIGSEGV, &action, NULL);
	if (!timer_create(CLOCK_MONOTONIC, &event, &timer))
		timer_settime(timer, 0, &often, NULL);
}
#endif
