/* SPDX-License-Identifier: MIT */
/* Walks from registers that the test makes, and through code without unwind tables. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* REG_RIP, MAP_ANONYMOUS */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cmocka.h>

#include "base/unwind.h"
#include "random.h"

#if defined(__GLIBC__) && defined(__x86_64__)

enum { MOST = 600, PAGE = 4096, LARGEST = 100 /* bytes of a function here */ };

/* Registers of any kind lead to a short stack at worst. */
static void test_wrong_registers(void **state)
{
	uintptr_t pcs[MOST], places[4];
	ucontext_t context;

	(void)state;
	getcontext(&context);
	places[0] = (uintptr_t)&context;
	places[1] = (uintptr_t)qsort;
	places[2] = (uintptr_t)mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	places[3] = 0;
	for (int i = 0; i < 20000; i++) {
		greg_t *registers = context.uc_mcontext.gregs;

		for (int j = 0; j <= REG_RIP; j++) {
			uint64_t number = (uint64_t)next_random() << 32 | next_random();

			registers[j] = (greg_t)places[number % 4];
			registers[j] += (greg_t)(number >> 8) % (1 << (number >> 2) % 20);
			if (number >> 40 & 1)
				registers[j] &= ~7;
		}
		pcs[0] = 0;
		assert_in_range(unwind_context(&context, pcs, MOST, NULL), 1, UNWIND_MOST);
		assert_int_equal(pcs[0], registers[REG_RIP]);
	}
	munmap((void *)places[2], PAGE);
}

void popped(void), framed(void), bare(void (*function)(void)), begun(void), restorer(void),
	keeping(void);

/* The unwind table of `popped` has the place of rbp still, as those of compilers do. `bare` has
 * none, and `begun` is where a stack begins. */
__asm__(".text\n\t.type popped, @function\npopped:\n\t.cfi_startproc\n\t"
	"push %rbp\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset rbp, -16\n\t"
	"pop %rbp\n\t.cfi_def_cfa_offset 8\n\tret\n\t.cfi_endproc\n\t"
	".type framed, @function\nframed:\n\t.cfi_startproc\n\t"
	"push %rbp\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset rbp, -16\n\t"
	"mov %rsp, %rbp\n\t.cfi_def_cfa_register rbp\n\tnop\n\tnop\n\t.cfi_endproc\n\t"
	".type bare, @function\nbare:\n\tpush %rbp\n\tmov %rsp, %rbp\n\tcall *%rdi\n\t"
	"pop %rbp\n\tret\n\tnop\n\t"
	".type begun, @function\nbegun:\n\t.cfi_startproc\n\t.cfi_undefined rip\n\t"
	"hlt\n\t.cfi_endproc\n\tnop\n\t"
	".type keeping, @function\nkeeping:\n\t.cfi_startproc\n\t"
	".cfi_escape 0x0f, 5, 0x77, 16, 0x06, 0x23, 8\n\tnop\n\t.cfi_endproc\n\tnop\n\t"
	".type restorer, @function\nrestorer:\n\t.byte 0x48, 0xc7, 0xc0, 15, 0, 0, "
	"0\n\tsyscall\n\t");

/* The last word that can be read is a return address. */
static void test_last_word(void **state)
{
	char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t *end = (uintptr_t *)(void *)(pages + PAGE), pcs[MOST];
	uintptr_t entry = (uintptr_t)popped;
	ucontext_t context;

	(void)state;
	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(end, PAGE, PROT_NONE), 0);
	end[-1] = end[-2] = entry + 1; /* nothing has been pushed there */
	getcontext(&context);
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)entry;
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)(end - 2);
	assert_int_equal(unwind_context(&context, pcs, MOST, NULL), 3);
	assert_int_equal(pcs[2], entry + 1);
	munmap(pages, 2 * PAGE);
}

/* Makes the context that of the instruction after the first `size` bytes of the function. */
static void make_context(ucontext_t *context, void (*function)(void), int size, uintptr_t *sp,
			 uintptr_t *frame)
{
	getcontext(context);
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)function + size;
	context->uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
	context->uc_mcontext.gregs[REG_RBP] = (greg_t)frame;
}

static const int pushes = 2, moved = 5; /* bytes of instructions */

