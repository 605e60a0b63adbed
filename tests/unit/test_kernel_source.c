/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "backend/opencl/kernel_access.h"

/* A kernel `k` whose second parameter is `q`, with this body. */
#define KERNEL(body) "__kernel void k(__global int *a, __global int *q) {" body "}\n"
#define PLAIN	     KERNEL("a[0] = 1;")

static int access_of(const char *source, const char *options, unsigned index, unsigned count)
{
	struct kernel_source found;
	int access = kernel_source_find(&found, source, options, "k")
			     ? kernel_source_access(&found, index, count)
			     : -1;

	kernel_source_free(&found);
	return access;
}

static bool ignores(const char *source, const char *options)
{
	return !access_of(source, options, 1, 2);
}

static void ignored(void **state)
{
	static const char *const sources[] = {
		PLAIN,
		KERNEL("{ a[0] = 1; } /* q */ // q\n"),
		KERNEL("printf(\"%d q } \\\" /*\", a[0]); a[1] = '\"'; a[2] = '}';"),
		KERNEL("// the lines of a comment \\\n go on q\n a[0] = 1;"),
		KERNEL("\n#pragma unroll 4\nfor (int i = 0; i < 4; i++) a[i] = 1.5e3f * qq + q2;"),
		KERNEL("") "__kernel void other(__global int *q) { *q = 1; }\n",
		"int q(int i) { return i; }\nint kk; " KERNEL("a[0] = kk;"),
		"#if 1\n" PLAIN "#endif\n",
		"#define FOR(i, n) for (int i = 0; i < n; i++) { work(); }\n" PLAIN,
		("__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void\nk (__global int *a,"
		 "\n\t__global int *restrict q)\n{ *a = 1; }"),
		"__kernel void k(__global int *a, __global int q[ 2 ] ) { *a = 1; }",
		"__kernel void k(__global int *a, __read_only image2d_t\nq) { *a = 1; }",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (!ignores(sources[i], "-cl-kernel-arg-info -DSIZE=4"))
			fail_msg("used: %s", sources[i]);
}

static void used(void **state)
{
	static const char *const sources[] = {
		"",
		"__kernel void other(__global int *q) {}",
		KERNEL("a[0] = q[1];"),
		KERNEL("a[0] = \\\nq[1];"),
		KERNEL("/* */ *q /* */ = 1;"),
		KERNEL("a[0] = '\"'; q[1] = '\"';"),
		KERNEL("printf(\"\\\\\"); *q = 1; printf(\"\");"),
		KERNEL("{ *a = 1; } *q = 1;"),
		/* Macros. */
		"#define LAST q\n" KERNEL("*LAST = 1;"),
		"#  define LAST \\\n q\n" KERNEL("*LAST = 1;"),
		"#define JOIN(a, b) a ## b\n" KERNEL("*JOIN(, q) = 1;"),
		"#define BEGIN {\n" KERNEL("if (*a) BEGIN *a = 1; } *q = 1; if (*a) BEGIN"),
		"#define OPEN (\n" PLAIN,
		"#define k kernel_of_another_name\n" PLAIN,
		"#include <header>\n" PLAIN,
		"# /**/ include <header>\n" PLAIN,
		/* Lines that may not be compiled, and definitions that may not be it. */
		KERNEL("\n#if ONE\n*a = 1; }\n#else\n*a = 2; }\n#endif\n"),
		PLAIN "#if 0\n" PLAIN "#endif\n",
		"__kernel void k(__global int *a, __global int *q);\n" PLAIN,
		"#define DEFINE(n) __kernel void n(__global int *a, __global int *q)\n"
		"DEFINE(k) { *q = 1; }",
		"#define BOTH __global int *a, __global int *q\n__kernel void k(BOTH) { *q = 1; }",
		"__kernel void k(__global int *a, int b, __global int *q) { *a = 1; }",
		"__kernel void k(__global int *a, __global int *q __attribute__((unused))) {}",
		"__kernel void k(__global int *q, __global int q[]) { }",
		"__kernel void k(__global int *a, ) { }",
		/* Other spellings, and text without an end. */
		KERNEL("if (*a) <% *a = 1; } *q = 1; "),
		KERNEL("// ?\?/\n *q = 1;"),
		KERNEL("\n%:define LAST q\n *LAST = 1;"),
		KERNEL("*\\u0071 = 1;"),
		KERNEL("/* "),
		KERNEL("\""),
		"__kernel void k(__global int *a, __global int *q) { *a = 1; ",
		"__kernel void k(__global int *a, __global int *q",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (ignores(sources[i], ""))
			fail_msg("ignored: %s", sources[i]);
}

static void options(void **state)
{
	(void)state;
	assert_true(ignores(PLAIN, ""));
	assert_true(ignores(PLAIN, "-D q2=1 -Dqq -cl-std=CL1.2"));
	assert_false(ignores(PLAIN, "-DLAST=q"));
	assert_false(ignores(PLAIN, "-D a=q[1]"));
	assert_false(ignores(PLAIN, "-Dk=other"));
	assert_false(ignores(PLAIN, "-D'LAST=1'"));
	assert_false(ignores(PLAIN, "-DBEGIN={"));
	assert_false(ignores(PLAIN, "-DOPEN=("));
}

/* The access to `q` by the body of a kernel. */
static const struct {
	const char *body;
	int access;
} accesses[] = {
	{"q[0] = 1;", 2},
	{"if (a[0]) q[a[1]] = 1; else q [ 0 ] = 2;", 2},
	{"for (int i = 0; i < 4; i++) { a[i] = q[i]; }", 1},
	{"q[0] = a[0] = 1;", 2},
	{"q[q[0]] = 1;", 3},
	{"a[0] = q[1] == 1 || q[2] != 2 || !q[3] || q[4] <= 5 || q[4] >> 1;", 1},
	{"a[0] = a[1] - q[1] + -q[2] * ~q[3] / (float)q[4] % q[5] && q[6];", 1},
	{"if (q[0]) a[0] = min(q[1], q[2]) + abs(q[3]) + a[q[4]] + (a[1] ? q[5] : q[6]);", 1},
	{"q[0] += 1;", 3},
	{"q[0] <<= 1;", 3},
	{"q[0]++;", 3},
	{"--q[0];", 3},
	{"q[0] = 1; a[0] = q[0];", 3},
	{"q[0] = 1; // a[0] = q[0];\n", 2},
	/* Pointers, and forms that are not known. */
	{"*q = 1;", -1},
	{"f(q);", -1},
	{"f(&q[1]);", -1},
	{"f(a, & q[1]);", -1},
	{"__global int *p = q + 1; *p = 1;", -1},
	{"q[0] = 1; a = q;", -1},
	{"(q[0]) = 1;", -1},
	{"if (a[0]) a[0] = 1; else (q[0])++;", -1},
	{"do (q[0])--; while (a[0]);", -1},
	{"q[0][1] = 1;", -1},
	{"q[0]->a = 1;", -1},
	{"a->q[0] = 1;", -1},
	{"s.q[0] = 1;", -1},
	{"int q[1]; q[0] = 1;", -1},
	{"1[q] = 1;", -1},
	{"asm(\"\" : \"=m\"(q[0]));", -1},
	{"asm volatile (\"\" : \"=m\"(q[0]));", -1},
};

static void reads_and_writes(void **state)
{
	char source[256];

	(void)state;
	for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++) {
		snprintf(source, sizeof(source), KERNEL("%s"), accesses[i].body);
		if (access_of(source, "", 1, 2) != accesses[i].access)
			fail_msg("%d: %s", access_of(source, "", 1, 2), source);
	}
}

#define WRITES "{ q[0] = 1; }\n"
#define K(q)   "__kernel void k(" q ") "

/* The type of the elements, and macros. */
static void types(void **state)
{
	static const struct {
		const char *source;
		int access;
	} sources[] = {
		{K("__global float4 *q") "{ q[0].x = 1; q[1].s01.y = 2; }", 2},
		{K("__global float4 *q") "{ q[0].x += 1; }", 3},
		{K("__global volatile unsigned int *restrict q") WRITES, 2},
		{"typedef float real;\n" K("__global real *q") WRITES, 2},
		{"typedef unsigned long word; typedef int other;\n" K("__global word *q") WRITES,
		 2},
		{"#ifdef D\ntypedef double real;\n#else\ntypedef float real;\n#endif\n" K(
			 "__global real *q") WRITES,
		 2},
		{"typedef int row[4];\n" K("__global row *q") WRITES, -1},
		{"typedef struct { int a; } item;\n" K("__global item *q") WRITES, -1},
		{"#ifdef D\ntypedef int real[4];\n#else\ntypedef float real;\n#endif\n" K(
			 "__global real *q") WRITES,
		 -1},
		{"#define real float\n" K("__global real *q") WRITES, -1},
		{"#define float row\n" K("__global float *q") WRITES, -1},
		{K("__global struct item *q") WRITES, -1},
		{K("__global int **q") WRITES, -1},
		{K("__global int q[]") WRITES, -1},
		/* Declarations. */
		{K("__global const item *q") "{ f(q); }", 1},
		{K("__global item const *q") "{ f(q); }", 1},
		{K("__global item *const q") "{ f(q); }", -1},
		{K("__constant item *q") "{ f(q); }", 1},
		{K("__read_only image2d_t q") "{ f(q); }", 1},
		{K("write_only image2d_t q") "{ f(q); }", 2},
		{K("__read_write image2d_t q") "{ f(q); }", 3},
		{K("image2d_t q") "{ f(q); }", -1},
		{"#define const\n" K("__global const int *q") "{ *q = 1; }", -1},
		/* Macros. */
		{"#define STORE(x) x = 1\n" K("__global int *q") "{ STORE(q[0]); }", -1},
		{"#define SET = 1\n" K("__global int *q") "{ q[0] SET; }", -1},
		{"#define ADDRESS &\n" K("__global int *q") "{ f(ADDRESS q[0]); }", -1},
		{"#define BOTH 0] = 1, a[0\n" K("__global int *q") "{ int i = q[BOTH]; }", -1},
		{"#if defined(A)\n#pragma OPENCL EXTENSION a : enable\n#elif B\n#else\n#endif\n" K(
			 "__global int *q") "{ if (get_global_id(0)) q[0] = 1; else (f)(0); }",
		 2},
		{"#define if(x)\n" K("__global int *q") "{ if (1) q[0] = 1; }", -1},
		{"#define SIZE 4\n#define AT(i) (i + SIZE)\n" K("__global int *q") WRITES, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (access_of(sources[i].source, "-cl-std=CL2.0", 0, 1) != sources[i].access)
			fail_msg("%d: %s", access_of(sources[i].source, "", 0, 1),
				 sources[i].source);
	assert_int_equal(access_of(sources[0].source, "-cl-std=CLC++", 0, 1), -1);
	assert_int_equal(access_of(sources[2].source, "-Dint=row", 0, 1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ignored), cmocka_unit_test(used),
		cmocka_unit_test(options), cmocka_unit_test(reads_and_writes),
		cmocka_unit_test(types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
