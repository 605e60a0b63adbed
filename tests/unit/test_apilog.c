/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/apilog.h"

static struct catalog catalog;

static struct output_target make_target(enum api api, enum format format)
{
	return (struct output_target){
		.layout = {.api = api, .format = format}, .catalog = &catalog, .warnings = ""};
}

/* Times that a float would round. */
static struct call make_call(const char *name, int32_t result)
{
	return (struct call){
		.frame = {.kind = FRAME_CALL, .correlation = UINT64_C(1) << 40 | EVENT_NUMBERS | 7,
			  .thread = 4711},
		.enter = catalog.process.started + UINT64_C(86400123456789),
		.leave = catalog.process.started + UINT64_C(86417000000002),
		.made = UINT64_C(1) << 40 | 3,
		.result = result,
		.name = names_intern(catalog.names, name, strlen(name)),
		.records = 1,
	};
}

static void check_row(enum format format, const struct call *call, const char *expected)
{
	struct output_target target = make_target(API_CUDA, format);
	struct strbuf text = STRBUF_INIT;

	apilog_write(&target, call, &text);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

static void test_header(void **state)
{
	struct output_target target = make_target(API_CUDA, FORMAT_KEYVAL);
	struct strbuf text = STRBUF_INIT;

	(void)state;
	apilog_open(&target, &text);
	target.layout.format = FORMAT_CSV;
	target.layout.api = API_OPENCL;
	apilog_open(&target, &text);
	assert_string_equal(strbuf_text(&text),
			    "# CUDA_PROFILE_API_LOG_VERSION 1.0\n"
			    "# TIMESTAMPFACTOR fffff6a1151ceeb0\n"
			    "timestamp,method,cputime,thread,result,correlation,made\n"
			    "# OPENCL_PROFILE_API_LOG_VERSION 1.0\n"
			    "# OPENCL_PROFILE_CSV 1\n"
			    "# TIMESTAMPFACTOR fffff6a1151ceeb0\n"
			    "timestamp,method,cputime,thread,result,correlation,made\n");
	strbuf_free(&text);
}

static void test_rows(void **state)
{
	struct call call = make_call("cuLaunchKernel", 0);

	(void)state;
	check_row(FORMAT_KEYVAL, &call,
		  "timestamp=[ 86400123456.789 ] method=[ cuLaunchKernel ] "
		  "cputime=[ 16876543.213 ] thread=[ 4711 ] result=[ 0 ] "
		  "correlation=[ 1649267441671 ] made=[ 1099511627779 ] \n");
	check_row(FORMAT_CSV, &call,
		  "86400123456.789,cuLaunchKernel,16876543.213,4711,0,1649267441671,"
		  "1099511627779\n");
	call.made = 0;
	call.frame.thread = 0;
	check_row(FORMAT_KEYVAL, &call,
		  "timestamp=[ 86400123456.789 ] method=[ cuLaunchKernel ] "
		  "cputime=[ 16876543.213 ] result=[ 0 ] correlation=[ 1649267441671 ] \n");
	check_row(FORMAT_CSV, &call,
		  "86400123456.789,cuLaunchKernel,16876543.213,,0,1649267441671\n");
}

/* Names and results that are unusual, and times that contradict each other. */
static void test_unusual_rows(void **state)
{
	struct call call = make_call("driver function 9, or ] so", -30);

	(void)state;
	call.leave = call.enter - 1;
	check_row(FORMAT_KEYVAL, &call,
		  "timestamp=[ 86400123456.789 ] method=[ driver\\x20function\\x209,\\x20or\\x20"
		  "\\x5d\\x20so ] cputime=[ 0.000 ] thread=[ 4711 ] result=[ -30 ] "
		  "correlation=[ 1649267441671 ] made=[ 1099511627779 ] \n");
	call.result = INT32_MIN;
	call.enter = 0;
	call.leave = 1009;
	check_row(FORMAT_CSV, &call,
		  "0.000,driver\\x20function\\x209\\x2c\\x20or\\x20\\x5d\\x20so,1.009,4711,failed,"
		  "1649267441671,1099511627779\n");
}

static int set_up(void **state)
{
	(void)state;
	catalog.names = names_new();
	catalog.process.started = 2153146698;
	catalog.process.monotonic_to_epoch = (int64_t)0xfffff6a1151ceeb0;
	return catalog.names ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	names_free(catalog.names);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_unusual_rows),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
