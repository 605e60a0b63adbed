/* SPDX-License-Identifier: MIT */
/* Preprocessing of OpenCL C: the program's macros are expanded, the compiler's stay. Expansions are
 * examples of C99 6.10.3.5, or what gcc -E prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "rewrite/options.h"
#include "rewrite/preprocess.h"

static const struct {
	const char *source, *result; /* without white space; NULL: refused */
} cases[] = {
	{"a // b\nc /* d\n e */ f", "acf"},
	{"#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z "
	 "z[0]\n"
	 "#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n"
	 "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
	 "f(2*(y+1))+f(2*(f(2*(z[0]))))%f(2*(0))+t(1);"},
	{"#define x 2\n#define f(a) f(x * (a))\n#define g f\n#define w 0,1\n#define h g(~\n"
	 "#define m(a) a(w)\n#define z z[0]\n"
	 "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);",
	 "f(2*(2+(3,4)-0,1))|f(2*(~5))&f(2*(0,1))^m(0,1);"},
	{"#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\n"
	 "t(10,,), t(,11,), t(,,12), t(,,) };",
	 "intj[]={123,45,67,89,10,11,12,};"},
	{"#define str(s) # s\n#define xstr(s) str(s)\n#define INCFILE(n) vers ## n\n"
	 "xstr(INCFILE(2).h) str(\"a\\n\" 'b'  +  c)",
	 "\"vers2.h\"\"\\\"a\\\\n\\\"'b'+c\""},
	{"#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
	 "#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);",
	 "charp[]=\"x##y\";"},
	{"#define debug(...) f(s, __VA_ARGS__)\n#define e(x, ...) x __VA_ARGS__\n"
	 "debug(\"%d\", x); e(1, 2, 3) e(4,)",
	 "f(s,\"%d\",x);12,34"},
	{"#define f(a) a\nf\nf (1\n,", NULL},
	{"#define f(a, b) a\nf(1)", NULL},
	{"#define f() 1\nf() f( ) f", "11f"},
	{"#define a b\n#define b a\na b", "ab"},
	{"#define EMPTY\n#define f(a) <a>\nf(EMPTY) EMPTY x f(f)(1)", "<>x<f>(1)"},
	{"a \\\nb\\\r\nc // d \\\n e\nf", "abcf"},
	{"\"// no\" '/*' \"\\\"\" // yes", "\"//no\"'/*'\"\\\"\""},
	{"#if 1\na\n#elif 1\nb\n#else\nc\n#endif\n", "a"},
	{"#if 0\na\n#elif 1\nb\n#elif 1\nd\n#else\nc\n#endif\n", "b"},
	{"#ifdef X\n#if what ever\n#error no\n#endif\na\n#else\nc\n#endif\n", "c"},
	{"#ifndef X\n#define X\n#endif\n#ifdef X\nx\n#endif\n", "x"},
	{"#if 1\n", NULL},
	{"#endif\n", NULL},
	{"#else\n", NULL},
	{"#if 1\n#else\n#else\n#endif\n", NULL},
	{"#if 1 +\n#endif\n", NULL},
	{"#error what\n", NULL},
	{"#if 0\n#error what\n#nonsense\n'\n#endif\nx", "x"},
	{"#nonsense\n", NULL},
	{"#define\n", NULL},
	{"#define f(a\n", NULL},
	{"#define f(a b) a\n", NULL},
	{"#include \"not there\"\n", NULL},
	{"#include\n", NULL},
	{"#\n__LINE__ __FILE__\n#line 5\nx\n# 1 \"file\"\ny", "2\"test.cl\"xy"},
	{"#line 5\n__LINE__", NULL},
	{"# 1 \"file\"\n__FILE__", NULL},
	{"// \\ \nno\n// \\\t\r\nno\n// \\\rno\na", "a"},
	{"// no\ra // no\r\nb\r#define c __LINE__\rc", "ab5"},
	{"#pragma unroll 4\nx\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
	 "#pragmaunroll4x#pragmaOPENCLEXTENSIONcl_khr_fp64:enable"},
	{"FOREIGN FUNCTION(FOREIGN) /* stay */\n#if FOREIGN == 7 && FUNCTION(1) == 1\nyes\n#endif",
	 "FOREIGNFUNCTION(FOREIGN)yes"},
	{"#define OWN FUNCTION(x)\nOWN\n#undef FOREIGN\nFOREIGN\n#ifndef FOREIGN\nno\n#endif",
	 "FUNCTION(x)#undefFOREIGNFOREIGNno"},
	{"#undef FOREIGN\n#define FOREIGN 8\nFOREIGN", "#undefFOREIGN8"},
	{"#define m -1\n#define plus +\nx-m +plus y", "x--1++y"},
	{"GIVEN TWO SUM(1, 2) ONE", "given21+2ONE"},
	{"1.5e+3f 0x1p-2 .5 a.b a->b x<<=1 ...", "1.5e+3f0x1p-2.5a.ba->bx<<=1..."},
};

static const char *const options[] = {
	"-DGIVEN=given", "-D", "TWO=2", "-DSUM(a,b)=a + b", "-cl-std=CL1.2", "-DONE", "-U",
	"ONE",		 NULL};

