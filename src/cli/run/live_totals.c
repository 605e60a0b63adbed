/* SPDX-License-Identifier: MIT */
#include "cli/run/live_totals.h"

#include "session/totals_report.h"

int live_totals_read(const char *path, struct strbuf *to)
{
	struct strbuf reason = STRBUF_INIT;
	struct totals_reader *reader = totals_reader_open(path, &reason);
	const struct totals_rows *rows = reader ? totals_reader_read(reader) : NULL;
	const struct ringfile_header *header;
	int result = -1;

	strbuf_free(&reason);
	if (rows && totals_rows_count(rows)) {
		header = totals_reader_header(reader);
		result = totals_report_rows(to, rows, totals_reader_catalog(reader), header->lost,
					    header->gaps);
	}
	totals_reader_close(reader);
	return result;
}
