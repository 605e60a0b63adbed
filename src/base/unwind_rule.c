/* SPDX-License-Identifier: MIT */
#include "base/unwind_rule.h"

#include <stddef.h>
#include <string.h>

/*
 * The instructions are in DWARF 4, 6.4.2. Four registers are followed: those that a CFA depends on
 * in code of gcc and clang, and the return address. An expression is supported if it is one of
 * three: a word relative to a register (functions that align their stack), 8 more than such a word
 * (libcrypto's, which keep the stack pointer there), and that of procedure linkage tables.
 */
enum { REMEMBERED = 8 /* depth of DW_CFA_remember_state */ };

struct machine {
	const struct unwind_entry *entry;
	uintptr_t pc;
	uintptr_t location;
	struct unwind_row row;
	struct unwind_row initial;
	struct unwind_row remembered[REMEMBERED];
	unsigned depth;
};

static struct unwind_saved *saved_of(struct machine *machine, uint64_t number)
{
	if (number == machine->entry->return_register)
		return &machine->row.saved[UNWIND_ROW_RETURN];
	if (number == UNWIND_FP)
		return &machine->row.saved[UNWIND_ROW_FP];
	if (number == UNWIND_OTHER)
		return &machine->row.saved[UNWIND_ROW_OTHER];
	if (number == UNWIND_SP)
		return &machine->row.saved[UNWIND_ROW_SP];
	return NULL;
}

/* The product may be any number: the operands are not trusted. */
static int64_t scale(const struct machine *machine, uint64_t factor)
{
	return (int64_t)(factor * (uint64_t)machine->entry->data_unit);
}

static void save(struct machine *machine, uint64_t number, enum unwind_saved_how how,
		 int64_t offset)
{
	struct unwind_saved *saved = saved_of(machine, number);

	if (saved)
		*saved = (struct unwind_saved){how, offset};
}

static void restore(struct machine *machine, uint64_t number)
{
	struct unwind_saved *saved = saved_of(machine, number);

	if (saved)
		*saved = machine->initial.saved[saved - machine->row.saved];
}

/* Reads "register + offset" (DW_OP_breg0 to 31). */
static bool read_base(struct unwind_reader *expression, uint64_t *number, int64_t *offset)
{
	uint64_t operation = unwind_take(expression, 1);

	*number = operation - 0x70;
	*offset = unwind_take_signed_leb(expression);
	return operation >= 0x70 && operation < 0x90 && !expression->failed;
}

/* sp + 8 + ((ip & 15) >= N) * 8: the entry has pushed its number from offset N on. */
static bool is_linkage_table(const struct unwind_reader *expression, unsigned *threshold)
{
	static const uint8_t head[] = {0x77, 8, 0x80, 0, 0x3f, 0x1a},
			     tail[] = {0x2a, 0x33, 0x24, 0x22};
	size_t size = sizeof(head) + 1 + sizeof(tail);

	if ((size_t)(expression->end - expression->at) != size ||
	    memcmp(expression->at, head, sizeof(head)) ||
	    memcmp(expression->at + sizeof(head) + 1, tail, sizeof(tail)))
		return false;
	*threshold = expression->at[sizeof(head)] - 0x30U;
	return *threshold < 16;
}

static void cfa_by_expression(struct machine *machine, struct unwind_reader expression)
{
	struct unwind_row *row = &machine->row;
	unsigned threshold;

	row->kind = UNWIND_ROW;
#ifdef __x86_64__
	if (is_linkage_table(&expression, &threshold)) {
		row->kind = UNWIND_OFFSET;
		row->base = UNWIND_SP;
		row->cfa = (machine->pc & 15) >= threshold ? 16 : 8;
		return;
	}
#else
	(void)threshold;
	(void)is_linkage_table;
#endif
	if (!read_base(&expression, &row->base, &row->cfa) || unwind_take(&expression, 1) != 0x06)
		return;
	if (expression.at == expression.end)
		row->kind = UNWIND_LOAD;
	else if (unwind_take(&expression, 1) == 0x23 && unwind_take_leb(&expression) == 8 &&
		 expression.at == expression.end && !expression.failed)
		row->kind = UNWIND_LOAD_NEXT;
}

static void save_by_expression(struct machine *machine, uint64_t number,
			       struct unwind_reader expression)
{
	uint64_t base;
	int64_t offset;

	if (read_base(&expression, &base, &offset) && base == UNWIND_FP &&
	    expression.at == expression.end)
		save(machine, number, UNWIND_SAVED_IN_FRAME, offset);
	else
		save(machine, number, UNWIND_SAVED_OTHERWISE, 0);
}

static void define_cfa(struct machine *machine, uint64_t base, int64_t offset)
{
	machine->row.kind = UNWIND_OFFSET;
	machine->row.base = base;
	machine->row.cfa = offset;
}

