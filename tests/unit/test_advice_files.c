/* SPDX-License-Identifier: MIT */
/* The files of advice, whole. The expected ones are beside this source. */
#include "advice_run.h"
#include "flow_script.h"
#include "view/advise/advice_svg.h"
#include "view/advise/flow_dot.h"
#include "view/advise/flow_patterns.h"

enum { A = 0x1000, B = 0x2000, C = 0x3000, SIZE = 1 << 20 };

static char folder[4096]; /* of the expected files */

/* Prints both if they differ. */
static void assert_is_file(struct strbuf *text, const char *name)
{
	static char path[8192], expected[1 << 16];
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/unit/%s", folder, name);
	file = fopen(path, "re");
	if (!file)
		fail_msg("no %s", path);
	expected[fread(expected, 1, sizeof(expected) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(strbuf_text(text), expected);
	strbuf_free(text);
}

/* Equal contents in three objects, of which one gets others; then a kernel with patterns of values,
 * and a copy. */
static void write_script(void)
{
	script_uses = script_values = 0;
	allocates(A, SIZE, US(1))->frame.stack = 1;
	allocates(B, SIZE, US(2))->frame.stack = 2;
	allocates(C, SIZE, US(3));
	for (uint32_t i = 0; i < 4; i++) {
		static const uint64_t filled[] = {A, B, C, C};
		uint64_t same = i == 3 ? SIZE / 4 : 0;

		runs(FRAME_FILL, US(10 + i), US(11 + i))->frame.stack = i < 2 ? i : 2;
		part(filled[i], USE_WRITE, USE_NO_ARGUMENT, 0);
		changes(same, SIZE - same)->hash = i == 3 ? 7 : 9;
	}
	runs(FRAME_KERNEL, US(20), US(25))->name = 2;
	part(A, USE_READ_WRITE, 3, 0);
	changes(SIZE / 2, SIZE / 2)->hash = 8;
}

static void test_dot(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	write_script();
	download(US(30), US(31), A);
	read_trace(NULL, true);
	assert_int_equal(flow_put_dot(&text, &advice), 0);
	assert_is_file(&text, "advice.dot");
}

/* All kinds of patterns, of integers and of floating-point numbers, before and after. */
static void test_patterns(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct pattern *pattern;

	(void)state;
	write_script();
	has(PATTERN_ZEROS, PATTERN_BEFORE, SIZE / 4);
	pattern = has(PATTERN_SINGLE | PATTERN_NARROW | PATTERN_LINEAR, PATTERN_MANY, SIZE / 4);
	pattern->distinct = 3;
	pattern->narrow_signed = 16;
	pattern->narrow_unsigned = 8;
	pattern->narrow_tail = 32;
	with(PATTERN_VALUE_TOP, 5, SIZE / 8);
	with(PATTERN_VALUE_TOP, (uint32_t)-6, SIZE / 16);
	with(PATTERN_VALUE_LINE, UINT64_C(0x4008000000000000), UINT64_C(0x3ff8000000000000));
	runs(FRAME_KERNEL, US(30), US(35))->name = 1;
	part(B, USE_READ_WRITE, 0, 0);
	changes(0, SIZE)->hash = 5;
	pattern = has(PATTERN_INTEGERS | PATTERN_NARROW | PATTERN_FREQUENT, 0, SIZE / 8);
	pattern->type = ELEMENT_FLOAT32;
	pattern->width = 2;
	pattern->narrow_signed = pattern->narrow_unsigned = pattern->narrow_tail = 16;
	pattern->rounded_kinds = PATTERN_SINGLE | PATTERN_NARROW;
	pattern->rounded_distinct = 1;
	pattern->narrow_rounded = 16;
	pattern->level = 2;
	with(PATTERN_VALUE_TOP, 0x40490fdb, SIZE / 16);
	with(PATTERN_VALUE_ROUNDED, 0x40480000, SIZE / 16);
	has(0, PATTERN_BEFORE, SIZE / 4)->distinct = 1000;
	pattern = has(PATTERN_NARROW, PATTERN_ASSUMED, SIZE / 2);
	pattern->type = ELEMENT_INT16;
	pattern->narrow_signed = pattern->narrow_unsigned = pattern->narrow_tail = 16;
	read_trace(NULL, true);
	flow_put_patterns_text(&text, &advice);
	assert_is_file(&text, "advice.txt");
}

static void test_svg(void **state)
{
	struct strbuf text = STRBUF_INIT;
	unsigned top = 0;

	(void)state;
	write_script();
	releases(A, US(40));
	releases(B, US(52));
	allocates(B, SIZE / 2, US(55));
	script_add(sizeof(struct call), FRAME_CALL)->event.call.leave = US(60);
	read_trace(NULL, true);
	assert_int_equal(advice_put_pictures(&text, &advice, &top), 0);
	assert_is_file(&text, "advice.svg");
}

int main(void)
{
	const char *source = getenv("srcdir");
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up_script, tear_down_advice)
		TEST(dot),
		TEST(patterns),
		TEST(svg),
#undef TEST
	};

	if (!realpath(source ? source : ".", folder))
		return EXIT_FAILURE;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
