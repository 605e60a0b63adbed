/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"

#include "output/unescape.h"
#include "values.h"

static void open_text(struct logreader *reader, const char *text)
{
	assert_int_equal(logreader_open(reader, text, strlen(text)), 0);
}

static void test_keyval(void **state)
{
	struct logreader reader;
	struct log_text value;
	size_t count;

	(void)state;
	open_text(&reader,
		  "# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE 3 Tesla C2050\n# CUDA_CONTEXT 1\n"
		  "# TIMESTAMPFACTOR fffff6a1151ceeb0\nmethod,gputime,cputime,occupancy\n"
		  "method=[ k ] gputime=[ 1.5 ] threadblocksize=[ 32, 8, 8 ] \n");
	assert_text(reader.header.version, "2.0");
	assert_text(reader.header.device_name, "Tesla C2050");
	assert_int_equal(reader.header.device, 3);
	assert_int_equal(reader.header.context, 1);
	assert_int_equal(reader.header.api, API_CUDA);
	assert_true(reader.header.timestamp_factor == 0xfffff6a1151ceeb0);
	assert_false(reader.header.csv);
	logreader_columns(&reader, &count);
	assert_int_equal(count, 4);
	assert_int_equal(logreader_next(&reader), 1);
	assert_int_equal(reader.line, 6);
	logreader_fields(&reader, &count);
	assert_int_equal(count, 3);
	assert_value(&reader, "method", "k");
	assert_value(&reader, "threadblocksize", "32, 8, 8");
	assert_false(logreader_value(&reader, "cputime", &value));
	assert_int_equal(logreader_next(&reader), 0);
	assert_int_equal(logreader_next(&reader), 0);
	logreader_close(&reader);
}

static void test_largest_numbers(void **state)
{
	struct logreader reader;

	(void)state;
	open_text(&reader, "# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE 4294967295 A\n"
			   "# CUDA_CONTEXT 4294967295\n# TIMESTAMPFACTOR ffffffffffffffff\n"
			   "method,gputime\n");
	assert_true(reader.header.device_known);
	assert_int_equal(reader.header.device, UINT32_MAX);
	assert_int_equal(reader.header.context, UINT32_MAX);
	assert_true(reader.header.timestamp_factor_known);
	assert_true(reader.header.timestamp_factor == UINT64_MAX);
	logreader_close(&reader);
	open_text(&reader, "# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE 4294967296 A\n"
			   "# TIMESTAMPFACTOR 10000000000000000\nmethod,gputime\n");
	assert_false(reader.header.device_known);
	assert_false(reader.header.timestamp_factor_known);
	logreader_close(&reader);
}

static void test_key_twice(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct logreader reader;
	size_t count;

	(void)state;
	open_text(&reader, "method=[ k ] gputime=[ 1.5 ] \n"
			   "method=[ k ] gputime=[ 2.5 ] method=[ m ] GPUTIME=[ 3.5 ] \n"
			   "gputime=[ 4.5 ] method=[ k ] gputime=[ 5.5 ] \n");
	assert_int_equal(logreader_next(&reader), 1);
	assert_int_equal(reader.repeated, 0);
	logreader_put_repeated(&reader, &text);
	assert_int_equal(text.length, 0);
	assert_int_equal(logreader_next(&reader), 1);
	logreader_fields(&reader, &count);
	assert_int_equal(count, 2);
	assert_value(&reader, "method", "k");
	assert_value(&reader, "gputime", "2.5");
	assert_int_equal(logreader_next(&reader), 1);
	assert_value(&reader, "gputime", "4.5");
	logreader_put_repeated(&reader, &text);
	assert_string_equal(strbuf_text(&text), "line 2 has a key twice, as 1 more line has; the "
						"first value is used");
	logreader_close(&reader);
	open_text(&reader, "# OPENCL_PROFILE_CSV 1\nmethod,gputime,method\nk,1.5,m\n");
	assert_int_equal(logreader_next(&reader), 1);
	assert_value(&reader, "method", "k");
	assert_int_equal(reader.repeated_line, 3);
	logreader_close(&reader);
	strbuf_free(&text);
}

