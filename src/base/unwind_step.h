/* SPDX-License-Identifier: MIT */
#ifndef BASE_UNWIND_STEP_H
#define BASE_UNWIND_STEP_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "base/unwind_rule.h"
#include "base/unwind_stack.h"

/* A step of a walk: from a frame to its caller. */

struct unwind_walk {
	uintptr_t pc;
	bool exact;	/* the thread is at the pc; else it returns to it */
	uint32_t known; /* bits of the registers that have a value */
	uintptr_t registers[UNWIND_REGISTERS];
	struct unwind_stack stack;
};

/* Reads a word of the stack. Returns false if it cannot be read. */
ANY_MEMORY static inline bool unwind_load(struct unwind_walk *walk, uintptr_t address,
					  uintptr_t *value)
{
	if (!unwind_stack_has(&walk->stack, address))
		return false;
	*value = *(const volatile uintptr_t *)address;
	return true;
}

/* On aarch64, return addresses may be signed. */
static inline uintptr_t unwind_without_signature(uintptr_t address)
{
#ifdef __aarch64__
	register uintptr_t x30 __asm__("x30") = address;

	__asm__("hint #7" : "+r"(x30)); /* xpaclri */
	return x30;
#else
	return address;
#endif
}

/* Begins or continues with the registers that the kernel has stored at `from`. Returns false if
 * `check` is set and they cannot be read. */
bool unwind_step_enter(struct unwind_walk *walk, const ucontext_t *from, bool check);

/* Returns true if the instruction is one of a trampoline of Python's -X perf (x86-64, Python 3.12
 * and 3.13), which calls the interpreter's loop. */
bool unwind_step_is_trampoline(uintptr_t pc);

/* Goes on to the caller. Returns false at the end of the stack. */
bool unwind_step(struct unwind_walk *walk);

#endif
