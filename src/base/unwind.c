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

struct walk {
	uintptr_t pc;
	bool exact;	/* the thread is at the pc; else it returns to it */
	uint32_t known; /* bits of the registers that have a value */
	uintptr_t registers[UNWIND_REGISTERS];
	struct unwind_stack stack;
};

ANY_MEMORY static bool load(struct walk *walk, uintptr_t address, uintptr_t *value)
{
	if (!unwind_stack_has(&walk->stack, address))
		return false;
	*value = *(const volatile uintptr_t *)address;
	return true;
}

static uintptr_t without_signature(uintptr_t address)
{
#ifdef __aarch64__
	register uintptr_t x30 __asm__("x30") = address;

	__asm__("hint #7" : "+r"(x30)); /* xpaclri */
	return x30;
#else
	return address;
#endif
}

/* Continues with the registers that the kernel has stored at `from`. */
ANY_MEMORY static bool take_context(struct walk *walk, const ucontext_t *from, bool check)
{
#ifdef __aarch64__
	const uintptr_t *words = (const uintptr_t *)&from->uc_mcontext.regs;
	const uint8_t numbers[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,	 10,
				   11, 12, 13, 14, 15, 16, 17, 18, 19, 20,	 21,
				   22, 23, 24, 25, 26, 27, 28, 29, 30, UNWIND_SP};
	enum { PC = 32 };
#else
	const uintptr_t *words = (const uintptr_t *)&from->uc_mcontext.gregs;
	const uint8_t numbers[] = {8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, UNWIND_SP};
	enum { PC = REG_RIP };
#endif
	for (size_t i = 0; check && i <= PC; i++)
		if (!unwind_stack_has(&walk->stack, (uintptr_t)&words[i]))
			return false;
	walk->known = 0;
	for (size_t i = 0; i < sizeof(numbers); i++) {
		walk->registers[numbers[i]] = words[i];
		walk->known |= UINT32_C(1) << numbers[i];
	}
	walk->pc = words[PC];
	walk->exact = true;
	unwind_stack_enter(&walk->stack, walk->registers[UNWIND_SP]);
	return true;
}

/* Leaves the frame for its caller at `pc`. The stack grows downward: the caller's is higher. */
static bool leave(struct walk *walk, uintptr_t cfa, uintptr_t pc)
{
	uintptr_t sp = walk->registers[UNWIND_SP];

	if (cfa < sp || (cfa == sp && !(walk->exact && UNWIND_RETURN == UNWIND_OTHER)) || !pc)
		return false;
	walk->registers[UNWIND_SP] = cfa;
	walk->pc = without_signature(pc);
	walk->exact = false;
	walk->known &=
		UINT32_C(1) << UNWIND_SP | UINT32_C(1) << UNWIND_FP | UINT32_C(1) << UNWIND_OTHER;
	return true;
}

/* `anywhere`: the caller's code may be in no object. */
static bool leave_by_pointer(struct walk *walk, bool anywhere)
{
	uintptr_t frame = walk->registers[UNWIND_FP], pc;

	if (!(walk->known >> UNWIND_FP & 1) || frame < walk->registers[UNWIND_SP] ||
	    !load(walk, frame + WORD, &pc) || !load(walk, frame, &walk->registers[UNWIND_FP]))
		return false;
	if (!anywhere && !unwind_lookup_is_object(without_signature(pc)))
		return false;
	return leave(walk, frame + 2 * WORD, pc);
}

/* On aarch64, procedure linkage tables have no entries in the unwind table. They keep the return
 * address in its register, and the caller's frame pointer. */
static bool leave_linkage(struct walk *walk)
{
#ifdef __aarch64__
	return walk->exact && unwind_lookup_has_table(walk->pc) &&
	       leave(walk, walk->registers[UNWIND_SP], walk->registers[UNWIND_RETURN]);
#else
	(void)walk;
	return false;
#endif
}

/* Code that no object has. The trampolines of Python's -X perf are of 16 bytes, and have set the
 * frame pointer or left it to their caller. */
static bool leave_foreign(struct walk *walk)
{
	uintptr_t sp = walk->registers[UNWIND_SP], pc;

	if (walk->exact || walk->registers[UNWIND_FP] == sp || !load(walk, sp + WORD, &pc) ||
	    !unwind_lookup_is_object(without_signature(pc)))
		return leave_by_pointer(walk, true);
	return leave(walk, sp + 2 * WORD, pc);
}

static bool leave_signal(struct walk *walk)
{
	uintptr_t at = walk->registers[UNWIND_SP];

#ifdef __aarch64__
	at += 128; /* siginfo_t */
#endif
	return take_context(walk, (const ucontext_t *)at, true);
}

