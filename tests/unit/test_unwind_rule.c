/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <link.h>

#include <cmocka.h>

#include "base/unwind_rule.h"
#include "random.h"

/* A table of one function of 64 bytes at the start of the section, and its instructions. */
enum { CODE = 64, HEADER = CODE, CIE = HEADER + 20, FDE = CIE + 24, SIZE = FDE + 100 };

struct table {
	uint8_t bytes[SIZE];
	struct unwind_section section;
};

#ifdef __x86_64__
static void put(uint8_t *at, int64_t value)
{
	int32_t word = (int32_t)value;

	memcpy(at, &word, sizeof(word));
}

static void build(struct table *table, const char *letters, const uint8_t *code, size_t size)
{
	uint8_t *bytes = table->bytes, cie[24] = {0};

	memset(bytes, 0, SIZE);
	table->section = (struct unwind_section){bytes, bytes + SIZE, bytes + HEADER};
	memcpy(bytes + HEADER, (const uint8_t[]){1, 0x1b, 0x03, 0x3b}, 4);
	put(bytes + HEADER + 4, CIE - HEADER - 4);
	put(bytes + HEADER + 8, 1);
	put(bytes + HEADER + 12, -HEADER);
	put(bytes + HEADER + 16, FDE - HEADER);
	put(cie, 20);
	cie[8] = 1;
	strcpy((char *)cie + 9, letters);
	/* Code unit 1, data unit -8, return register, 1 byte: relative to its place, 4 bytes. */
	memcpy(cie + 10 + strlen(letters), (const uint8_t[]){1, 0x78, UNWIND_RETURN, 1, 0x1b}, 5);
	memcpy(bytes + CIE, cie, sizeof(cie));
	put(bytes + FDE, 13 + (int64_t)size);
	put(bytes + FDE + 4, FDE + 4 - CIE);
	put(bytes + FDE + 8, -(FDE + 8));
	put(bytes + FDE + 12, CODE);
	memcpy(bytes + FDE + 17, code, size);
}

static struct unwind_rule rule_at(const struct table *table, size_t offset)
{
	struct unwind_rule rule = {.kind = UNWIND_NOT_READ};
	bool signal = false;

	assert_true(unwind_rule_read(&table->section, (uintptr_t)table->bytes + offset, &rule,
				     &signal));
	assert_false(signal);
	return rule;
}

enum { SAVE_RETURN = 0x80 | UNWIND_RETURN, SAVE_FP = 0x80 | UNWIND_FP };

static void test_rows(void **state)
{
	static const uint8_t code[] = {
		0x0c,
		UNWIND_SP,
		8, /* CFA = sp + 8 */
		SAVE_RETURN,
		1, /* at CFA - 8 */
		0x41,
		0x0e,
		16, /* from byte 1: CFA = sp + 16 */
		SAVE_FP,
		2, /* at CFA - 16 */
		0x43,
		0x0d,
		UNWIND_FP, /* from byte 4: CFA = fp + 16 */
		0x0a,
		0x02,
		20, /* remembered; from byte 24 */
		0x0c,
		UNWIND_SP,
		8,
		0xc0 | UNWIND_FP, /* as at the start */
		0x03,
		8,
		0,
		0x0b, /* from byte 32: as remembered */
		0x44,
		0x07,
		UNWIND_RETURN, /* from byte 36: no caller */
	};
	struct table table;
	struct unwind_rule rule;

	(void)state;
	build(&table, "zR", code, sizeof(code));
	rule = rule_at(&table, 0);
	assert_int_equal(rule.kind, UNWIND_OFFSET);
	assert_int_equal(rule.base, UNWIND_SP);
	assert_int_equal(rule.cfa, 1);
	assert_int_equal(rule.fp, 0);
	rule = rule_at(&table, 3);
	assert_int_equal(rule.cfa, 2);
	assert_int_equal(rule.fp, -2);
	for (size_t offset = 4; offset < 36; offset += 28) {
		rule = rule_at(&table, offset);
		assert_int_equal(rule.base, UNWIND_FP);
		assert_int_equal(rule.cfa, 2);
		assert_int_equal(rule.fp, -2);
	}
	rule = rule_at(&table, 24);
	assert_int_equal(rule.base, UNWIND_SP);
	assert_int_equal(rule.cfa, 1);
	assert_int_equal(rule.fp, 0);
	assert_int_equal(rule_at(&table, 36).kind, UNWIND_END);
	assert_false(unwind_rule_read(&table.section, (uintptr_t)table.bytes + CODE, &rule,
				      &(bool){false}));
	assert_false(unwind_rule_read(&table.section, (uintptr_t)table.bytes - 1, &rule,
				      &(bool){false}));
}

