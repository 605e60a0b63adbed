/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* registers of ucontext_t */
#endif

#include "base/unwind.h"

#include <stdbool.h>
#include <string.h>
#include <ucontext.h>

#include "base/unwind_lookup.h"
#include "base/unwind_stack.h"
#include "base/unwind_step.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define HAVE_WALKER 1
#endif

void unwind_start(void)
{
	unwind_lookup_start();
}

void unwind_forget(void)
{
	unwind_lookup_forget();
}

#ifdef HAVE_WALKER

enum { WORD = sizeof(uintptr_t), VISITED_MOST = 16 * UNWIND_MOST };

/* Rules of nearly all frames, but for the places of saved registers. */
static const struct unwind_rule sp_rule = {.kind = UNWIND_OFFSET, .base = UNWIND_SP},
				fp_rule = {.kind = UNWIND_OFFSET, .base = UNWIND_FP};

static inline uint64_t form_of(struct unwind_rule rule)
{
	uint64_t word;

	rule.cfa = 0;
	rule.fp = 0;
	rule.other = 0;
	memcpy(&word, &rule, sizeof(word));
	return word;
}

/* Does what unwind_step does, for such rules if they have been read and the stack can be read.
 * Stores the callers until something else comes. */
ANY_MEMORY static inline __attribute__((always_inline)) size_t
run_fast(struct unwind_walk *walk, uintptr_t *pcs, size_t count, size_t most)
{
	const uint32_t needed = UINT32_C(1) << UNWIND_FP | UINT32_C(1) << UNWIND_OTHER;
	uintptr_t pc = walk->pc, sp = walk->registers[UNWIND_SP], at, cfa, back;
	uintptr_t fp = walk->registers[UNWIND_FP], other = walk->registers[UNWIND_OTHER];
	uintptr_t end = walk->stack.high - WORD; /* of the last word */
	uint64_t salt = atomic_load_explicit(&unwind_salt, memory_order_acquire), form;
	struct unwind_rule rule;

	if (walk->exact || (walk->known & needed) != needed || sp < walk->stack.low ||
	    sp >= walk->stack.high || sp % WORD)
		return count;
	while (count < most && sp <= end) {
		rule = unwind_lookup_slot(pc - 1, salt);
		form = form_of(rule);
		if (form == form_of(sp_rule))
			cfa = sp;
		else if (form == form_of(fp_rule) && fp % WORD == 0)
			cfa = fp;
		else
			break;
		cfa += (uintptr_t)(rule.cfa * WORD);
		/* Places of registers are between the frame's stack pointer and the CFA. */
		at = cfa - WORD;
		if (at - sp > end - sp)
			break;
#ifdef __aarch64__
		at = cfa + (uintptr_t)(rule.other * WORD);
		if (!rule.other || at - sp > end - sp)
			break;
		back = unwind_without_signature(*(const volatile uintptr_t *)at);
#else
		back = *(const volatile uintptr_t *)at;
		at = cfa + (uintptr_t)(rule.other * WORD);
		if (rule.other && at - sp > end - sp)
			break;
#endif
		if (!back)
			break;
		at = cfa + (uintptr_t)(rule.fp * WORD);
		if (rule.fp) {
			if (at - sp > end - sp)
				break;
			fp = *(const volatile uintptr_t *)at;
		}
#ifdef __x86_64__
		at = cfa + (uintptr_t)(rule.other * WORD);
		if (rule.other)
			other = *(const volatile uintptr_t *)at;
#endif
		pc = back;
		sp = cfa;
		pcs[count++] = pc;
	}
	walk->pc = pc;
	walk->registers[UNWIND_SP] = sp;
	walk->registers[UNWIND_FP] = fp;
	walk->registers[UNWIND_OTHER] = other;
	return count;
}

/* Does what unwind_step does, for any rule. */
ANY_MEMORY static inline __attribute__((always_inline)) bool step(struct unwind_walk *walk)
{
	uintptr_t next;

	return run_fast(walk, &next, 0, 1) || unwind_step(walk);
}

