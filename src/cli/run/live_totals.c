/* SPDX-License-Identifier: MIT */
#include "cli/run/live_totals.h"

#include "session/totals_report.h"

int live_totals_read(const char *path, struct strbuf *to)
{
	struct strbuf reason = STRBUF_INIT;
	struct totals_reader *reader = totals_reader_open(path, &reason);
	const struct totals_rows *rows = reader ? totals_reader_read(reader) : NULL;
	int result = -1;

	strbuf_free(&reason);
	if (rows && totals_rows_count(rows))
		result = totals_report_rows(to, rows, totals_reader_catalog(reader),
					    ringfile_lost_to_trace(totals_reader_header(reader)));
	totals_reader_close(reader);
	return result;
}
