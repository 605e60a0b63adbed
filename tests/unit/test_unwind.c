/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* REG_RIP, MAP_ANONYMOUS */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "both_stacks.h"
#include "base/unwind.h"

enum { SMALL_STACK = 16 << 10, PAGE = 4096 };

static volatile int sink;
static struct both both;

static void check_same(struct both *stacks, size_t at_least)
{
	bool equal = same(stacks);

	if (!equal || stacks->own_count < at_least)
		show(stacks);
	assert_true(equal);
	assert_in_range(stacks->own_count, at_least, UNWIND_MOST);
}

ALONE static void walk_both(void)
{
	both.own_count = unwind_here(both.own, MOST);
	both.their_count = backtrace(both.theirs, MOST);
}

ALONE static int descend(int depth, void (*function)(void))
{
	volatile char room[64];

	room[depth % 64] = (char)depth;
	if (depth)
		sink += descend(depth - 1, function);
	else
		function();
	return room[depth % 64] + sink;
}

static void test_here(void **state)
{
	(void)state;
	errno = 77;
	descend(27, walk_both);
	assert_int_equal(errno, 77);
	check_same(&both, 28);
}

static uintptr_t by_pointer[MOST];
static size_t by_pointer_count;

ALONE static int walk_by_pointer(int depth)
{
	/* Makes the compiler set up a frame pointer. */
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	if (depth)
		return 1 + walk_by_pointer(depth - 1) + sink;
	by_pointer_count = unwind_here(by_pointer, MOST);
	walk_both();
	return sink;
}

/* Before unwind_start, as with a C library that cannot find objects. */
static void test_frame_pointers(void **state)
{
	(void)state;
	walk_by_pointer(20);
	unwind_start(); /* before a check fails: the other tests need it */
	assert_in_range(by_pointer_count, 20, UNWIND_MOST);
	for (int i = 0; i < 20; i++)
		assert_ptr_equal(by_pointer[i], both.theirs[i + 2]);
}

static void test_bounds(void **state)
{
	uintptr_t first, pcs[2] = {0, 7};

	(void)state;
	descend(600, walk_both);
	assert_int_equal(both.own_count, UNWIND_MOST);
	assert_int_equal(unwind_here(pcs, 1), 1);
	assert_int_equal(pcs[1], 7);
	first = pcs[0];
	assert_int_equal(unwind_here(pcs, 2), 2);
	assert_int_equal(pcs[0], first);
	assert_int_equal(unwind_here(pcs, 0), 0);
}

static void note_context(int number, siginfo_t *information, void *context)
{
	(void)number;
	(void)information;
	both.own_count = unwind_context(context, both.own, MOST, NULL);
	both.their_count = backtrace(both.theirs, MOST);
}

static void note_here(int number)
{
	(void)number;
	walk_both();
}

static void raise_signal(void)
{
	raise(SIGUSR1);
}

static void handle(void (*context)(int, siginfo_t *, void *), void (*plain)(int), int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_flags = flags | (context ? SA_SIGINFO : 0);
	if (context)
		action.sa_sigaction = context;
	else
		action.sa_handler = plain;
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
}

/* In a handler, from its context and through the kernel's frame, on both kinds of stack. */
static void test_signal(void **state)
{
	static char room[64 << 10];
	stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)}, before;

	(void)state;
	assert_int_equal(sigaltstack(&stack, &before), 0);
	for (int flags = 0; flags <= SA_ONSTACK; flags += SA_ONSTACK) {
		handle(note_context, NULL, flags);
		descend(10, raise_signal);
		check_same(&both, 12);
		handle(NULL, note_here, flags);
		descend(10, raise_signal);
		check_same(&both, 14);
	}
	assert_int_equal(sigaltstack(&before, NULL), 0);
}

/* More than the walker's cache has room for. */
ALONE static void in_large_frame(void)
{
	volatile char room[5 << 20];

	room[0] = 1;
	walk_both();
	sink += room[0];
}

