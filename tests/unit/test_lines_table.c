/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/opencl/lines_table.h"

#define HEAD "// computeprof-rewrite 2 sites 2 stripes 16 words 16 sums work-item\n"
#define REST                                                                                       \
	"// kernel one argument 3\n"                                                               \
	"// original two: it has a block\n"                                                        \
	"// site 0 load values 4 one 12 7 a: b.cl: int\n"                                          \
	"// site 1 store count 24 helper 4294967295 1 a.cl: item\n"                                \
	"// uncounted one 3 1 a.cl: atomic_add\n"                                                  \
	"kernel void one() {}\n"

static void reads_a_table(void **state)
{
	static const char text[] = HEAD REST;
	struct lines_table table;

	(void)state;
	assert_true(lines_table_read(&table, text));
	assert_int_equal(table.sites, 2);
	assert_int_equal(lines_table_bytes(&table), (2 * 16 + 1) * 16 * 4);
	assert_false(table.list[0].is_store);
	assert_int_equal(table.list[0].line, 12);
	assert_int_equal(table.list[0].function_length, 3);
	assert_memory_equal(text + table.list[0].function_at, "one", 3);
	assert_int_equal(table.list[0].file_length, 1);
	assert_true(table.list[1].is_store);
	assert_memory_equal(text + table.list[1].file_at, "a.cl", 4);
	free(table.list);
}

static void reads_a_part(void **state)
{
	static const char text[] = HEAD "// site 1 store values 4 one 12 7 a.cl: int\n";
	struct lines_table table;

	(void)state;
	assert_true(lines_table_read(&table, text));
	assert_int_equal(table.sites, 2);
	assert_true(table.list[1].is_store);
	free(table.list);
}

static void finds_included_files(void **state)
{
	static const char text[] =
		HEAD "// included /a b/c.h\n// included d.h\n" REST "// included e.h\n";
	const char *at = text, *name;
	size_t length;

	(void)state;
	name = lines_table_included(&at, &length);
	assert_memory_equal(name, "/a b/c.h\n", length + 1);
	name = lines_table_included(&at, &length);
	assert_memory_equal(name, "d.h\n", length + 1);
	assert_null(lines_table_included(&at, &length)); /* the table has ended */
	at = "// computeprof-rewrite 2";
	assert_null(lines_table_included(&at, &length));
	assert_null(lines_table_included(&at, &length));
	at = "";
	assert_null(lines_table_included(&at, &length));
}

static void finds_reasons(void **state)
{
	static const char reasons[] =
		"a.cl:1:1: kernel one is not rewritten: no accesses\na.cl:3:1: kernel two is not "
		"rewritten: it has a block\n";
	struct strbuf reason = STRBUF_INIT;

	(void)state;
	lines_table_reason(&reason, reasons, "two");
	assert_string_equal(strbuf_text(&reason), "it has a block");
	reason.length = 0;
	lines_table_reason(&reason, reasons, "one");
	assert_string_equal(strbuf_text(&reason), "no accesses");
	reason.length = 0;
	lines_table_reason(&reason, reasons, "on");
	assert_string_equal(strbuf_text(&reason),
			    "a.cl:1:1: kernel one is not rewritten: no accesses");
	reason.length = 0;
	lines_table_reason(&reason, "there is no memory", "one");
	assert_string_equal(strbuf_text(&reason), "there is no memory");
	strbuf_free(&reason);
}

static void refuses_others(void **state)
{
	static const char *const texts[] = {
		"",
		"kernel void one() {}\n",
		HEAD,
		HEAD "// site 0 load values 4 one 1 7 a.cl: int\n// site 2 load values 4 one 1 7 "
		     "a.cl: int\n",
		HEAD "// site 0 load values 4 one 1 7 a.cl: int\n// site 1 jump values 4 one 1 7 "
		     "a.cl: int\n",
		HEAD "// site 0 load values 4 one 1 7 a.cl: int\n// site 1 load\n",
		"// computeprof-rewrite 3 sites 1 stripes 16 words 16 sums work-item\n",
		"// computeprof-rewrite 2 sites 0 stripes 16 words 16 sums work-item\n",
		"// computeprof-rewrite 2 sites 99999999999 stripes 1 words 16 sums work-item\n",
		"// computeprof-rewrite 2 sites 1 stripes 0 words 16 sums work-item\n",
		"// computeprof-rewrite 2 sites 1 stripes 16 words 8 sums work-item\n",
	};
	struct lines_table table;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_false(lines_table_read(&table, texts[i]));
		assert_null(table.list);
	}
}