static void define_foreign(struct preprocessed *text, const char *definition)
{
	struct token *tokens = token_read(text->arena, "", definition, strlen(definition));

	text->macros.arena = text->arena;
	assert_false(macro_define(&text->macros, tokens, true));
}

static int run(struct preprocessed *text, const char *source, const char *const *with)
{
	define_foreign(text, "FOREIGN 7");
	define_foreign(text, "FUNCTION(x) x");
	assert_false(options_apply(text, NULL, with));
	return preprocess(text, "test.cl", source, strlen(source));
}

static void remove_space(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (!strchr(" \n", *text))
			*to++ = *text;
	*to = 0;
}

static void expands(void **state)
{
	struct preprocessed text;
	struct arena arena;
	char *result;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		arena = (struct arena){0};
		text = (struct preprocessed){.arena = &arena};
		if (run(&text, cases[i].source, options) != (cases[i].result ? 0 : -1))
			fail_msg("%s: %s", cases[i].source, text.error);
		result = strdup(strbuf_text(&text.text));
		remove_space(result);
		if (cases[i].result && strcmp(result, cases[i].result) != 0)
			fail_msg("%s: %s instead of %s", cases[i].source, result, cases[i].result);
		free(result);
		preprocess_free(&text);
		arena_free(&arena);
	}
}

/* Tokens that a macro brings together stay apart. */
static void keeps_tokens(void **state)
{
	struct arena arena = {0};
	struct preprocessed text = {.arena = &arena};

	(void)state;
	assert_false(run(&text, "#define m -1\nx-m;f(a)+m", options));
	assert_string_equal(strbuf_text(&text.text), "\nx- - 1 ;f(a)+ - 1\n");
	preprocess_free(&text);
	arena_free(&arena);
}

static void finds_places(void **state)
{
	static const char source[] = "#define m one two\n\n  a \\\n b m(\n  m) c";
	static const struct {
		const char *word;
		unsigned line, column;
	} places[] = {{"a", 3, 3}, {"b", 4, 2}, {"one", 4, 4}, {"two", 4, 4}, {"c", 5, 6}};
	struct arena arena = {0};
	struct preprocessed text = {.arena = &arena};
	struct origin at;
	const char *found;

	(void)state;
	assert_false(run(&text, source, options));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		found = strstr(strbuf_text(&text.text), places[i].word);
		assert_non_null(found);
		at = preprocess_origin(&text, (size_t)(found - text.text.data));
		assert_int_equal(at.line, places[i].line);
		assert_int_equal(at.column, places[i].column);
		assert_string_equal(at.file, "test.cl");
	}
	preprocess_free(&text);
	arena_free(&arena);
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void remove_file(const char *folder, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	unlink(path);
}

static void includes_in(const char *folder)
{
	const char *const with[] = {"-I", folder, NULL};
	struct arena arena = {0};
	struct preprocessed text = {.arena = &arena};
	struct origin at;

	assert_false(run(&text,
			 "#define N <one.h>\n#include N\n#include \"one.h\"\n"
			 "#include <once.h>\n#include <once.h>\n",
			 with));
	assert_string_equal(strbuf_text(&text.text), "\none\ntwo\none\ntwo\nonce\n");
	at = preprocess_origin(&text, 5);
	assert_int_equal(at.line, 1);
	assert_string_equal(strrchr(at.file, '/'), "/two.h");
	preprocess_free(&text);
	text = (struct preprocessed){.arena = &arena};
	assert_int_equal(run(&text, "#include <self.h>\n", with), -1);
	assert_string_equal(text.error, "files include each other too deeply");
	preprocess_free(&text);
	arena_free(&arena);
}

static void includes(void **state)
{
	static const char *const names[] = {"one.h", "two.h", "once.h", "self.h"};
	char folder[] = "/tmp/test_preprocess.XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(folder));
	write_file(folder, "one.h", "one\n#include \"two.h\"\n");
	write_file(folder, "two.h", "two\n");
	write_file(folder, "once.h", "#pragma once\nonce\n");
	write_file(folder, "self.h", "#include <self.h>\n");
	includes_in(folder);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		remove_file(folder, names[i]);
	assert_int_equal(rmdir(folder), 0);
}

/* "f(f(f(...)))" ends in a message, not in the end of the stack. */
static void ends(void **state)
{
	enum { DEEP = 1000 };
	struct arena arena = {0};
	struct preprocessed text = {.arena = &arena};
	char *source = malloc(4 * DEEP + 100), *at = source;

	(void)state;
	assert_non_null(source);
	at += sprintf(at, "#define f(a) a\n");
	for (int i = 0; i < DEEP; i++)
		at += sprintf(at, "f(");
	for (int i = 0; i < DEEP; i++)
		at += sprintf(at, ")");
	assert_int_equal(run(&text, source, options), -1);
	assert_string_equal(text.error, "macros are nested too deeply");
	preprocess_free(&text);
	arena_free(&arena);
	free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expands),	cmocka_unit_test(keeps_tokens),
		cmocka_unit_test(finds_places), cmocka_unit_test(includes),
		cmocka_unit_test(ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
