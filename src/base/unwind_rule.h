/* SPDX-License-Identifier: MIT */
#ifndef BASE_UNWIND_RULE_H
#define BASE_UNWIND_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unwind_entry.h"

/*
 * How a frame is left: a row of an unwind table, in 64 bits. Offsets are in units of 8 bytes. The
 * CFA (canonical frame address) is the caller's stack pointer after the return.
 */
enum unwind_kind {
	UNWIND_NOT_READ,
	UNWIND_ROW,	  /* the row does not fit into a rule: see unwind_row_read */
	UNWIND_END,	  /* no caller: the return address is undefined */
	UNWIND_OFFSET,	  /* CFA = base + cfa */
	UNWIND_LOAD,	  /* CFA = the word at base + cfa */
	UNWIND_SIGNAL,	  /* the kernel's frame of a signal handler */
	UNWIND_POINTER,	  /* no table: by the frame pointer */
	UNWIND_LOAD_NEXT, /* CFA = the word at base + cfa, and 8 */
};

struct unwind_rule {
	uint64_t kind : 3;
	uint64_t base : 5; /* DWARF number of a register */
	/* The register is saved relative to the frame pointer, not to the CFA. */
	uint64_t fp_in_frame : 1;
	uint64_t other_in_frame : 1;
	int64_t cfa : 20;
	int64_t fp : 17; /* where the frame pointer is saved, 0: it is not (unless fp_in_frame) */
	/* x86-64: where rbx is saved; aarch64: where the return address is saved, 0: it is still in
	 * its register. */
	int64_t other : 17;
};

/* In place of such an offset: the register is kept where the walker does not look for it. */
enum { UNWIND_ELSEWHERE = -(1 << 16) };

/* Numbers of registers in unwind tables. */
enum {
#ifdef __aarch64__
	UNWIND_FP = 29,
	UNWIND_OTHER = 30,
	UNWIND_SP = 31,
	UNWIND_RETURN = 30,
#else
	UNWIND_OTHER = 3,
	UNWIND_FP = 6,
	UNWIND_SP = 7,
	UNWIND_RETURN = 16,
#endif
	UNWIND_REGISTERS = 32,
};

enum unwind_saved_how {
	UNWIND_SAVED_NOT,
	UNWIND_SAVED_AT_CFA,
	UNWIND_SAVED_IN_FRAME, /* relative to the frame pointer */
	UNWIND_SAVED_IN_REGISTER,
	UNWIND_SAVED_VALUE, /* it is the CFA plus the offset */
	UNWIND_SAVED_NOWHERE,
	UNWIND_SAVED_OTHERWISE, /* as the walker does not support */
};

/* Where a register is saved: bytes from the CFA or the frame pointer, or another one's number. */
struct unwind_saved {
	enum unwind_saved_how how;
	int64_t offset;
};

enum { UNWIND_ROW_FP, UNWIND_ROW_OTHER, UNWIND_ROW_RETURN, UNWIND_ROW_SP, UNWIND_ROW_SIZE };

/* A row of an unwind table in full, for rules that are rare: code that jumps to its caller or to
 * another stack, as longjmp. On aarch64, ROW_OTHER is not used. */
struct unwind_row {
	enum unwind_kind kind; /* of the CFA: OFFSET, LOAD, LOAD_NEXT; else it is not supported */
	uint64_t base;
	int64_t cfa; /* bytes */
	struct unwind_saved saved[UNWIND_ROW_SIZE];
};

/*
 * Reads the rule for the instruction at `pc`. The bytes may be anything. Returns false if there is
 * no entry for it. Sets *signal if the entry says that it belongs to a signal frame.
 */
bool unwind_rule_read(const struct unwind_section *section, uintptr_t pc, struct unwind_rule *rule,
		      bool *signal);

/* The same for the whole row. */
bool unwind_row_read(const struct unwind_section *section, uintptr_t pc, struct unwind_row *row,
		     bool *signal);

#endif