/* The word that has been popped last is in the page below the stack pointer. */
static void test_popped(void **state)
{
	uintptr_t room[3 * PAGE / sizeof(uintptr_t)], pcs[MOST], *sp;
	ucontext_t context;

	(void)state;
	sp = (uintptr_t *)(((uintptr_t)room + 2 * PAGE) & ~(uintptr_t)(PAGE - 1));
	make_context(&context, popped, pushes, sp, &sp[2]);
	sp[-1] = (uintptr_t)&sp[2];
	sp[0] = sp[3] = (uintptr_t)framed + moved;
	sp[2] = 0;
	assert_int_equal(unwind_context(&context, pcs, MOST, NULL), 3);
	assert_ptr_equal(pcs[1], sp[0]);
	assert_ptr_equal(pcs[2], sp[3]);
}

/* A stack begins at a function, even if the frame pointer is that of another stack. */
static void test_begun(void **state)
{
	uintptr_t stack[12] = {0}, *sp = stack, *frame = &stack[8], pcs[MOST];
	ucontext_t context;

	(void)state;
	make_context(&context, popped, 0, sp, frame);
	sp[0] = (uintptr_t)begun;
	frame[1] = (uintptr_t)framed + moved;
	assert_int_equal(unwind_context(&context, pcs, MOST, NULL), 2);
	assert_ptr_equal(pcs[1], begun);
	/* In its first instruction, too. */
	make_context(&context, begun, 0, sp, frame);
	assert_int_equal(unwind_context(&context, pcs, MOST, NULL), 1);
}

/* As in libcrypto: the stack pointer before the stack was aligned is a word of the stack. */
static void test_kept_pointer(void **state)
{
	uintptr_t stack[12] = {0}, pcs[MOST];
	ucontext_t context;

	(void)state;
	make_context(&context, keeping, 0, stack, NULL);
	stack[2] = (uintptr_t)&stack[6];
	stack[6] = (uintptr_t)begun;
	assert_int_equal(unwind_context(&context, pcs, MOST, NULL), 2);
	assert_ptr_equal(pcs[1], begun);
}

/* A signal handler has returned, and its thread is at one of the two instructions that leave the
 * kernel's frame. */
static void test_returned(void **state)
{
	static const int system_call = 7; /* bytes before it */
	uintptr_t stack[8] = {0}, pcs[MOST];
	ucontext_t context, interrupted;

	(void)state;
	make_context(&interrupted, popped, 0, stack, NULL);
	stack[0] = (uintptr_t)begun;
	for (int size = 0; size <= system_call; size += system_call) {
		make_context(&context, restorer, size, (uintptr_t *)(void *)&interrupted, NULL);
		assert_int_equal(unwind_context(&context, pcs, MOST, NULL), 3);
		assert_ptr_equal(pcs[1], popped);
		assert_ptr_equal(pcs[2], begun);
	}
}

static uintptr_t here[MOST];
static size_t here_count;
static volatile int sink;

static void __attribute__((noinline)) walk_here(void)
{
	here_count = unwind_here(here, MOST);
	sink++;
}

static void __attribute__((noinline)) call_bare(void)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

	__asm__ volatile("" : : "r"(frame));
	bare(walk_here);
	sink++;
}

/* Code that has no entry in the table of its object, as that of assemblers or of Go, is left by its
 * frame pointer. */
static void test_no_entry(void **state)
{
	(void)state;
	call_bare();
	assert_in_range(here_count, 4, UNWIND_MOST);
	assert_in_range(here[0], (uintptr_t)bare + 1, (uintptr_t)begun - 1);
	assert_in_range(here[1], (uintptr_t)call_bare + 1, (uintptr_t)call_bare + LARGEST);
	assert_in_range(here[2], (uintptr_t)test_no_entry + 1, (uintptr_t)test_no_entry + LARGEST);
}
#endif

int main(void)
{
#if defined(__GLIBC__) && defined(__x86_64__)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_registers), cmocka_unit_test(test_last_word),
		cmocka_unit_test(test_popped),		cmocka_unit_test(test_begun),
		cmocka_unit_test(test_kept_pointer),	cmocka_unit_test(test_returned),
		cmocka_unit_test(test_no_entry),
	};

	unwind_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	puts("1..0 # SKIP the contexts are those of glibc on x86-64");
	return 0;
#endif
}
