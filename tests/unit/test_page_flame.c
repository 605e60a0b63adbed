/* SPDX-License-Identifier: MIT */
/* The functions of a page's flame graph, and what becomes of those beyond the limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "view/page/page_flame.h"

static struct page_flame graph;
static struct names *names;

static void begin(void)
{
	assert_int_equal(page_flame_open(&graph), 0);
	names = names_new();
	assert_non_null(names);
}

static void end(void)
{
	page_flame_close(&graph);
	names_free(names);
}

/* Adds time to a stack such as "main;run". */
static void add(const char *stack, enum flame_class class, uint64_t time)
{
	struct flame_sum sum = {.class = class, .time = time, .count = 1};

	for (;;) {
		size_t length = strcspn(stack, ";");

		sum.frame = flame_add_frame(&graph.flame, sum.frame, stack, length, NULL, 0);
		if (!stack[length])
			break;
		stack += length + 1;
	}
	assert_int_equal(flame_add_sum(&graph.flame, &sum), 0);
	graph.flame.samples++;
}

static uint64_t number(const char **at)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	uint64_t value = 0, digit;
	unsigned shift = 0;

	do {
		digit = (uint64_t)(strchr(digits, *(*at)++) - digits);
		value |= (digit & 31) << shift;
		shift += 5;
	} while (digit > 31);
	return value;
}

/* Makes the graph; compares depth, name and own time of its functions. */
static void expect(const char *wanted)
{
	struct strbuf text = STRBUF_INIT;
	const char *at;

	assert_int_equal(page_flame_make(&graph, names), 0);
	at = strbuf_text(&graph.numbers);
	while (*at) {
		uint64_t depth = number(&at), name = number(&at), time = number(&at);
		size_t length;

		strbuf_printf(&text, "%llu %s %llu\n", (unsigned long long)depth,
			      names_text(names, (uint32_t)name, &length), (unsigned long long)time);
	}
	assert_string_equal(strbuf_text(&text), wanted);
	strbuf_free(&text);
}

static void add_some(void)
{
	add("main;b", FLAME_CPU, 10);
	add("main;a;[GPU_Kernel]k", FLAME_GPU, 1000);
	add("main;b;x", FLAME_CPU, 4);
	add("main;b;y;z", FLAME_CPU, 3);
	add("main;b;w;[CPU_wait]k", FLAME_WAIT, 20);
	add("other", FLAME_CPU, 7);
	add("main;b", FLAME_CPU, 1);
}

static void test_all(void **state)
{
	(void)state;
	begin();
	add_some();
	expect("0 hmain 0\n"
	       "1 ha 0\n"
	       "2 g[GPU_Kernel]k 1000\n"
	       "1 hb 11\n"
	       "2 hw 0\n"
	       "3 w[CPU_wait]k 20\n"
	       "2 hx 4\n"
	       "2 hy 0\n"
	       "3 hz 3\n"
	       "0 hother 7\n");
	assert_int_equal(graph.functions, 10);
	assert_int_equal(graph.left_out, 0);
	end();
}

/* Those with the least time are left out: other, x, y, z. */
static void test_limit(void **state)
{
	struct strbuf html = STRBUF_INIT;

	(void)state;
	begin();
	graph.limit = 6;
	add_some();
	expect("0 hmain 0\n"
	       "1 ha 0\n"
	       "2 g[GPU_Kernel]k 1000\n"
	       "1 hb 11\n"
	       "2 hw 0\n"
	       "3 w[CPU_wait]k 20\n"
	       "2 o(other) 7\n"
	       "0 o(other) 7\n");
	page_flame_put(&graph, &html);
	assert_non_null(strstr(strbuf_text(&html),
			       "has 10 functions, of which the 4 with the least time are (other)"));
	strbuf_free(&html);
	end();
}

/* Functions of the same time: callers stay before what they call. */
static void test_equal(void **state)
{
	(void)state;
	begin();
	graph.limit = 2;
	add("a;b;c", FLAME_CPU, 5);
	add("d", FLAME_CPU, 5);
	expect("0 ha 0\n1 hb 0\n2 o(other) 5\n0 o(other) 5\n");
	end();
}

/* Stacks without time have no place. */
static void test_no_time(void **state)
{
	(void)state;
	begin();
	add("a;b", FLAME_CPU, 0);
	expect("");
	assert_int_equal(graph.functions, 0);
	end();
}

/* There are neither call stacks nor samples. */
static void test_no_stacks(void **state)
{
	struct strbuf html = STRBUF_INIT;

	(void)state;
	begin();
	add("[unknown];[GPU_Kernel]k", FLAME_GPU, 5);
	graph.flame.samples = 0;
	graph.flame.records = 1;
	expect("");
	page_flame_put(&graph, &html);
	assert_int_equal(html.length, 0);
	strbuf_free(&html);
	end();
}

/* A long name loses its middle. */
static void test_names(void **state)
{
	char stack[1001];
	size_t length;

	(void)state;
	begin();
	memset(stack, 'x', 1000);
	stack[1000] = '\0';
	add(stack, FLAME_CPU, 5);
	assert_int_equal(page_flame_make(&graph, names), 0);
	names_text(names, 1, &length);
	assert_int_equal(length, 301);
	assert_int_equal(graph.unnamed, 0);
	end();
}

/* All names together have a limit. */
static void test_name_bytes(void **state)
{
	struct strbuf html = STRBUF_INIT;
	char name[300];

	(void)state;
	begin();

	for (int i = 0; i < PAGE_FUNCTIONS; i++) {
		snprintf(name, sizeof(name), "%0299d", i);
		add(name, FLAME_CPU, 5);
	}
	assert_int_equal(page_flame_make(&graph, names), 0);
	assert_int_equal(graph.left_out, 0);
	assert_in_range(graph.unnamed, 1, PAGE_FUNCTIONS - 1);
	assert_in_range(names_count(names), 1000, PAGE_FUNCTION_BYTES / 299 + 1);
	page_flame_put(&graph, &html);
	assert_non_null(strstr(strbuf_text(&html), "functions are (other) in the flame graph"));
	strbuf_free(&html);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),	   cmocka_unit_test(test_limit),
		cmocka_unit_test(test_equal),	   cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_no_stacks),  cmocka_unit_test(test_names),
		cmocka_unit_test(test_name_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
