/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_TABLEPRINT_H
#define TESTS_UNIT_TABLEPRINT_H

/* Tables of small traces, printed to memory; include tabletrace.h first. */
#include "view/tables/tables.h"

/* Returns the printed text and whether printing succeeded; the caller frees it. */
static inline char *printed(struct made_trace *trace, const struct tables_options *options,
			    int result)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = made_open(trace);
	static char *text; /* gcc for aarch64 warns of the address of an automatic one */
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_int_equal(tables_print(to, stream, options, &error), result);
	assert_true(!result == !error.length);
	fclose(to);
	stream_close(stream);
	strbuf_free(&error);
	return text;
}

static inline void expect_text(struct made_trace *trace, const struct tables_options *options,
			       const char *expected)
{
	char *text = printed(trace, options, 0);

	assert_string_equal(text, expected);
	free(text);
}

/* Checks `whole`, or the text from the line of the records on. */
static inline void expect_lines(struct made_trace *trace, const struct tables_options *options,
				const char *expected, bool whole)
{
	char *text = printed(trace, options, 0);

	if (whole)
		assert_string_equal(text, expected);
	else
		assert_string_equal(strstr(text, "======== Records"), expected);
	free(text);
}

#endif
