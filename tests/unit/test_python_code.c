/* SPDX-License-Identifier: MIT */
/* Functions of code objects that this test makes, and that are replaced at the same place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/python_code.h"

enum { PAGES = 64, COMPACT_ASCII = 1 << 2 | 1 << 5 | 1 << 6, COMPACT_TWO = 2 << 2 | 1 << 5 };

struct object {
	uint64_t references;
	uintptr_t type;
};

struct text {
	struct object object;
	uint64_t length;
	uint32_t state;
	char characters[1000];
};

struct bytes {
	struct object object;
	uint64_t length;
	uint8_t data[200];
};

struct code {
	struct object object;
	uintptr_t name, file, lines;
	uint32_t first_line, first_traced;
	uint16_t instructions[100];
};

static const char code_type, text_type, bytes_type;
static const struct python_interpreter interpreter = {
	.layout =
		{
			.kind = PYTHON_MARKED,
			.code_file = offsetof(struct code, file),
			.code_name = offsetof(struct code, name),
			.code_first_line = offsetof(struct code, first_line),
			.code_lines = offsetof(struct code, lines),
			.code_first_traced = offsetof(struct code, first_traced),
			.code_instructions = offsetof(struct code, instructions),
			.object_type = offsetof(struct object, type),
			.text_length = offsetof(struct text, length),
			.text_state = offsetof(struct text, state),
			.text_ascii = offsetof(struct text, characters),
			.text_other = offsetof(struct text, characters),
			.bytes_length = offsetof(struct bytes, length),
			.bytes_data = offsetof(struct bytes, data),
			.code_size = offsetof(struct code, instructions),
			.text_size = offsetof(struct text, characters),
		},
	.code_type = (uintptr_t)&code_type,
	.text_type = (uintptr_t)&text_type,
	.bytes_type = (uintptr_t)&bytes_type,
};

static struct text name, file;
static struct bytes lines;
static struct code code;

static void set_text(struct text *text, const char *value)
{
	text->object.type = (uintptr_t)&text_type;
	text->state = COMPACT_ASCII;
	text->length = strlen(value);
	memcpy(text->characters, value, text->length);
}

/* An entry of eight instructions: their line is `difference` below that of the entry before. */
static void add_lines(int difference)
{
	lines.object.type = (uintptr_t)&bytes_type;
	lines.data[lines.length++] = 0x80 | 13 << 3 | 7; /* no columns */
	lines.data[lines.length++] = (uint8_t)(2 * difference);
}

static void set_code(const char *name_value, const char *file_value, uint32_t first_line)
{
	set_text(&name, name_value);
	set_text(&file, file_value);
	code.object.type = (uintptr_t)&code_type;
	code.name = (uintptr_t)&name;
	code.file = (uintptr_t)&file;
	code.lines = (uintptr_t)&lines;
	code.first_line = first_line;
}

static uintptr_t frame_at(unsigned instruction)
{
	static uintptr_t pages[PAGES];
	struct python_memory memory = {pages, PAGES};

	return python_code_frame(&interpreter, &memory, (uintptr_t)&code,
				 (uintptr_t)&code.instructions[instruction]);
}

static void check_function(const char *name_value, const char *file_value, uint32_t first_line)
{
	const struct python_function *function = NULL;

	/* The second time, the same function is found again. */
	for (int i = 0; i < 2; i++) {
		uintptr_t word = frame_at(0);

		assert_true(python_is_frame(word));
		assert_true(!function || function == python_function_of(word));
		function = python_function_of(word);
		assert_non_null(function);
		assert_int_equal(function->first_line, first_line);
		assert_int_equal(function->name_length, strlen(name_value));
		assert_int_equal(function->file_length, strlen(file_value));
		assert_memory_equal(function->text, name_value, strlen(name_value));
		assert_memory_equal(function->text + strlen(name_value), file_value,
				    strlen(file_value));
	}
}

/* A new code object is at the address of one that has ended: any of its parts may differ. */
static void test_replaced(void **state)
{
	static const struct {
		const char *name, *file;
		uint32_t first_line;
	} rows[] = {
		{"Model.forward_pass", "/srv/models/first_model.py", 10},
		{"Model.forward_pasS", "/srv/models/first_model.py", 10},
		{"model.forward_pasS", "/srv/models/first_model.py", 10},
		{"model.forward_pasS", "/srv/models/first_model.pY", 10},
		{"model.forward_pasS", "/srv/models/First_model.pY", 10},
		{"model.forward_pasS", "/srv/models/First_model.pY", 11},
		{"model.forward_pas", "/srv/models/First_model.pY", 11},
		{"model.forward_pas", "/srv/models/First_model.p", 11},
		{"m", "f", 11},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		set_code(rows[i].name, rows[i].file, rows[i].first_line);
		check_function(rows[i].name, rows[i].file, rows[i].first_line);
	}
	for (size_t i = sizeof(rows) / sizeof(rows[0]); i--;) {
		set_code(rows[i].name, rows[i].file, rows[i].first_line);
		check_function(rows[i].name, rows[i].file, rows[i].first_line);
	}
}

/* Its texts alone may differ: they are compared by their bytes, not by their addresses. */
static void test_other_texts(void **state)
{
	static struct text another;
	struct text long_name = {.state = 0};

	(void)state;
	set_code("run", "worker.py", 3);
	check_function("run", "worker.py", 3);
	set_text(&another, "stop");
	code.name = (uintptr_t)&another;
	check_function("stop", "worker.py", 3);
	/* Two-byte characters with the same bytes as the last name, and a name that is cut off. */
	another.state = COMPACT_TWO;
	another.length = 2;
	check_function("\u7473\u706f", "worker.py", 3);
	memset(long_name.characters, 'x', sizeof(long_name.characters) - 1);
	set_text(&another, long_name.characters);
	long_name.characters[255] = '\0';
	check_function(long_name.characters, "worker.py", 3);
	another.object.type = (uintptr_t)&bytes_type;
	assert_int_equal(frame_at(0), 0);
	set_text(&another, "stop");
	check_function("stop", "worker.py", 3);
	code.object.type = (uintptr_t)&text_type;
	assert_int_equal(frame_at(0), 0);
}

/* The same function with another table of lines, which differs at its first or last byte. */
static void test_lines(void **state)
{
	(void)state;
	set_code("train", "loop.py", 100);
	for (int i = 0; i < 3; i++) {
		lines.length = 0;
		for (int entry = 0; entry < 12; entry++)
			add_lines(entry ? 1 : i);
		for (unsigned instruction = 0; instruction < 96; instruction += 8) {
			assert_int_equal(python_line(frame_at(instruction)),
					 100 + (unsigned)i + instruction / 8);
			assert_int_equal(python_line(frame_at(instruction + 7)),
					 100 + (unsigned)i + instruction / 8);
		}
		lines.data[lines.length - 1] = 2 * 5;
		assert_int_equal(python_line(frame_at(88)), 100 + (unsigned)i + 15);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_other_texts),
		cmocka_unit_test(test_lines),
	};

	if (python_code_start())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