/* Moves to the start of the next row. Returns false if that is after the pc. */
static bool advance(struct machine *machine, uint64_t units)
{
	machine->location += units * machine->entry->code_unit;
	return machine->location <= machine->pc;
}

/* The operations on the stack of rows and on single registers with operands in order. */
static void execute_rare(struct machine *machine, uint64_t operation, struct unwind_reader *reader)
{
	uint64_t number = 0, size;

	if (operation != 0x2d && operation != 0x2e)
		number = unwind_take_leb(reader);
	switch (operation) {
	case 0x10: /* DW_CFA_expression */
		size = unwind_take_leb(reader);
		save_by_expression(machine, number, unwind_take_block(reader, size));
		break;
	case 0x14: /* DW_CFA_val_offset */
		save(machine, number, UNWIND_SAVED_VALUE, scale(machine, unwind_take_leb(reader)));
		break;
	case 0x15: /* DW_CFA_val_offset_sf */
		save(machine, number, UNWIND_SAVED_VALUE,
		     scale(machine, (uint64_t)unwind_take_signed_leb(reader)));
		break;
	case 0x16: /* DW_CFA_val_expression */
		size = unwind_take_leb(reader);
		unwind_take_block(reader, size);
		save(machine, number, UNWIND_SAVED_OTHERWISE, 0);
		break;
	case 0x2d: /* DW_CFA_AARCH64_negate_ra_state */
		break;
	case 0x2e: /* DW_CFA_GNU_args_size */
		unwind_take_leb(reader);
		break;
	case 0x2f: /* DW_CFA_GNU_negative_offset_extended */
		save(machine, number, UNWIND_SAVED_AT_CFA,
		     scale(machine, -unwind_take_leb(reader)));
		break;
	default:
		reader->failed = true;
	}
}

static void execute_register(struct machine *machine, uint64_t operation,
			     struct unwind_reader *reader)
{
	uint64_t number = unwind_take_leb(reader);

	switch (operation) {
	case 0x05: /* DW_CFA_offset_extended */
		save(machine, number, UNWIND_SAVED_AT_CFA, scale(machine, unwind_take_leb(reader)));
		break;
	case 0x06: /* DW_CFA_restore_extended */
		restore(machine, number);
		break;
	case 0x07: /* DW_CFA_undefined */
		save(machine, number, UNWIND_SAVED_NOWHERE, 0);
		break;
	case 0x08: /* DW_CFA_same_value */
		save(machine, number, UNWIND_SAVED_NOT, 0);
		break;
	case 0x09: /* DW_CFA_register */
		save(machine, number, UNWIND_SAVED_IN_REGISTER, (int64_t)unwind_take_leb(reader));
		break;
	default: /* 0x11, DW_CFA_offset_extended_sf */
		save(machine, number, UNWIND_SAVED_AT_CFA,
		     scale(machine, (uint64_t)unwind_take_signed_leb(reader)));
	}
}

static void execute_cfa(struct machine *machine, uint64_t operation, struct unwind_reader *reader)
{
	uint64_t operand = operation == 0x13 ? 0 : unwind_take_leb(reader);

	switch (operation) {
	case 0x0c: /* DW_CFA_def_cfa */
		define_cfa(machine, operand, (int64_t)unwind_take_leb(reader));
		break;
	case 0x0d: /* DW_CFA_def_cfa_register */
		define_cfa(machine, operand, machine->row.cfa);
		break;
	case 0x0e: /* DW_CFA_def_cfa_offset */
		define_cfa(machine, machine->row.base, (int64_t)operand);
		break;
	case 0x0f: /* DW_CFA_def_cfa_expression */
		cfa_by_expression(machine, unwind_take_block(reader, operand));
		break;
	case 0x12: /* DW_CFA_def_cfa_sf */
		define_cfa(machine, operand,
			   scale(machine, (uint64_t)unwind_take_signed_leb(reader)));
		break;
	default: /* 0x13, DW_CFA_def_cfa_offset_sf */
		define_cfa(machine, machine->row.base,
			   scale(machine, (uint64_t)unwind_take_signed_leb(reader)));
	}
}

static void remember(struct machine *machine, struct unwind_reader *reader)
{
	if (machine->depth == REMEMBERED)
		reader->failed = true;
	else
		machine->remembered[machine->depth++] = machine->row;
}

static void recall(struct machine *machine, struct unwind_reader *reader)
{
	if (!machine->depth)
		reader->failed = true;
	else
		machine->row = machine->remembered[--machine->depth];
}

