/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* registers of ucontext_t */
#endif

#include "base/unwind_step.h"

#include <stddef.h>

#include "base/unwind_lookup.h"

#if defined(__x86_64__) || defined(__aarch64__)

enum { WORD = sizeof(uintptr_t) };

ANY_MEMORY bool unwind_step_enter(struct unwind_walk *walk, const ucontext_t *from, bool check)
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

static void set_caller(struct unwind_walk *walk, uintptr_t sp, uintptr_t pc)
{
	walk->registers[UNWIND_SP] = sp;
	walk->pc = unwind_without_signature(pc);
	walk->exact = false;
	walk->known &=
		UINT32_C(1) << UNWIND_SP | UINT32_C(1) << UNWIND_FP | UINT32_C(1) << UNWIND_OTHER;
}

/* Leaves the frame for its caller at `pc`. The stack grows downward: the caller's is higher. */
static bool leave(struct unwind_walk *walk, uintptr_t cfa, uintptr_t pc)
{
	uintptr_t sp = walk->registers[UNWIND_SP];

	if (cfa < sp || (cfa == sp && !(walk->exact && UNWIND_RETURN == UNWIND_OTHER)) || !pc)
		return false;
	set_caller(walk, cfa, pc);
	return true;
}

/* `anywhere`: the caller's code may be in no object. */
static bool leave_by_pointer(struct unwind_walk *walk, bool anywhere)
{
	uintptr_t frame = walk->registers[UNWIND_FP], pc;

	if (!(walk->known >> UNWIND_FP & 1) || frame < walk->registers[UNWIND_SP] ||
	    !unwind_load(walk, frame + WORD, &pc) ||
	    !unwind_load(walk, frame, &walk->registers[UNWIND_FP]))
		return false;
	if (!anywhere && !unwind_lookup_is_object(unwind_without_signature(pc)))
		return false;
	return leave(walk, frame + 2 * WORD, pc);
}

/* On aarch64, procedure linkage tables have no entries in the unwind table. They keep the return
 * address in its register, and the caller's frame pointer. */
static bool leave_linkage(struct unwind_walk *walk)
{
#ifdef __aarch64__
	return walk->exact && unwind_lookup_has_table(walk->pc) &&
	       leave(walk, walk->registers[UNWIND_SP], walk->registers[UNWIND_RETURN]);
#else
	(void)walk;
	return false;
#endif
}

#ifdef __x86_64__
/* Python's -X perf makes a copy of this code for each function, at multiples of 16. */
static const uint8_t trampoline[] = {
	0x48, 0x83, 0xec, 0x08, /* sub $8, %rsp */
	0xff, 0xd1,		/* call *%rcx */
	0x48, 0x83, 0xc4, 0x08, /* add $8, %rsp */
	0xc3,			/* ret */
};

ANY_MEMORY bool unwind_step_is_trampoline(uintptr_t pc)
{
	const volatile uint8_t *code = (const volatile uint8_t *)(pc & ~(uintptr_t)15);

	if (!unwind_stack_probe(pc)) /* code that cannot be read can be executed */
		return false;
	for (size_t i = 0; i < sizeof(trampoline); i++)
		if (code[i] != trampoline[i])
			return false;
	return true;
}

/* Returns true at the first and the last instruction, where no word is above the return address. */
static bool is_at_end(uintptr_t pc)
{
	return pc % 16 == 0 || pc % 16 == sizeof(trampoline) - 1;
}
#else
bool unwind_step_is_trampoline(uintptr_t pc)
{
	(void)pc;
	return false;
}

static bool is_at_end(uintptr_t pc)
{
	(void)pc;
	return false;
}
#endif

/* Code that no object has. The trampolines of Python's -X perf are of 16 bytes, and have set the
 * frame pointer or left it to their caller. */
static bool leave_foreign(struct unwind_walk *walk)
{
	uintptr_t at = walk->registers[UNWIND_SP], pc;
	bool is_trampoline = walk->exact ? unwind_step_is_trampoline(walk->pc)
					 : walk->registers[UNWIND_FP] != at;

	if (!walk->exact || !is_at_end(walk->pc))
		at += WORD;
	if (!is_trampoline || !unwind_load(walk, at, &pc) ||
	    !unwind_lookup_is_object(unwind_without_signature(pc)))
		return leave_by_pointer(walk, true);
	return leave(walk, at + WORD, pc);
}

static bool leave_signal(struct unwind_walk *walk)
{
	uintptr_t at = walk->registers[UNWIND_SP];

#ifdef __aarch64__
	at += 128; /* siginfo_t */
#endif
	return unwind_step_enter(walk, (const ucontext_t *)at, true);
}

/* At the end of a function its table may still have the place of a register that has been restored.
 * So a register that cannot be read is unknown, and the walk goes on. */
static void restore(struct unwind_walk *walk, unsigned number, uintptr_t base, int64_t offset)
{
	if (offset == UNWIND_ELSEWHERE ||
	    !unwind_load(walk, base + (uintptr_t)(offset * WORD), &walk->registers[number]))
		walk->known &= ~(UINT32_C(1) << number);
}