/* At the end of a function its table may still have the place of a register that has been restored.
 * So a register that cannot be read is unknown, and the walk goes on. */
static void restore(struct walk *walk, unsigned number, uintptr_t base, int64_t offset)
{
	if (offset == UNWIND_ELSEWHERE ||
	    !load(walk, base + (uintptr_t)(offset * WORD), &walk->registers[number]))
		walk->known &= ~(UINT32_C(1) << number);
}

static bool leave_by_rule(struct walk *walk, struct unwind_rule rule)
{
	uintptr_t cfa = walk->registers[rule.base] + (uintptr_t)(rule.cfa * WORD);
	uintptr_t frame = walk->registers[UNWIND_FP], pc;

	if (!(walk->known >> rule.base & 1) ||
	    (rule.kind != UNWIND_OFFSET && !load(walk, cfa, &cfa)))
		return false;
	if (rule.kind == UNWIND_LOAD_NEXT)
		cfa += WORD;
#ifdef __aarch64__
	pc = walk->registers[UNWIND_RETURN];
	if (rule.other == UNWIND_ELSEWHERE)
		return false;
	if (rule.other ? !load(walk, cfa + (uintptr_t)(rule.other * WORD), &pc) : !walk->exact)
		return false;
#else
	if (!load(walk, cfa - WORD, &pc))
		return false;
	if (rule.other || rule.other_in_frame)
		restore(walk, UNWIND_OTHER, rule.other_in_frame ? frame : cfa, rule.other);
#endif
	if (rule.fp || rule.fp_in_frame)
		restore(walk, UNWIND_FP, rule.fp_in_frame ? frame : cfa, rule.fp);
	return leave(walk, cfa, pc);
}

/* Goes on to the caller. Returns false at the end of the stack. */
static bool step(struct walk *walk)
{
	struct unwind_rule rule = unwind_lookup(walk->pc - !walk->exact);

	switch ((enum unwind_kind)rule.kind) {
	case UNWIND_OFFSET:
	case UNWIND_LOAD:
	case UNWIND_LOAD_NEXT:
		return leave_by_rule(walk, rule);
	case UNWIND_SIGNAL:
		return leave_signal(walk);
	case UNWIND_POINTER:
		return leave_linkage(walk) || leave_by_pointer(walk, false);
	case UNWIND_NOT_READ:
		return leave_foreign(walk);
	case UNWIND_END:
	case UNWIND_UNKNOWN:
		break;
	}
	return false;
}

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

/* Does what step does, for such rules if they have been read and the stack can be read. Stores the
 * callers until something else comes. */
ANY_MEMORY static size_t run_fast(struct walk *walk, uintptr_t *pcs, size_t count, size_t most)
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
		back = without_signature(*(const volatile uintptr_t *)at);
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

/* A visitor may remove frames, so their number is no bound. */
static size_t run_visited(struct walk *walk, uintptr_t *pcs, size_t most,
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

static size_t run(struct walk *walk, uintptr_t *pcs, size_t count, size_t most)
{
	if (most > UNWIND_MOST)
		most = UNWIND_MOST;
	for (;;) {
		count = run_fast(walk, pcs, count, most);
		if (count == most || !step(walk))
			return count;
		pcs[count++] = walk->pc;
	}
}

/* Goes to the caller of the function that calls the one in which this is. */
__attribute__((always_inline)) static inline bool begin_here(struct walk *walk)
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
	return step(walk) && step(walk);
}

__attribute__((noinline)) size_t unwind_here(uintptr_t *pcs, size_t most)
{
	struct walk walk;

	if (!begin_here(&walk) || !most)
		return 0;
	pcs[0] = walk.pc;
	return run(&walk, pcs, 1, most);
}

__attribute__((noinline)) size_t unwind_here_visited(uintptr_t *pcs, size_t most,
						     struct unwind_visitor *visitor)
{
	struct walk walk;

	if (!begin_here(&walk) || !most)
		return 0;
	pcs[0] = walk.pc;
	return run_visited(&walk, pcs, most, visitor);
}

size_t unwind_context(const void *context, uintptr_t *pcs, size_t most,
		      struct unwind_visitor *visitor)
{
	struct walk walk;

	if (!most)
		return 0;
	take_context(&walk, context, false);
	pcs[0] = walk.pc;
	return visitor ? run_visited(&walk, pcs, most, visitor) : run(&walk, pcs, 1, most);
}

uintptr_t unwind_context_pc(const void *context)
{
	struct walk walk;

	take_context(&walk, context, false);
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