/* The expressions of functions that align their stack, and of procedure linkage tables. */
static void test_expressions(void **state)
{
	static const uint8_t linkage[] = {SAVE_RETURN, 1,    0x0f, 11,	 0x77, 8,    0x80, 0,
					  0x3f,	       0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};
	static const uint8_t aligned[] = {SAVE_RETURN, 1,    0x0f,	3, 0x76, 0x78,
					  0x06,	       0x10, UNWIND_FP, 2, 0x76, 0};
	static const uint8_t next[] = {SAVE_RETURN, 1, 0x0f, 5, 0x77, 0x28, 0x06, 0x23, 8};
	static const uint8_t further[] = {SAVE_RETURN, 1, 0x0f, 5, 0x77, 0x28, 0x06, 0x23, 16};
	static const uint8_t more[] = {SAVE_RETURN, 1, 0x0f, 6, 0x77, 0x28, 0x06, 0x23, 8, 0x96};
	static const uint8_t others[] = {SAVE_RETURN, 1, 0x0f, 3, 0x76, 0x78, 0x94};
	struct table table;
	struct unwind_rule rule;

	(void)state;
	build(&table, "zR", linkage, sizeof(linkage));
	for (size_t offset = 0; offset < CODE; offset++) {
		size_t place = ((uintptr_t)table.bytes + offset) % 16;

		rule = rule_at(&table, offset);
		assert_int_equal(rule.kind, UNWIND_OFFSET);
		assert_int_equal(rule.cfa, place >= 11 ? 2 : 1);
	}
	build(&table, "zR", aligned, sizeof(aligned));
	rule = rule_at(&table, 5);
	assert_int_equal(rule.kind, UNWIND_LOAD);
	assert_int_equal(rule.base, UNWIND_FP);
	assert_int_equal(rule.cfa, -1);
	assert_true(rule.fp_in_frame);
	assert_int_equal(rule.fp, 0);
	build(&table, "zR", next, sizeof(next));
	rule = rule_at(&table, 5);
	assert_int_equal(rule.kind, UNWIND_LOAD_NEXT);
	assert_int_equal(rule.base, UNWIND_SP);
	assert_int_equal(rule.cfa, 5);
	build(&table, "zR", further, sizeof(further));
	assert_int_equal(rule_at(&table, 5).kind, UNWIND_ROW);
	build(&table, "zR", more, sizeof(more));
	assert_int_equal(rule_at(&table, 5).kind, UNWIND_ROW);
	build(&table, "zR", others, sizeof(others));
	assert_int_equal(rule_at(&table, 5).kind, UNWIND_ROW);
}

/* Only the register is not known. */
static void test_elsewhere(void **state)
{
	static const uint8_t code[] = {
		0x0c,
		UNWIND_SP,
		16,
		SAVE_RETURN,
		1,
		0x07,
		UNWIND_FP, /* undefined */
		0x41,
		0x06,
		UNWIND_FP,
		0x07,
		UNWIND_OTHER, /* from byte 1: undefined */
		0x41,
		0x16,
		UNWIND_OTHER,
		2,
		0x77,
		8, /* from byte 2: a value */
	};
	struct table table;
	struct unwind_rule rule;

	(void)state;
	build(&table, "zR", code, sizeof(code));
	rule = rule_at(&table, 0);
	assert_int_equal(rule.kind, UNWIND_OFFSET);
	assert_int_equal(rule.cfa, 2);
	assert_int_equal(rule.fp, UNWIND_ELSEWHERE);
	assert_int_equal(rule.other, 0);
	for (size_t offset = 1; offset < 3; offset++) {
		rule = rule_at(&table, offset);
		assert_int_equal(rule.kind, UNWIND_OFFSET);
		assert_int_equal(rule.fp, 0);
		assert_int_equal(rule.other, UNWIND_ELSEWHERE);
	}
}

static struct unwind_row row_at(const struct table *table, size_t offset)
{
	struct unwind_row row;
	bool signal = false;

	assert_true(
		unwind_row_read(&table->section, (uintptr_t)table->bytes + offset, &row, &signal));
	assert_false(signal);
	return row;
}

static void check_saved(const struct unwind_row *row, int index, enum unwind_saved_how how,
			int64_t offset)
{
	assert_int_equal(row->saved[index].how, how);
	assert_int_equal(row->saved[index].offset, offset);
}