/* A visitor may remove frames, so their number is no bound. */
ANY_MEMORY static size_t run_visited(struct unwind_walk *walk, uintptr_t *pcs, size_t most,
				     struct unwind_visitor *visitor)
{
	size_t count = 1;

	visitor->most = most < UNWIND_MOST ? most : UNWIND_MOST;
	for (int steps = 0; steps < VISITED_MOST; steps++) {
		uintptr_t low = walk->registers[UNWIND_SP];
		bool more = step(walk);

		count = visitor->visit(visitor, pcs, count, low,
				       more ? walk->registers[UNWIND_SP] : UINTPTR_MAX);
		if (!more || count == visitor->most)
			break;
		pcs[count++] = walk->pc;
	}
	return count;
}

ANY_MEMORY static size_t run(struct unwind_walk *walk, uintptr_t *pcs, size_t count, size_t most)
{
	if (most > UNWIND_MOST)
		most = UNWIND_MOST;
	for (;;) {
		count = run_fast(walk, pcs, count, most);
		if (count == most || !unwind_step(walk))
			return count;
		pcs[count++] = walk->pc;
	}
}

/* Goes to the caller of the function that calls the one in which this is. */
ANY_MEMORY static inline __attribute__((always_inline)) bool begin_here(struct unwind_walk *walk)
{
	/* Makes the compiler set up a frame pointer, for walks without tables. */
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	walk->exact = true;
	walk->known =
		UINT32_C(1) << UNWIND_SP | UINT32_C(1) << UNWIND_FP | UINT32_C(1) << UNWIND_OTHER;
#ifdef __aarch64__
	__asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30"
			 : "=&r"(walk->pc), "=&r"(walk->registers[UNWIND_SP]),
			   "=&r"(walk->registers[UNWIND_FP]), "=&r"(walk->registers[UNWIND_OTHER]));
#else
	__asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\tmov %%rbx, %3"
			 : "=&r"(walk->pc), "=m"(walk->registers[UNWIND_SP]),
			   "=m"(walk->registers[UNWIND_FP]), "=m"(walk->registers[UNWIND_OTHER]));
#endif
	unwind_stack_enter(&walk->stack, walk->registers[UNWIND_SP]);
	return unwind_step(walk) && step(walk);
}

ANY_MEMORY __attribute__((noinline)) size_t unwind_here(uintptr_t *pcs, size_t most)
{
	struct unwind_walk walk;

	if (!begin_here(&walk) || !most)
		return 0;
	pcs[0] = walk.pc;
	return run(&walk, pcs, 1, most);
}

ANY_MEMORY __attribute__((noinline)) size_t unwind_here_visited(uintptr_t *pcs, size_t most,
								struct unwind_visitor *visitor)
{
	struct unwind_walk walk;

	if (!begin_here(&walk) || !most)
		return 0;
	pcs[0] = walk.pc;
	return run_visited(&walk, pcs, most, visitor);
}

size_t unwind_context(const void *context, uintptr_t *pcs, size_t most,
		      struct unwind_visitor *visitor)
{
	struct unwind_walk walk;

	if (!most)
		return 0;
	unwind_step_enter(&walk, context, false);
	pcs[0] = walk.pc;
	return visitor ? run_visited(&walk, pcs, most, visitor) : run(&walk, pcs, 1, most);
}

uintptr_t unwind_context_pc(const void *context)
{
	struct unwind_walk walk;

	unwind_step_enter(&walk, context, false);
	return walk.pc;
}

#else

size_t unwind_here(uintptr_t *pcs, size_t most)
{
	(void)pcs;
	(void)most;
	return 0;
}

size_t unwind_here_visited(uintptr_t *pcs, size_t most, struct unwind_visitor *visitor)
{
	(void)visitor;
	(void)pcs;
	(void)most;
	return 0;
}

size_t unwind_context(const void *context, uintptr_t *pcs, size_t most,
		      struct unwind_visitor *visitor)
{
	(void)visitor;
	(void)context;
	(void)pcs;
	(void)most;
	return 0;
}

uintptr_t unwind_context_pc(const void *context)
{
	(void)context;
	return 0;
}

#endif
