/* SPDX-License-Identifier: MIT */
#ifndef BASE_UNWIND_STACK_H
#define BASE_UNWIND_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* The program's memory is read without a sanitizer's checks. */
#define ANY_MEMORY __attribute__((no_sanitize("address", "thread", "undefined")))

/* Addresses that a walk may read: from `low` to before `high`. */
struct unwind_stack {
	uintptr_t low;
	uintptr_t high;
	bool own; /* the thread's own stack: nothing beyond is read but the red zone */
};

/* Returns true if the page of the address can be read, by a system call. */
bool unwind_stack_probe(uintptr_t address);

/* Sets the bounds for a walk from the stack pointer `sp`. */
void unwind_stack_enter(struct unwind_stack *stack, uintptr_t sp);

/* As unwind_stack_has for addresses outside the bounds: extends them if the page can be read. In
 * the thread's own stack, these are the few bytes below the stack pointer in which a register may
 * be that a function has just popped (the table has its place still). */
bool unwind_stack_extend(struct unwind_stack *stack, uintptr_t address);

/* Returns true if a word can be read at the address. */
static inline bool unwind_stack_has(struct unwind_stack *stack, uintptr_t address)
{
	if (__builtin_expect(address % sizeof(uintptr_t), 0))
		return false;
	if (__builtin_expect(address >= stack->low && address < stack->high, 1))
		return true;
	return unwind_stack_extend(stack, address);
}

#endif