/* Registers in others, as in longjmp, have no rule but a row. */
static void test_registers(void **state)
{
	static const uint8_t code[] = {
		0x0c,	   5,
		0, /* CFA = register 5 */
		0x09,	   UNWIND_SP,
		8,	   0x09,
		UNWIND_FP, 9,
		0x09,	   UNWIND_RETURN,
		1,	   0x80 | UNWIND_OTHER,
		0x7f, /* at CFA - 8 * 127 */
		0x41,	   0x14,
		UNWIND_SP, 2, /* from byte 1: sp = CFA - 16 */
		0x15,	   UNWIND_FP,
		0x7e, /* fp = CFA + 16 */
	};
	struct unwind_row row;
	struct table table;

	(void)state;
	build(&table, "zR", code, sizeof(code));
	assert_int_equal(rule_at(&table, 0).kind, UNWIND_ROW);
	row = row_at(&table, 0);
	assert_int_equal(row.kind, UNWIND_OFFSET);
	assert_int_equal(row.base, 5);
	assert_int_equal(row.cfa, 0);
	check_saved(&row, UNWIND_ROW_SP, UNWIND_SAVED_IN_REGISTER, 8);
	check_saved(&row, UNWIND_ROW_FP, UNWIND_SAVED_IN_REGISTER, 9);
	check_saved(&row, UNWIND_ROW_RETURN, UNWIND_SAVED_IN_REGISTER, 1);
	check_saved(&row, UNWIND_ROW_OTHER, UNWIND_SAVED_AT_CFA, -8 * 0x7f);
	row = row_at(&table, 1);
	check_saved(&row, UNWIND_ROW_SP, UNWIND_SAVED_VALUE, -16);
	check_saved(&row, UNWIND_ROW_FP, UNWIND_SAVED_VALUE, 16);
}

/* Offsets that do not fit have no rule but a row, if that is supported. */
static void test_large(void **state)
{
	static const uint8_t far[] = {SAVE_RETURN, 1, 0x0c, UNWIND_SP, 0xf8, 0xff, 0xff, 1};
	static const uint8_t too_far[] = {SAVE_RETURN, 1, 0x0c, UNWIND_SP, 0x80, 0x80, 0x80, 2};
	static const uint8_t odd[] = {SAVE_RETURN, 1, 0x0c, UNWIND_SP, 12};
	struct table table;

	(void)state;
	build(&table, "zR", far, sizeof(far));
	assert_int_equal(rule_at(&table, 0).kind, UNWIND_OFFSET);
	assert_int_equal(rule_at(&table, 0).cfa, (4 << 20) / 8 - 1);
	build(&table, "zR", too_far, sizeof(too_far));
	assert_int_equal(rule_at(&table, 0).kind, UNWIND_ROW);
	assert_int_equal(row_at(&table, 0).kind, UNWIND_OFFSET);
	assert_int_equal(row_at(&table, 0).cfa, 4 << 20);
	build(&table, "zR", odd, sizeof(odd));
	assert_int_equal(rule_at(&table, 0).kind, UNWIND_ROW);
}
#endif

/* The unwind tables of a loaded object. */
static int copy_section(struct dl_phdr_info *object, size_t size, void *argument)
{
	struct unwind_section *copy = argument;
	const ElfW(Phdr) *header = NULL, *part;

	(void)size;
	/* Sanitizers permit no copy of the program itself. */
	if (!strstr(object->dlpi_name, "libc.so"))
		return 0;
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			header = &object->dlpi_phdr[i];
	for (int i = 0; header && i < object->dlpi_phnum; i++) {
		part = &object->dlpi_phdr[i];
		if (part->p_type != PT_LOAD || header->p_vaddr - part->p_vaddr >= part->p_filesz)
			continue;
		copy->begin = malloc(part->p_filesz);
		assert_non_null(copy->begin);
		memcpy((void *)(uintptr_t)copy->begin,
		       (const void *)(object->dlpi_addr + part->p_vaddr), part->p_filesz);
		copy->end = copy->begin + part->p_filesz;
		copy->header = copy->begin + (header->p_vaddr - part->p_vaddr);
		return 1;
	}
	return 0;
}

/* Bytes that are wrong are read within the section. */
static void test_hostile(void **state)
{
	struct unwind_section section = {0};
	uint8_t *bytes;
	size_t size, table;
	uint32_t count;
	int read = 0;

	(void)state;
	dl_iterate_phdr(copy_section, &section);
	if (!section.begin)
		skip(); /* another C library */
	bytes = (uint8_t *)(uintptr_t)section.begin;
	size = (size_t)(section.end - section.begin);
	table = (size_t)(section.header - section.begin) + 12;
	memcpy(&count, section.header + 8, sizeof(count));
	for (int i = 0; i < 200000; i++) {
		int32_t row[2];
		size_t at, length = 1 + next_random() % 4;
		uint8_t saved[4], *place;
		struct unwind_rule rule;
		bool signal;

		memcpy(row, bytes + table + next_random() % count * sizeof(row), sizeof(row));
		at = (size_t)(section.header - section.begin) + (size_t)row[1];
		if (at >= size - 64)
			continue;
		place = bytes + (next_random() % 8 ? at + next_random() % 48 : table - 12);
		memcpy(saved, place, length);
		for (size_t j = 0; j < length; j++)
			place[j] = (uint8_t)next_random();
		read += unwind_rule_read(&section,
					 (uintptr_t)section.header + (uintptr_t)(intptr_t)row[0] +
						 next_random() % 32,
					 &rule, &signal);
		memcpy(place, saved, length);
	}
	assert_true(read > 10000);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef __x86_64__
		cmocka_unit_test(test_rows),	  cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_large),	  cmocka_unit_test(test_elsewhere),
		cmocka_unit_test(test_registers),
#endif
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