/* Returns false where the rows for the pc end. */
static bool execute(struct machine *machine, struct unwind_reader *reader)
{
	uint64_t byte = unwind_take(reader, 1), low = byte & 0x3f;

	switch (byte >> 6) {
	case 1: /* DW_CFA_advance_loc */
		return advance(machine, low);
	case 2: /* DW_CFA_offset */
		save(machine, low, UNWIND_SAVED_AT_CFA, scale(machine, unwind_take_leb(reader)));
		return true;
	case 3: /* DW_CFA_restore */
		restore(machine, low);
		return true;
	default:
		break;
	}
	switch (byte) {
	case 0x00: /* DW_CFA_nop */
		return true;
	case 0x01: /* DW_CFA_set_loc */
		machine->location = unwind_take_encoded(reader, machine->entry->encoding);
		return machine->location <= machine->pc;
	case 0x02: /* DW_CFA_advance_loc1, 2, 4 */
	case 0x03:
	case 0x04:
		return advance(machine, unwind_take(reader, 1U << (byte - 2)));
	case 0x05 ... 0x09:
	case 0x11:
		execute_register(machine, byte, reader);
		return true;
	case 0x0a: /* DW_CFA_remember_state */
		remember(machine, reader);
		return true;
	case 0x0b: /* DW_CFA_restore_state */
		recall(machine, reader);
		return true;
	case 0x0c ... 0x0f:
	case 0x12:
	case 0x13:
		execute_cfa(machine, byte, reader);
		return true;
	default:
		execute_rare(machine, byte, reader);
		return true;
	}
}

static bool run(struct machine *machine, struct unwind_reader reader)
{
	while (reader.at < reader.end && !reader.failed)
		if (!execute(machine, &reader))
			break;
	return !reader.failed;
}

/* Converts bytes to units of 8 that fit in `bits`. */
static bool in_units(int64_t bytes, unsigned bits, int64_t *units)
{
	*units = bytes / 8;
	return bytes % 8 == 0 && *units < INT64_C(1) << (bits - 1) &&
	       *units >= -(INT64_C(1) << (bits - 1));
}

static bool convert_saved(const struct unwind_saved *saved, bool *in_frame, int64_t *units)
{
	*in_frame = saved->how == UNWIND_SAVED_IN_FRAME;
	*units = 0;
	switch (saved->how) {
	case UNWIND_SAVED_AT_CFA:
	case UNWIND_SAVED_IN_FRAME:
		return in_units(saved->offset, 17, units);
	case UNWIND_SAVED_IN_REGISTER:
	case UNWIND_SAVED_VALUE:
		return false;
	case UNWIND_SAVED_NOWHERE:
	case UNWIND_SAVED_OTHERWISE:
		*units = UNWIND_ELSEWHERE;
		return true;
	case UNWIND_SAVED_NOT:
		break;
	}
	return true;
}

static struct unwind_rule convert(const struct unwind_row *row)
{
	struct unwind_rule rule = {.kind = UNWIND_ROW}, rare = rule;
	const struct unwind_saved *back = &row->saved[UNWIND_ROW_RETURN];
	struct unwind_saved other = row->saved[UNWIND_ROW_OTHER];
	bool fp_in_frame, other_in_frame;
	int64_t cfa, fp, units;

	if (back->how == UNWIND_SAVED_NOWHERE) {
		rule.kind = UNWIND_END;
		return rule;
	}
#ifdef __aarch64__
	other = *back;
#else
	if (back->how != UNWIND_SAVED_AT_CFA || back->offset != -8)
		return rare;
#endif
	if (row->kind == UNWIND_ROW || row->base >= UNWIND_REGISTERS ||
	    row->saved[UNWIND_ROW_SP].how != UNWIND_SAVED_NOT || !in_units(row->cfa, 20, &cfa) ||
	    !convert_saved(&row->saved[UNWIND_ROW_FP], &fp_in_frame, &fp) ||
	    !convert_saved(&other, &other_in_frame, &units))
		return rare;
	rule.kind = row->kind;
	rule.base = row->base & 31;
	rule.cfa = cfa;
	rule.fp = fp;
	rule.fp_in_frame = fp_in_frame;
	rule.other = units;
	rule.other_in_frame = other_in_frame;
	return rule;
}

bool unwind_row_read(const struct unwind_section *section, uintptr_t pc, struct unwind_row *row,
		     bool *signal)
{
	struct unwind_entry entry;
	struct machine machine = {.entry = &entry, .pc = pc};

	if (!unwind_entry_find(section, pc, &entry))
		return false;
	*signal = entry.signal;
	machine.location = entry.start;
	machine.row.kind = UNWIND_ROW;
	*row = machine.row;
	if (!run(&machine, entry.common))
		return true;
	machine.initial = machine.row;
	if (run(&machine, entry.own))
		*row = machine.row;
	return true;
}

bool unwind_rule_read(const struct unwind_section *section, uintptr_t pc, struct unwind_rule *rule,
		      bool *signal)
{
	struct unwind_row row;

	if (!unwind_row_read(section, pc, &row, signal))
		return false;
	*rule = convert(&row);
	return true;
}
