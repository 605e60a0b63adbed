/* SPDX-License-Identifier: MIT */
#include "view/compare/compare_junit.h"

#include "view/compare/compare_notes.h"
#include "view/compare/compare_table.h"
#include "view/format/xmltext.h"

static bool is_skipped(const struct compare_row *row)
{
	return row->verdict == VERDICT_UNTESTED || row->verdict == VERDICT_NEW ||
	       row->verdict == VERDICT_GONE;
}

/* "slower: +10.2% (+9.1 to +11.4%), p 0.0238" */
static void put_result(struct strbuf *to, const struct compare_row *row)
{
	strbuf_printf(to, "%s: ", compare_word(row->verdict));
	compare_put_change(to, row);
	if (row->tests[row->shown].has_interval) {
		strbuf_string(to, " (");
		compare_put_interval(to, row);
		strbuf_char(to, ')');
	}
	strbuf_string(to, ", p ");
	compare_put_probability(to, row);
}

static void put_case(struct strbuf *to, struct comparison *comparison,
		     const struct compare_row *row)
{
	struct strbuf name = STRBUF_INIT;

	compare_put_name(&name, comparison, row, 0);
	strbuf_string(to, "  <testcase classname=\"computeprof\" name=\"");
	xml_put(to, name.data, name.length);
	to->failed |= name.failed;
	strbuf_free(&name);
	if (row->verdict == VERDICT_SLOWER) {
		strbuf_string(to, "\"><failure message=\"");
		put_result(to, row);
		strbuf_string(to, "\"/></testcase>\n");
	} else if (is_skipped(row)) {
		strbuf_printf(to, "\"><skipped message=\"%s\"/></testcase>\n",
			      compare_word(row->verdict));
	} else {
		strbuf_string(to, "\"><system-out>");
		put_result(to, row);
		strbuf_string(to, "</system-out></testcase>\n");
	}
}

static void put_output(struct strbuf *to, struct comparison *comparison)
{
	struct strbuf text = STRBUF_INIT;

	for (int side = 0; side < RUNS_SIDES; side++) {
		strbuf_printf(&text, "%c: ", 'A' + side);
		compare_put_side(&text, comparison, (enum runs_side)side);
		strbuf_char(&text, '\n');
	}
	strbuf_append(&text, comparison->notes.data, comparison->notes.length);
	compare_put_verdict(&text, comparison);
	strbuf_string(to, "  <system-out>");
	xml_put(to, text.data, text.length);
	strbuf_string(to, "</system-out>\n");
	to->failed |= text.failed;
	strbuf_free(&text);
}

void compare_put_junit(struct strbuf *to, struct comparison *comparison)
{
	unsigned long long failures = 0, skipped = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		failures += comparison->rows[i].verdict == VERDICT_SLOWER;
		skipped += is_skipped(&comparison->rows[i]);
	}
	strbuf_string(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	strbuf_printf(to,
		      " <testsuite name=\"computeprof\" tests=\"%llu\" failures=\"%llu\" "
		      "errors=\"0\" skipped=\"%llu\">\n",
		      (unsigned long long)comparison->count, failures, skipped);
	for (size_t i = 0; i < comparison->count; i++)
		put_case(to, comparison, &comparison->rows[i]);
	put_output(to, comparison);
	strbuf_string(to, " </testsuite>\n</testsuites>\n");
}
