/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/format/printer.h"

struct row {
	double share, time, size; /* negative: unknown */
	const char *kind, *name;
};

enum { PART = 2 };

static struct strbuf text;
static int flushes;

static bool time_of(const struct printer_column *column, const void *row, double *value)
{
	(void)column;
	*value = ((const struct row *)row)->time;
	return *value >= 0;
}

static bool size_of(const struct printer_column *column, const void *row, double *value)
{
	(void)column;
	*value = ((const struct row *)row)->size;
	return *value >= 0;
}

static double share_of(const void *row)
{
	return ((const struct row *)row)->share;
}

static void put_kind(struct strbuf *to, const struct printer_column *column, const void *row)
{
	(void)column;
	strbuf_string(to, ((const struct row *)row)->kind);
}

static void put_pair(struct strbuf *to, const struct printer_column *column, const void *row)
{
	(void)column;
	strbuf_printf(to, "%s,%s", ((const struct row *)row)->kind, "x");
}

static void put_name(struct strbuf *to, const void *row, size_t room)
{
	strbuf_printf(to, "%s %zu", ((const struct row *)row)->name, room);
}

static bool has_name(const struct printer_column *column, const void *row)
{
	(void)column;
	return ((const struct row *)row)->time >= 0;
}

static const struct printer_column columns[] = {
	{.heading = "Share", .csv = "Share", .width = 7, .unit = "%", .share = share_of},
	{.heading = "Time",
	 .csv = "Time",
	 .width = 9,
	 .quantity = &quantity_time,
	 .number = time_of},
	{.heading = "Size",
	 .csv = "Size",
	 .width = 8,
	 .part = PART,
	 .quantity = &quantity_size,
	 .number = size_of,
	 .footnote = "Size: a part"},
	{.heading = "Kind", .width = -6, .text = put_kind, .footnote = "Kind: text only"},
	{.csv = "Kind,Other",
	 .commas = 1,
	 .unit = "word",
	 .fields = put_pair,
	 .footnote = "Kind: in CSV"},
	{.heading = "Name", .csv = "Name", .quoted = true, .name = put_name, .has = has_name},
};

static const struct row rows[] = {
	{0.75, 6000, 2048, "one", "first"},
	{0.25, 2000, -1, "", "second"},
	{0, -1, 3 << 20, "more", "third"},
};

static void flush(void *context)
{
	assert_ptr_equal(context, &text);
	flushes++;
}

static void assert_table(struct printer_page page, unsigned parts, const char *expected)
{
	struct printer printer = {.page = &page,
				  .columns = columns,
				  .parts = parts,
				  .count = sizeof(columns) / sizeof(columns[0])};

	page.text = &text;
	page.flush = flush;
	page.context = &text;
	flushes = 0;
	for (int i = 0; page.csv && i < 3; i++)
		printer_measure(&printer, &rows[i]);
	printer_begin(&printer);
	for (int i = 0; i < 3; i++)
		printer_row(&printer, &rows[i]);
	printer_end(&printer);
	assert_string_equal(strbuf_text(&text), expected);
	assert_int_equal(flushes, 3);
	strbuf_free(&text);
}

static void test_text(void **state)
{
	(void)state;
	assert_table((struct printer_page){.time_unit = QUANTITY_AUTO}, PART,
		     "  Share       Time      Size  Kind    Name\n"
		     " 75.00%   6.0000us  2.0000KB  one     first 0\n"
		     " 25.00%   2.0000us         -          second 0\n"
		     "  0.00%          -  3.0000MB  more\n"
		     "\n"
		     "Size: a part\n"
		     "Kind: text only\n");
}

/* Of the width, 16 columns or more are left for the name. */
static void test_width(void **state)
{
	static const char least[] = "  Share       Time  Kind    Name\n"
				    " 75.00%     6000ns  one     first 16\n"
				    " 25.00%     2000ns          second 16\n"
				    "  0.00%          -  more\n"
				    "\n"
				    "Kind: text only\n";

	(void)state;
	assert_table((struct printer_page){.time_unit = 0, .width = 45}, 0,
		     "  Share       Time  Kind    Name\n"
		     " 75.00%     6000ns  one     first 17\n"
		     " 25.00%     2000ns          second 17\n"
		     "  0.00%          -  more\n"
		     "\n"
		     "Kind: text only\n");
	assert_table((struct printer_page){.time_unit = 0, .width = 44}, 0, least);
	assert_table((struct printer_page){.time_unit = 0, .width = 43}, 0, least);
}

static void test_csv(void **state)
{
	(void)state;
	assert_table((struct printer_page){.csv = true, .time_unit = QUANTITY_AUTO}, PART,
		     "Share,Time,Size,Kind,Other,Name\n"
		     "%,us,MB,word,,\n"
		     "75.000000,6.000000,0.001953,one,x,\"first 0\"\n"
		     "25.000000,2.000000,,,x,\"second 0\"\n"
		     "0.000000,,3.000000,more,x,\"third 0\"\n");
	assert_table((struct printer_page){.csv = true, .time_unit = 0}, 1,
		     "Share,Time,Kind,Other,Name\n"
		     "%,ns,word,,\n"
		     "75.000000,6000.000000,one,x,\"first 0\"\n"
		     "25.000000,2000.000000,,x,\"second 0\"\n"
		     "0.000000,,more,x,\"third 0\"\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
