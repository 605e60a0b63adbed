/* SPDX-License-Identifier: MIT */
/* Walks from each instruction of some work, compared with backtrace(). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* vfork */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "both_stacks.h"
#include "base/unwind.h"

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&                 \
	!defined(__SANITIZE_THREAD__)
static volatile int sink;
static long steps, different, longest;

static void check_step(int number, siginfo_t *information, void *context)
{
	static struct both here;

	(void)number;
	(void)information;
	here.own_count = unwind_context(context, here.own, MOST, NULL);
	here.their_count = backtrace(here.theirs, MOST);
	steps++;
	if (!same(&here) && !different++)
		show(&here);
	longest = longest < (long)here.own_count ? (long)here.own_count : longest;
}

/* Functions in assembly, whose unwind tables follow the stack pointer. */
#define TRAP_FUNCTION(name, instruction)                                                           \
	__asm__(".text\n\t.type " name ", @function\n" name ":\n\t.cfi_startproc\n\t"             \
		"pushfq\n\t.cfi_adjust_cfa_offset 8\n\t" instruction ", (%rsp)\n\t"               \
		"popfq\n\t.cfi_adjust_cfa_offset -8\n\tret\n\t.cfi_endproc\n\t"                  \
		".size " name ", . - " name)
TRAP_FUNCTION("set_trap", "orq $0x100");
TRAP_FUNCTION("clear_trap", "andq $~0x100");
void set_trap(void);
void clear_trap(void);

static int compare(const void *left, const void *right)
{
	return *(const char *)left - *(const char *)right;
}

/* A function whose stack is aligned, so that its CFA is no register plus a number. */
ALONE static int aligned(int count)
{
	char __attribute__((aligned(64))) room[64];
	char *more = alloca((size_t)count);

	memset(room, count, sizeof(room));
	memset(more, count, (size_t)count);
	qsort(room, sizeof(room), 1, compare);
	return room[3] + more[1];
}

/* With procedure linkage tables, the dynamic linker, the kernel's code page. */
ALONE static void work(void)
{
	char text[100];
	struct timespec time;
	void *library;

	snprintf(text, sizeof(text), "%g %s %d", 1.5 * sink, "abc", 7);
	clock_gettime(CLOCK_MONOTONIC, &time);
	sink += aligned(7);
	library = dlopen("libc.so.6", RTLD_LAZY);
	if (library)
		dlclose(library);
	sink += (int)strtol(text, NULL, 10);
}

/* Code that jumps to another frame or to its caller with registers that it has loaded. */
ALONE static void jump(void)
{
	static jmp_buf elsewhere;
	static ucontext_t here;
	volatile bool again = false;
	jmp_buf on_stack;

	if (!setjmp(elsewhere))
		longjmp(elsewhere, 1);
	if (!setjmp(on_stack))
		longjmp(on_stack, 1);
	getcontext(&here);
	if (!again) {
		again = true;
		setcontext(&here);
	}
}

ALONE static void start_child(void)
{
	pid_t child = vfork();

	if (!child)
		_exit(0);
	sink += waitpid(child, NULL, 0) == child;
}

static void clean(const int *value)
{
	sink += *value;
}

/* Before the thread ends: there the signal is blocked. */
static void clean_last(const int *value)
{
	clear_trap();
	sink += *value;
}

/* Its clean-up is a landing pad: it is left as by an exception. */
ALONE static void unwind_inner(void)
{
	int __attribute__((cleanup(clean))) value = 3;

	set_trap();
	pthread_exit(NULL);
	sink += value;
}

static void *in_thread(void *argument)
{
	int __attribute__((cleanup(clean_last))) value = 4;

	unwind_inner();
	sink += value;
	return argument;
}

static void in_unwinding(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, in_thread, NULL), 0);
	pthread_join(thread, NULL);
}

/* At each instruction of the work. */
static void check_steps(void (*function)(void), bool traps, long least)
{
	struct sigaction action, before;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = check_step;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &action, &before);
	steps = different = longest = 0;
	if (traps)
		set_trap();
	function();
	if (traps)
		clear_trap();
	sigaction(SIGTRAP, &before, NULL);
	print_message("%ld steps, %ld different\n", steps, different);
	assert_in_range(steps, least, LONG_MAX);
	assert_in_range(longest, 4, UNWIND_MOST);
	assert_int_equal(different, 0);
}

/* Code in no object, as Python's -X perf makes it, which calls the function in %rcx. */
static const unsigned char trampoline[] = {0x48, 0x83, 0xec, 8, 0xff, 0xd1,
					   0x48, 0x83, 0xc4, 8, 0xc3};
static uintptr_t code;
static size_t outside; /* frames of the last walk from the caller */
static long inside;

static void check_trampoline(int number, siginfo_t *information, void *context)
{
	static uintptr_t pcs[MOST];
	uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	size_t count = unwind_context(context, pcs, MOST, NULL);

	(void)number;
	(void)information;
	if (pc - code >= sizeof(trampoline)) {
		outside = count;
		return;
	}
	/* After the call the last walk is that of the called function. */
	inside++;
	different += pc == code || pc == code + 4 ? count != outside + (pc == code)
						  : count + 1 != outside;
	if (pc == code)
		outside = count;
}

static void called(void)
{
	sink++;
}

static void test_trampoline(void **state)
{
	struct sigaction action, before;

	(void)state;
	code = (uintptr_t)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_int_not_equal(code, (uintptr_t)MAP_FAILED);
	memcpy((void *)code, trampoline, sizeof(trampoline));
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = check_trampoline;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &action, &before);
	different = inside = 0;
	set_trap();
	__asm__ volatile("call *%0" : : "r"(code), "c"(called) : "rax", "rdx", "memory");
	clear_trap();
	sigaction(SIGTRAP, &before, NULL);
	munmap((void *)code, 4096);
	assert_int_equal(inside, 4);
	assert_int_equal(different, 0);
}

static void test_steps(void **state)
{
	(void)state;
	check_steps(work, true, 2000);
}

static void test_jumps(void **state)
{
	(void)state;
	check_steps(jump, true, 100);
	check_steps(start_child, true, 10);
}

static void test_unwinding(void **state)
{
	(void)state;
	check_steps(in_unwinding, false, 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_unwinding),
		cmocka_unit_test(test_trampoline),
	};

	void *first;

	unwind_start();
	backtrace(&first, 1); /* loads libgcc_s */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	puts("1..0 # SKIP no backtrace() to compare with, or one of a sanitizer");
	return 0;
}
#endif