static void test_csv(void **state)
{
	struct logreader reader;
	struct log_text value;

	(void)state;
	open_text(&reader, "\xef\xbb\xbf# OPENCL_PROFILE_LOG_VERSION 1.0\r\n"
			   "# OPENCL_PROFILE_CSV 1\r\n\r\nNV_Warning: late\r\n"
			   "method,gputime,\r\nworkgroupsizeX,streamid\r\nk,1.5, 16\r\nm,,,1");
	assert_true(reader.header.csv);
	assert_false(reader.header.device_known);
	assert_int_equal(logreader_next(&reader), 1);
	assert_value(&reader, "workgroupsizeX", "16");
	assert_false(logreader_value(&reader, "streamid", &value));
	assert_int_equal(logreader_next(&reader), 1);
	assert_value(&reader, "method", "m");
	assert_value(&reader, "streamid", "1");
	assert_false(logreader_value(&reader, "gputime", &value));
	assert_int_equal(logreader_next(&reader), 0);
	logreader_close(&reader);
}

static void test_lost_header(void **state)
{
	struct logreader reader;

	(void)state;
	open_text(&reader, "method,gputime\nk,1.5\n");
	assert_int_equal(logreader_next(&reader), 1);
	assert_value(&reader, "gputime", "1.5");
	logreader_close(&reader);
	open_text(&reader, "method=[ k ] gputime=[ 2.5 ]");
	assert_false(reader.header.api_known);
	assert_int_equal(logreader_next(&reader), 1);
	assert_value(&reader, "gputime", "2.5");
	logreader_close(&reader);
}

static void check_damaged(const char *before, const char *damaged, const char *after)
{
	struct strbuf text = STRBUF_INIT;
	struct logreader reader;

	strbuf_printf(&text, "%s%s\n%s", before, damaged, after);
	open_text(&reader, strbuf_text(&text));
	assert_int_equal(logreader_next(&reader), -1);
	assert_non_null(reader.error);
	assert_int_equal(reader.line, 3);
	assert_int_equal(logreader_next(&reader), 1);
	assert_value(&reader, "method", "k");
	assert_int_equal(logreader_next(&reader), 0);
	logreader_close(&reader);
}