static bool leave_by_rule(struct unwind_walk *walk, struct unwind_rule rule)
{
	uintptr_t cfa = walk->registers[rule.base] + (uintptr_t)(rule.cfa * WORD);
	uintptr_t frame = walk->registers[UNWIND_FP], pc;

	if (!(walk->known >> rule.base & 1) ||
	    (rule.kind != UNWIND_OFFSET && !unwind_load(walk, cfa, &cfa)))
		return false;
	if (rule.kind == UNWIND_LOAD_NEXT)
		cfa += WORD;
#ifdef __aarch64__
	pc = walk->registers[UNWIND_RETURN];
	if (rule.other == UNWIND_ELSEWHERE)
		return false;
	if (rule.other ? !unwind_load(walk, cfa + (uintptr_t)(rule.other * WORD), &pc)
		       : !walk->exact)
		return false;
#else
	if (!unwind_load(walk, cfa - WORD, &pc))
		return false;
	if (rule.other || rule.other_in_frame)
		restore(walk, UNWIND_OTHER, rule.other_in_frame ? frame : cfa, rule.other);
#endif
	if (rule.fp || rule.fp_in_frame)
		restore(walk, UNWIND_FP, rule.fp_in_frame ? frame : cfa, rule.fp);
	return leave(walk, cfa, pc);
}

/* The interrupted code may take registers from memory that is no stack, as a jmp_buf. */
ANY_MEMORY static bool load_anywhere(struct unwind_walk *walk, uintptr_t address, uintptr_t *value)
{
	if (unwind_load(walk, address, value))
		return true;
	if (!walk->exact || address % WORD || !unwind_stack_probe(address))
		return false;
	*value = *(const volatile uintptr_t *)address;
	return true;
}

static bool find_cfa(struct unwind_walk *walk, const struct unwind_row *row, uintptr_t *cfa)
{
	if (row->kind == UNWIND_ROW || row->base >= UNWIND_REGISTERS ||
	    !(walk->known >> row->base & 1))
		return false;
	*cfa = walk->registers[row->base] + (uintptr_t)row->cfa;
	if (row->kind == UNWIND_OFFSET)
		return true;
	if (!unwind_load(walk, *cfa, cfa))
		return false;
	*cfa += row->kind == UNWIND_LOAD_NEXT ? WORD : 0;
	return true;
}

/* Finds the value that the register has in the caller. */
static bool find_value(struct unwind_walk *walk, const struct unwind_saved *saved, uint64_t number,
		       uintptr_t cfa, uintptr_t *value)
{
	uintptr_t offset = (uintptr_t)saved->offset;

	switch (saved->how) {
	case UNWIND_SAVED_AT_CFA:
		return load_anywhere(walk, cfa + offset, value);
	case UNWIND_SAVED_IN_FRAME:
		return walk->known >> UNWIND_FP & 1 &&
		       load_anywhere(walk, walk->registers[UNWIND_FP] + offset, value);
	case UNWIND_SAVED_VALUE:
		*value = cfa + offset;
		return true;
	case UNWIND_SAVED_IN_REGISTER:
		number = offset;
		break;
	case UNWIND_SAVED_NOT:
		break;
	case UNWIND_SAVED_NOWHERE:
	case UNWIND_SAVED_OTHERWISE:
		return false;
	}
	/* A frame's return address is in its register only before the first call. */
	if (number >= UNWIND_REGISTERS || !(walk->known >> number & 1) ||
	    (number == UNWIND_RETURN && !walk->exact))
		return false;
	*value = walk->registers[number];
	return true;
}

static void set_register(struct unwind_walk *walk, unsigned number, bool known, uintptr_t value)
{
	walk->registers[number] = value;
	if (!known)
		walk->known &= ~(UINT32_C(1) << number);
}

/* Goes on to a frame whose stack pointer need not be higher: the interrupted code is about to jump
 * to it. All others rise, so that a walk ends. */
static bool leave_to(struct unwind_walk *walk, uintptr_t sp, uintptr_t pc)
{
	bool exact = walk->exact;

	if (!pc || (!exact && sp <= walk->registers[UNWIND_SP]))
		return false;
	set_caller(walk, sp, pc);
	if (exact)
		unwind_stack_enter(&walk->stack, sp);
	return true;
}

static bool leave_by_row(struct unwind_walk *walk)
{
	uintptr_t cfa, sp, pc, fp = 0, other = 0;
	struct unwind_row row;
	bool has_fp, has_other;

	if (!unwind_lookup_row(walk->pc - !walk->exact, &row) || !find_cfa(walk, &row, &cfa) ||
	    row.saved[UNWIND_ROW_RETURN].how == UNWIND_SAVED_VALUE ||
	    !find_value(walk, &row.saved[UNWIND_ROW_RETURN], UNWIND_RETURN, cfa, &pc))
		return false;
	sp = cfa;
	if (row.saved[UNWIND_ROW_SP].how != UNWIND_SAVED_NOT &&
	    !find_value(walk, &row.saved[UNWIND_ROW_SP], UNWIND_SP, cfa, &sp))
		return false;
	has_fp = find_value(walk, &row.saved[UNWIND_ROW_FP], UNWIND_FP, cfa, &fp);
	has_other = find_value(walk, &row.saved[UNWIND_ROW_OTHER], UNWIND_OTHER, cfa, &other);
	if (!leave_to(walk, sp, pc))
		return false;
	set_register(walk, UNWIND_FP, has_fp, fp);
	set_register(walk, UNWIND_OTHER, has_other, other);
	return true;
}

bool unwind_step(struct unwind_walk *walk)
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
	case UNWIND_ROW:
		return leave_by_row(walk);
	case UNWIND_END:
		break;
	}
	return false;
}

#else

bool unwind_step_is_trampoline(uintptr_t pc)
{
	(void)pc;
	return false;
}

#endif
