/* SPDX-License-Identifier: MIT */
/* The advice that is printed of whole traces. */
#include "advice_run.h"
#include "view/advise/advice_json.h"
#include "view/advise/advice_svg.h"
#include "view/advise/advice_tables.h"
#include "view/advise/flow_tables.h"

enum { A = 0x1000, B = 0x2000, C = 0x3000, SIZE = 1 << 20 };

/* Two kernels, each with an object of its own. */
static void write_script(void)
{
	allocates(A, SIZE, US(1));
	allocates(B, 3 * SIZE, US(2));
	kernel(US(10), US(20), A);
	script[script_length - 2].record.name = 1;
	script[script_length - 1].event.use.argument = 2;
	kernel(US(30), US(40), B);
	releases(A, US(50));
	releases(B, US(52));
	allocates(C, SIZE / 2, US(60));
	script_add(sizeof(struct call), FRAME_CALL)->event.call.leave = US(70);
}

static void assert_tables(const char *expected)
{
	const struct advice_page page = {0};
	struct strbuf text = STRBUF_INIT;

	assert_int_equal(advice_put_tables(&text, &advice, &page), 0);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

#define HEAD "======== Memory of process 42, command: app --fast\n"
#define PEAK_HEAD "======== Peak memory:\n"
#define PEAKS \
	PEAK_HEAD \
	"    Peak        At   Objects    Needed  Saves(%)    In use  Saves(%)  Context\n" \
	"4.0000MB  2.0000us         2  3.0000MB    25.00%  3.0000MB    25.00%  " \
	"OpenCL context 0 on Card <1> (0)\n\n"
#define OBJECTS \
	"======== Objects at the peak:\n" \
	" Peak(%)      Size  Allocated  Released      Uses  Object\n" \
	"  75.00%  3.0000MB   2.0000us  52.000us         1  #2 device\n" \
	"  25.00%  1.0000MB   1.0000us  50.000us         1  #1 device, argument 2 of scale<&>\n\n"

#define FINDINGS \
	"======== Findings: early allocation 1, late deallocation 1, unused allocation 1, " \
	"memory leak 1.\n" \
	"Waste(%)      Size      Time  Commands  At peak  Finding               Certain   " \
	"Object\n" \
	"  41.18%  3.0000MB  28.000us         1      yes  early allocation      yes       " \
	"#2 device\n" \
	"  14.71%  1.0000MB  30.000us         1      yes  late deallocation     yes       " \
	"#1 device, argument 2 of scale<&>\n" \
	"   2.45%  512.00KB  10.000us         -       no  unused allocation     yes       " \
	"#3 device\n" \
	"   2.45%  512.00KB  10.000us         -       no  memory leak           yes       " \
	"#3 device\n\n"

static void test_tables(void **state)
{
	(void)state;
	write_script();
	read_trace(NULL, true);
	assert_tables(HEAD PEAKS OBJECTS FINDINGS);
}

/* It has no time of its release. */
static void test_not_released(void **state)
{
	const struct advice_page page = {0};
	struct strbuf text = STRBUF_INIT;

	(void)state;
	allocates(A, SIZE, US(1));
	kernel(US(10), US(20), A);
	read_trace(NULL, true);
	assert_int_equal(advice_put_tables(&text, &advice, &page), 0);
	assert_non_null(strstr(strbuf_text(&text), "  1.0000us         -         1  #1 device\n"));
	strbuf_free(&text);
}

/* Nothing is concluded from a trace that lacks events. */
static void test_lost(void **state)
{
	(void)state;
	write_script();
	read_trace(&(struct lost_frame){.missing = 3, .events = 2}, true);
	assert_int_equal(advice.findings.count, 0);
	assert_non_null(strstr(advice.notes, "3 records or events are lost: "));
	assert_non_null(strstr(advice.notes, "all findings are left out"));
	assert_int_equal(advice.objects.places[1].peak, 4 * SIZE);
}

static void test_gaps(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	write_script();
	read_trace(&(struct lost_frame){.gaps = 1}, true);
	assert_int_equal(advice.findings.count, 1);
	assert_int_equal(advice.findings.list[0].kind, FINDING_LEAK);
	assert_non_null(strstr(advice.notes, "all findings but memory leaks are left out"));
	advice_put_json(&text, &advice);
	assert_non_null(strstr(strbuf_text(&text), "\"left_out\": [\"early_allocation\", "));
	assert_non_null(
		strstr(strbuf_text(&text), "\"left_out_unreleased\": [\"early_allocation\", "));
	strbuf_free(&text);
}

/* Whether the last object would have been used or released is not known. */
static void test_cut_off(void **state)
{
	(void)state;
	write_script();
	read_trace(NULL, false);
	assert_int_equal(advice.findings.count, 2);
	assert_int_equal(advice.findings.kinds[FINDING_EARLY], 1);
	assert_int_equal(advice.findings.kinds[FINDING_LATE], 1);
	assert_non_null(strstr(advice.notes, "the trace ends before its process"));
}

static void test_older(void **state)
{
	(void)state;
	write_script();
	kernel(US(70), US(80), 0x9000);
	read_trace(NULL, true);
	assert_non_null(strstr(advice.notes, "1 use is left out: its memory was allocated before"));
	assert_int_equal(advice.findings.count, 4);
}

/* A kernel's list of shared memory may have memory that is released. */
static void test_released(void **state)
{
	(void)state;
	write_script();
	kernel(US(70), US(80), A);
	kernel(US(81), US(90), A);
	read_trace(NULL, true);
	assert_non_null(strstr(advice.notes, "2 uses are left out: their memory was released"));
	assert_null(strstr(advice.notes, "before the trace"));
	assert_int_equal(advice.findings.count, 4);
}

static void test_opaque(void **state)
{
	(void)state;
	write_script();
	runs(FRAME_KERNEL, US(70), US(80));
	read_trace(NULL, true);
	assert_non_null(strstr(advice.notes, "1 command has no recorded uses"));
	assert_int_equal(advice.findings.count, 4);
	assert_true(advice.findings.list[0].is_assumed);
}

/* The last command is known to use no memory. */
static void uses_none(void)
{
	uses(0, USE_NONE)->bytes = 0;
}

static void test_none(void **state)
{
	(void)state;
	write_script();
	runs(FRAME_KERNEL, US(70), US(80));
	uses_none();
	read_trace(NULL, true);
	assert_string_equal(advice.notes, "");
	assert_int_equal(advice.objects.opaque, 0);
	assert_int_equal(advice.findings.count, 4);
	assert_false(advice.findings.list[0].is_assumed);
}

/* Uses were recorded, although no command uses memory. */
static void test_only_none(void **state)
{
	(void)state;
	allocates(A, SIZE, US(1));
	runs(FRAME_KERNEL, US(10), US(20));
	uses_none();
	releases(A, US(30));
	read_trace(NULL, true);
	assert_int_equal(advice.objects.uses, 0);
	assert_int_equal(advice.findings.count, 1);
	assert_int_equal(advice.findings.list[0].kind, FINDING_UNUSED);
}

static void test_no_uses(void **state)
{
	(void)state;
	allocates(A, SIZE, US(1));
	runs(FRAME_KERNEL, US(10), US(20));
	read_trace(NULL, true);
	assert_int_equal(advice.objects.uses, 0);
	assert_int_equal(advice.findings.count, 0);
}

static void test_json(void **state)
{
	struct strbuf text = STRBUF_INIT;
	const char *json;

	(void)state;
	write_script();
	read_trace(NULL, true);
	advice_put_json(&text, &advice);
	json = strbuf_text(&text);
	assert_non_null(strstr(json, "{\"process\": 42, \"command\": [\"app\", \"--fast\"], "
				     "\"uses\": 2, \"kernels\": 2, \"idle_kernels\": 1"));
	assert_non_null(strstr(json, "\"peak_bytes\": 4194304, \"peak_ns\": 2000, "
				     "\"peak_objects\": 2, \"needed_bytes\": 3145728, "
				     "\"in_use_bytes\": 3145728}"));
	assert_non_null(strstr(json, "{\"kind\": \"early_allocation\", \"object\": 2, "
				     "\"assumed\": false, \"bytes\": 3145728, \"time_ns\": 28000, "
				     "\"commands\": 1, "));
	assert_non_null(strstr(json, "\"first_use\": {\"ns\": 10000, \"kind\": \"kernel\", "
				     "\"name\": \"scale<&>\", \"argument\": 2}"));
	strbuf_free(&text);
}

/* The writes of all reasons together. */
static void test_reasons(void **state)
{
	struct flow all = {.reasons = {0}};

	(void)state;
	for (int reason = 0; reason < CHANGE_REASONS; reason++)
		all.reasons[reason] = UINT64_C(1) << reason;
	assert_int_equal(flow_writes(&all), (1 << CHANGE_REASONS) - 1);
	assert_int_equal(flow_not_compared(&all),
			 (1 << CHANGE_REASONS) - 1 - (1 << CHANGE_COMPARED));
}

/* Names are escaped. */
static void test_svg(void **state)
{
	struct strbuf text = STRBUF_INIT;
	unsigned top = 0;

	(void)state;
	write_script();
	read_trace(NULL, true);
	assert_int_equal(advice_put_pictures(&text, &advice, &top), 0);
	assert_true(top > 0);
	assert_non_null(strstr(strbuf_text(&text), "Card &lt;1&gt; (0): peak 4.0000MB at 2.0000us, "
						   "needed 3.0000MB</text>"));
	assert_non_null(strstr(strbuf_text(&text), "argument 2 of scale&lt;&amp;&gt;, 1.0000MB"));
	assert_null(strstr(strbuf_text(&text), "<script"));
	strbuf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) \
	cmocka_unit_test_setup_teardown(test_##name, set_up_script, tear_down_advice)
		TEST(tables), TEST(lost),	  TEST(gaps),	   TEST(cut_off),  TEST(older),
		TEST(opaque), TEST(none),	  TEST(only_none), TEST(no_uses),  TEST(json),
		TEST(svg),    TEST(not_released), TEST(reasons),   TEST(released),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
