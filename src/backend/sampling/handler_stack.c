/* SPDX-License-Identifier: MIT */
#include "backend/sampling/handler_stack.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/memory.h"

enum {
	STACKS = 32,
	SIZE = 128 << 10, /* a session may be started on it; sanitizers have larger frames */
	GUARD = 64 << 10, /* inaccessible bytes below each stack: the size of the largest page */
};

_Static_assert(STACKS <= 32, "one bit each");

static char *stacks;
static _Atomic uint32_t in_use; /* bit i: stack i */

int handler_stack_init(void)
{
	if (stacks)
		return 0;
	stacks = memory_map((size_t)STACKS * (SIZE + GUARD));
	for (int i = 0; stacks && i < STACKS; i++)
		mprotect(stacks + (size_t)i * (SIZE + GUARD), GUARD, PROT_NONE);
	return stacks ? 0 : -1;
}

/* Returns its number, or -1. Lower numbers are used first, so few pages are touched. */
static int take(void)
{
	uint32_t before = atomic_load(&in_use);

	while (~before) {
		int number = __builtin_ctz(~before);

		if (atomic_compare_exchange_weak(&in_use, &before, before | UINT32_C(1) << number))
			return number;
	}
	return -1;
}

/*
 * Calls work(argument) with the stack pointer `top`. The frame pointer keeps the way back, so
 * unwinders and debuggers find the interrupted code. Calls and returns are paired, as a shadow
 * stack needs.
 */
void handler_stack_switch(void (*work)(void *argument), void *argument, void *top);

#if defined(__x86_64__)
__asm__(".text\n"
	".hidden handler_stack_switch\n"
	".globl handler_stack_switch\n"
	".type handler_stack_switch, @function\n"
	"handler_stack_switch:\n"
	".cfi_startproc\n"
	"	push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset %rbp, -16\n"
	"	mov %rsp, %rbp\n"
	".cfi_def_cfa_register %rbp\n"
	"	mov %rdx, %rsp\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	call *%rax\n"
	"	mov %rbp, %rsp\n"
	"	pop %rbp\n"
	".cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	".cfi_endproc\n"
	".size handler_stack_switch, . - handler_stack_switch\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".balign 4\n"
	".hidden handler_stack_switch\n"
	".globl handler_stack_switch\n"
	".type handler_stack_switch, %function\n"
	"handler_stack_switch:\n"
	".cfi_startproc\n"
	"	stp x29, x30, [sp, #-16]!\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset x29, -16\n"
	".cfi_offset x30, -8\n"
	"	mov x29, sp\n"
	".cfi_def_cfa_register x29\n"
	"	mov sp, x2\n"
	"	mov x9, x0\n"
	"	mov x0, x1\n"
	"	blr x9\n"
	"	mov sp, x29\n"
	".cfi_def_cfa_register sp\n"
	"	ldp x29, x30, [sp], #16\n"
	".cfi_def_cfa_offset 0\n"
	".cfi_restore x29\n"
	".cfi_restore x30\n"
	"	ret\n"
	".cfi_endproc\n"
	".size handler_stack_switch, . - handler_stack_switch\n");
#else
/* No stack is walked here, so little is used. */
void handler_stack_switch(void (*work)(void *argument), void *argument, void *top)
{
	(void)top;
	work(argument);
}
#endif

bool handler_stack_run(void (*work)(void *argument), void *argument)
{
	int number = take();

	if (number < 0)
		return false;
	handler_stack_switch(work, argument, stacks + (size_t)(number + 1) * (SIZE + GUARD));
	atomic_fetch_and(&in_use, ~(UINT32_C(1) << number));
	return true;
}

void handler_stack_forked(void)
{
	atomic_store(&in_use, 0);
}