static void test_large_frame(void **state)
{
	(void)state;
	descend(10, in_large_frame);
	check_same(&both, 12);
}
static ucontext_t home, coroutine;

static void in_coroutine(void)
{
	descend(10, walk_both);
}

static void run_coroutine(size_t size)
{
	char *room = mmap(NULL, size + 2 * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* Its functions have the frame pointer of this one at first. */
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	assert_ptr_not_equal(room, MAP_FAILED);
	assert_int_equal(mprotect(room, PAGE, PROT_NONE), 0);
	assert_int_equal(mprotect(room + PAGE + size, PAGE, PROT_NONE), 0);
	assert_int_equal(getcontext(&coroutine), 0);
	coroutine.uc_stack.ss_sp = room + PAGE;
	coroutine.uc_stack.ss_size = size;
	coroutine.uc_link = &home;
	makecontext(&coroutine, in_coroutine, 0);
	assert_int_equal(swapcontext(&home, &coroutine), 0);
	check_same(&both, 12);
	munmap(room, size + 2 * PAGE);
}

/* Coroutines on small stacks that are unmapped afterwards, with a page beside them that cannot be
 * read. */
static void test_coroutine(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		run_coroutine((size_t)(1 + i % 3) * SMALL_STACK);
		descend(3, walk_both);
		check_same(&both, 4);
	}
}

static void *in_thread(void *argument)
{
	descend(10, walk_both);
	*(bool *)argument = same(&both) && both.own_count >= 12;
	return NULL;
}

static void test_thread(void **state)
{
	pthread_attr_t attributes;
	pthread_t thread;
	bool equal = false;
	long least = sysconf(_SC_THREAD_STACK_MIN);
	size_t size = least > SMALL_STACK ? (size_t)least : SMALL_STACK;

	(void)state;
	pthread_attr_init(&attributes);
	assert_int_equal(pthread_attr_setstacksize(&attributes, size + 4 * PAGE), 0);
	assert_int_equal(pthread_create(&thread, &attributes, in_thread, &equal), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	if (!equal)
		show(&both);
	assert_true(equal);
}

static volatile sig_atomic_t arrived, differences;
static struct both first_difference;

static void on_timer(int number, siginfo_t *information, void *context)
{
	static struct both here;

	(void)number;
	(void)information;
	arrived++;
	here.own_count = unwind_context(context, here.own, MOST, NULL);
	here.their_count = backtrace(here.theirs, MOST);
#ifdef __aarch64__
	/* Procedure linkage tables have no unwind table, so that backtrace() ends there. */
	if ((uintptr_t)here.theirs[here.their_count - 1] == here.own[0] && here.own_count > 2)
		return;
#endif
	if (same(&here))
		return;
	if (!differences)
		first_difference = here;
	differences++;
}

/* Signals interrupt a thread that walks. */
static void test_storm(void **state)
{
	struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	struct sigaction action;
	int walks = 0;

	(void)state;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_timer;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (arrived < 500) {
		uintptr_t pcs[MOST];

		assert_in_range(unwind_here(pcs, MOST), 2, UNWIND_MOST);
		if (++walks % 64 == 0)
			unwind_forget();
	}
	setitimer(ITIMER_REAL, &never, NULL);
	if (differences)
		show(&first_difference);
	assert_int_equal(differences, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frame_pointers), cmocka_unit_test(test_here),
		cmocka_unit_test(test_bounds),	       cmocka_unit_test(test_signal),
		cmocka_unit_test(test_large_frame),    cmocka_unit_test(test_coroutine),
		cmocka_unit_test(test_thread),	       cmocka_unit_test(test_storm),
	};

#if !defined(__GLIBC__) || !(defined(__x86_64__) || defined(__aarch64__))
	puts("1..0 # SKIP no backtrace() to compare with");
	return 0;
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	puts("1..0 # SKIP sanitizers have a backtrace() of their own");
	return 0;
#endif
	backtrace(both.theirs, 1); /* loads libgcc_s */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
