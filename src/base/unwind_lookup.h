/* SPDX-License-Identifier: MIT */
#ifndef BASE_UNWIND_LOOKUP_H
#define BASE_UNWIND_LOOKUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/slots.h"
#include "base/unwind_rule.h"

enum { UNWIND_SLOT_BITS = 12 };

/* Rules that have been read, by pc. */
extern struct slot unwind_slots[1 << UNWIND_SLOT_BITS];
extern _Atomic uint64_t unwind_salt; /* another one after each unwind_lookup_forget */

/* Finds the C library's _dl_find_object. Not for signal handlers. */
void unwind_lookup_start(void);

/* Returns the rule for the instruction at `pc`; UNWIND_NOT_READ if no object has the address. */
struct unwind_rule unwind_lookup(uintptr_t pc);

/* Reads the whole row for the instruction, if its rule is UNWIND_ROW. Returns false without one. */
bool unwind_lookup_row(uintptr_t pc, struct unwind_row *row);

/* As unwind_lookup from the slots only: UNWIND_NOT_READ if the rule is not there. */
static inline struct unwind_rule unwind_lookup_slot(uintptr_t pc, uint64_t salt)
{
	uint64_t word = slot_read(slot_of(unwind_slots, UNWIND_SLOT_BITS, pc), pc, salt);
	struct unwind_rule rule;

	_Static_assert(sizeof(rule) == sizeof(word), "a rule is one word");
	memcpy(&rule, &word, sizeof(rule));
	return rule;
}

/* Returns true if a loaded object has the address, or if that cannot be found out. */
bool unwind_lookup_is_object(uintptr_t address);

/* Returns true if the object that has the address is known to have an unwind table. */
bool unwind_lookup_has_table(uintptr_t pc);

/* A loaded object, or a segment of a program that has gaps between its segments. */
struct unwind_object {
	uintptr_t begin;
	uintptr_t end;
	uintptr_t elf;	  /* where its ELF header is, with the program headers in the same page; 0:
			   * not known */
	uintptr_t bias;	  /* address in memory less the virtual address in the file */
	const char *name; /* as the dynamic linker has it: "" for the program */
};

/* Finds the object that has the address. The name is valid while the object is loaded. Returns
 * false if no object has the address, or if the C library has no lock-free function to find it. */
bool unwind_lookup_object(uintptr_t address, struct unwind_object *object);

/* Returns true if the address is in the code of this library. */
bool unwind_lookup_is_own(uintptr_t address);

/* As unwind_forget. */
void unwind_lookup_forget(void);

#endif