static void finds_kernels(void **state)
{
	static const char text[] = HEAD REST;
	struct strbuf reason = STRBUF_INIT;
	struct lines_arguments added = {0};

	(void)state;
	assert_true(lines_table_kernel(text, "one", &added, &reason));
	assert_int_equal(added.index, 3);
	assert_int_equal(added.local, 0);
	assert_false(lines_table_kernel(text, "two", &added, &reason));
	assert_string_equal(strbuf_text(&reason), "it has a block");
	reason.length = 0;
	assert_false(lines_table_kernel(text, "on", &added, &reason));
	assert_string_equal(strbuf_text(&reason), "it is not among the rewritten kernels");
	strbuf_free(&reason);
}

/* The counters of 2 sites in 16 stripes, and the number of work-groups behind them. */
static void reads_groups(void **state)
{
	static const char by_group[] =
		"// computeprof-rewrite 2 sites 2 stripes 16 words 16 sums work-group\n"
		"// kernel one argument 3 local 592\n" REST;
	uint32_t counters[33 * LINES_WORDS] = {0};
	struct lines_arguments added = {0};
	struct strbuf reason = STRBUF_INIT;
	struct lines_table table;

	(void)state;
	assert_true(lines_table_read(&table, HEAD REST));
	assert_false(table.by_group);
	free(table.list);
	assert_true(lines_table_read(&table, by_group));
	assert_true(table.by_group);
	assert_int_equal(lines_table_bytes(&table), sizeof(counters));
	counters[32 * LINES_WORDS] = 5;
	counters[32 * LINES_WORDS + 1] = 7;
	assert_int_equal(lines_table_groups(&table, counters), UINT64_C(0x700000005));
	assert_true(lines_table_kernel(by_group, "one", &added, &reason));
	assert_int_equal(added.index, 3);
	assert_int_equal(added.local, 592);
	free(table.list);
}

static const char *obstacle(const char *source, const char *options)
{
	static struct strbuf room;

	room.length = 0;
	return lines_table_obstacle(source, options, &room);
}

static void finds_obstacles(void **state)
{
	static const char source[] = "#define A 1\n__kernel void f(__global int *a) { *a = A; }\n";

	(void)state;
	assert_null(obstacle(source, ""));
	assert_null(obstacle(source, "-cl-std=CL1.2 -DB=1 -w"));
	assert_non_null(obstacle(source, "-DB=\"1 2\""));
	assert_non_null(obstacle(source, "-cl-std=CL2.0"));
	assert_non_null(obstacle(source, "-cl-std=CL1.2 -cl-std=CL3.0"));
	assert_null(obstacle("#if __OPENCL_VERSION__ > 100\n#endif\n", ""));
	assert_non_null(obstacle("#if defined __NV_CL_C_VERSION\n#endif\n", ""));
	assert_non_null(obstacle("#define X __CPU__\n#if X\n#endif\n", ""));
	assert_null(obstacle("int a__b;\n", ""));
}

static void knows_groups(void **state)
{
	(void)state;
	assert_true(lines_table_is_free("a[get_global_id(0)] = 1;"));
	assert_false(lines_table_is_free("a[get_local_id(0)] = 1;"));
	assert_false(lines_table_is_free("barrier(0);"));
	assert_false(lines_table_is_free("#define A(x) get_##x\n"));
}

static void finds_lines(void **state)
{
	static const char source[] = "one\n\t  two\r\n\nfour";
	size_t length;

	(void)state;
	assert_memory_equal(lines_table_line(source, 2, &length), "two", 3);
	assert_int_equal(length, 3);
	lines_table_line(source, 3, &length);
	assert_int_equal(length, 0);
	assert_string_equal(lines_table_line(source, 4, &length), "four");
	assert_int_equal(length, 4);
	lines_table_line(source, 5, &length);
	assert_int_equal(length, 0);
	lines_table_line(source, 0, &length);
	assert_int_equal(length, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_table),  cmocka_unit_test(reads_a_part),
		cmocka_unit_test(finds_reasons),  cmocka_unit_test(finds_included_files),
		cmocka_unit_test(refuses_others), cmocka_unit_test(finds_kernels),
		cmocka_unit_test(reads_groups),	  cmocka_unit_test(finds_obstacles),
		cmocka_unit_test(knows_groups),	  cmocka_unit_test(finds_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