static void test_damaged_lines(void **state)
{
	static const char *const lines[] = {
		"method=[ k",
		"method=[ k ",
		"method=[ k ] gpu",
		"method=[ k ]gputime=[ 1 ]",
		"=[ 3 ]",
		"method = [ k ]",
		"hod=[ x ] ] a=[ 3",
		"garbage\x01",
		"method=[ k ] =[ 12 ]",
		"method=",
		"method=[",
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		check_damaged("# CUDA_PROFILE_LOG_VERSION 2.0\nmethod,gputime\n", lines[i],
			      "method=[ k ] \n");
	check_damaged("# CUDA_PROFILE_CSV 1\nmethod,gputime\n", "k,1,2", "k,1");
	check_damaged("# CUDA_PROFILE_CSV 1\nmethod,gputime\n", "k,1,", "k,1");
	check_damaged("# CUDA_PROFILE_CSV 1\nmethod,gputime,cputime\n", "k,1,5,", "k,1,");
	check_damaged("# CUDA_PROFILE_CSV 1\n# c\n", "k,1,2", "method=[ k ] ");
}

/* Reads `text`, which has so many rows and damaged lines, and leads to the sentence. */
static void check_joined(const char *text, unsigned int rows, unsigned int damaged,
			 const char *sentence)
{
	struct strbuf said = STRBUF_INIT;
	struct logreader reader;
	int result;

	open_text(&reader, text);
	while ((result = logreader_next(&reader)))
		result > 0 ? rows-- : damaged--;
	assert_int_equal(rows, 0);
	assert_int_equal(damaged, 0);
	logreader_put_joined(&reader, &said);
	assert_string_equal(strbuf_text(&said), sentence);
	logreader_close(&reader);
	strbuf_free(&said);
}

static void test_joined_logs(void **state)
{
#define VERSION "# CUDA_PROFILE_LOG_VERSION 2.0\n"
#define CSV	VERSION "# CUDA_PROFILE_CSV 1\n"
#define JOINED(count)                                                                              \
	"the file is " count " logs, one below the other; all rows are taken as those of the "     \
	"first log's device"
	(void)state;
	check_joined(CSV "method,gputime\nk,1\n" CSV "method,gputime\nk,2\n", 2, 0, JOINED("2"));
	check_joined(CSV "method,gputime\nk,1\n" CSV CSV "method,gputime\nk,2\n", 2, 0,
		     JOINED("3"));
	check_joined(CSV "method,gputime\nk,1\nmethod,gputime\nk,2\n", 2, 0, JOINED("2"));
	check_joined(VERSION "method,gputime\nmethod=[ k ] \n" VERSION "method,gputime\n"
			     "method=[ k ] gputime=[ 1 ] \n",
		     2, 0, JOINED("2"));
	/* Rows below other columns are not read as if they had the first ones. */
	check_joined(CSV "method,gputime\nk,1\n" CSV "gputime,method\n1,k\n1,k\n", 1, 2,
		     JOINED("2"));
	check_joined(CSV "method,gputime\nk,1\ngputime,method,x\n1,k,\nmethod,gputime\nk,2\n", 2, 1,
		     JOINED("3"));
	/* A kernel named method is one. */
	check_joined(CSV "method,gputime\nmethod,1\nk,2\n", 2, 0, "");
}

static void test_no_log(void **state)
{
	static const char *const texts[] = {"", "\n\n", "#!/bin/sh\n", "hello\nmethod\n",
					    "\177ELF"};
	struct logreader reader;

	(void)state;
	for (unsigned int i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(logreader_open(&reader, texts[i], strlen(texts[i])), -1);
		assert_string_equal(reader.error, "not a profiler log");
		logreader_close(&reader);
	}
	assert_int_equal(logreader_open(&reader, NULL, 0), -1);
	logreader_close(&reader);
}

static void test_too_many_values(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct logreader reader;
	size_t count;

	(void)state;
	for (unsigned int i = 0; i <= LOGREADER_FIELDS; i++)
		strbuf_string(&text, "a=[ ] ");
	strbuf_string(&text, "\nmethod=[ k ] \n");
	open_text(&reader, strbuf_text(&text));
	assert_int_equal(logreader_next(&reader), -1);
	assert_int_equal(logreader_next(&reader), 1);
	logreader_fields(&reader, &count);
	assert_int_equal(count, 1);
	logreader_close(&reader);
	strbuf_free(&text);
}

static void test_unescape(void **state)
{
	static const struct {
		const char *from, *to;
	} cases[] = {
		{"plain", "plain"},    {"", ""},	   {"a\\x20b\\x5d", "a b]"},
		{"\\x5cx41", "\\x41"}, {"\\", "\\"},	   {"\\x", "\\x"},
		{"\\x4", "\\x4"},      {"\\xG0", "\\xG0"}, {"\\\\x41", "\\A"},
	};
	struct strbuf text = STRBUF_INIT;

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct log_text from = {.text = cases[i].from, .length = strlen(cases[i].from)};

		text.length = 0;
		unescape_name(from, &text);
		assert_string_equal(strbuf_text(&text), cases[i].to);
	}
	strbuf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keyval),		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_lost_header),	cmocka_unit_test(test_damaged_lines),
		cmocka_unit_test(test_no_log),		cmocka_unit_test(test_too_many_values),
		cmocka_unit_test(test_unescape),	cmocka_unit_test(test_key_twice),
		cmocka_unit_test(test_largest_numbers), cmocka_unit_test(test_joined_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
