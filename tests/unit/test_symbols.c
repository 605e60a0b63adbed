/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "random.h"
#include "view/symbols/symbols.h"

/* The program tests/app/inlines, also damaged: hostile files give functions or none, in bounded
 * time. tests/views/symbols.test checks the functions of the whole file. */
enum { TYPE = 16 /* offset of e_type, of which the first byte is used */ };
enum { DAMAGES = 400, ADDRESSES = 40, ROOM = 16, LIMIT = 1 << 20 };

static char *program;
static size_t size;

static void read_program(void)
{
	const char *folder = getenv("builddir");
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/app/inlines", folder ? folder : ".");
	file = fopen(path, "r");
	assert_non_null(file);
	program = malloc(LIMIT);
	assert_non_null(program);
	size = fread(program, 1, LIMIT, file);
	assert_true(size > 0 && size < LIMIT);
	fclose(file);
}

static void write_file(const char *bytes, size_t length)
{
	FILE *file = fopen("file", "w");

	assert_non_null(file);
	assert_true(!length || fwrite(bytes, length, 1, file) == 1);
	fclose(file);
}

static struct symbols *open_file(const struct symbols_file *file)
{
	struct strbuf why = STRBUF_INIT;
	struct symbols *symbols = symbols_open(file, &why);

	assert_true(!symbols || !why.length);
	strbuf_free(&why);
	return symbols;
}

/* Looks up addresses. Returns the number of functions. */
static size_t find_all(struct symbols *symbols)
{
	struct symbol found[ROOM];
	size_t functions = 0;

	for (uint64_t i = 0; i < ADDRESSES; i++) {
		size_t count = symbols_find(symbols, 0x1000 + 151 * i, found, ROOM);

		assert_true(count <= ROOM);
		for (size_t j = 0; j < count; j++) {
			functions += found[j].function && *found[j].function;
			functions += found[j].file && !*found[j].file;
		}
	}
	assert_true(symbols_find(symbols, UINT64_MAX, found, ROOM) <= ROOM);
	assert_int_equal(symbols_find(symbols, 0x1100, found, 0), 0);
	assert_true(symbols_find(symbols, 0x1100, found, 1) <= 1);
	return functions;
}

static void damage(char *bytes, size_t length)
{
	static const uint32_t words[] = {0, UINT32_MAX, INT32_MAX, 0x80808080};
	size_t at = next_random() % (length - 4);

	if (next_random() % 8 == 0)
		at = next_random() % 64; /* the header */
	if (next_random() % 2)
		bytes[at] = (char)next_random();
	else
		memcpy(bytes + at, &words[next_random() % 4], 4);
}

static void test_damaged(void **state)
{
	const struct symbols_file file = {.path = "file", .before = UINT64_MAX};
	size_t opened = 0, whole;
	char *bytes = malloc(LIMIT);
	struct symbols *symbols;

	(void)state;
	assert_non_null(bytes);
	write_file(program, size);
	symbols = open_file(&file);
	assert_non_null(symbols);
	whole = find_all(symbols);
	assert_true(whole > ADDRESSES);
	symbols_close(symbols);
	for (int i = 0; i < DAMAGES; i++) {
		size_t length = next_random() % 10 ? size : next_random() % size;

		memcpy(bytes, program, size);
		for (uint32_t j = next_random() % 8; j && length > 64; j--)
			damage(bytes, length);
		write_file(bytes, length);
		symbols = open_file(&file);
		if (symbols)
			find_all(symbols);
		opened += symbols != NULL;
		symbols_close(symbols);
	}
	assert_true(opened > DAMAGES / 2);
	free(bytes);
}

static void is_refused(const struct symbols_file *file, const char *words)
{
	struct strbuf why = STRBUF_INIT;

	assert_null(symbols_open(file, &why));
	assert_string_equal(strbuf_text(&why), words);
	strbuf_free(&why);
}

static void test_refused(void **state)
{
	static const char changed[] = "it was changed after the program had started";
	struct symbols_file file = {.path = "file", .before = UINT64_MAX};
	struct symbols *symbols;
	struct stat status;
	uint64_t written;
	char type;

	(void)state;
	is_refused(&file, ""); /* there is none */
	write_file("#!/bin/sh\n", 10);
	is_refused(&file, "it is not an ELF file");
	write_file("", 0);
	is_refused(&file, "it is not an ELF file");
	type = program[TYPE];
	program[TYPE] = ET_REL; /* as an object file */
	write_file(program, size);
	is_refused(&file, "it is neither a program nor a shared library");
	program[TYPE] = type;
	write_file(program, size);
	assert_int_equal(stat("file", &status), 0);
	written = (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec;
	file.before = written - 1;
	is_refused(&file, changed);
	file.before = written;
	symbols = open_file(&file);
	assert_non_null(symbols);
	symbols_close(symbols);
	file.before = 0; /* the build id is enough, and must be the same */
	file.build_id = (const uint8_t *)"another";
	file.build_id_length = 7;
	is_refused(&file, "it is not the file of the run: it has another build id");
	symbols_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
	};
	struct strbuf why = STRBUF_INIT;
	int result;

	if (symbols_check(&why)) {
		printf("1..0 # SKIP %s\n", strbuf_text(&why));
		strbuf_free(&why);
		return 0;
	}
	read_program();
	result = cmocka_run_group_tests(tests, NULL, NULL);
	free(program);
	return result;
}
