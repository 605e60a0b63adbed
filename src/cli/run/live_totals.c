/* SPDX-License-Identifier: MIT */
#include "cli/run/live_totals.h"

#include <stdlib.h>

#include "model/frames.h"
#include "model/totals_row.h"
#include "output/trace.h"
#include "session/totals_reader.h"

/* Appends the name of a row, once. */
static void put_name(struct strbuf *to, const struct names *names, const struct totals_row *row,
		     bool *seen)
{
	if (totals_row_kind(row) == TOTALS_PROCESS || !row->name || seen[row->name])
		return;
	seen[row->name] = true;
	frames_put_name(to, names, row->name);
}

static void put_catalog(struct strbuf *to, const struct catalog *catalog)
{
	for (uint32_t i = 0; i < catalog->device_count; i++)
		frames_put_device(to, catalog_device(catalog, i));
	for (uint32_t i = 0; i < catalog->context_count; i++)
		frames_put_context(to, catalog_context(catalog, i));
}

/* Appends the trace. Returns -1 without memory. */
static int put_trace(struct strbuf *to, const struct totals_rows *rows,
		     const struct catalog *catalog, const struct ringfile_header *header)
{
	struct lost_frame *losses;
	bool *seen = calloc((size_t)names_count(catalog->names) + 1, sizeof(*seen));

	if (!seen)
		return -1;
	trace_put_header(to);
	frames_put_process(to, &catalog->process);
	for (size_t i = 0; i < totals_rows_count(rows); i++)
		put_name(to, catalog->names, totals_rows_get(rows, i), seen);
	put_catalog(to, catalog);
	for (size_t i = 0; i < totals_rows_count(rows); i++) {
		const struct totals_row *row = totals_rows_get(rows, i);

		if (!totals_row_is_empty(row))
			strbuf_append(to, row, row->frame.size);
	}
	losses = frames_put_lost(
		to, header->lost > header->lost_logs ? header->lost - header->lost_logs : 0, 0, 0);
	if (losses)
		losses->gaps = header->gaps;
	trace_finish(to);
	free(seen);
	return to->failed ? -1 : 0;
}

int live_totals_read(const char *path, struct strbuf *to)
{
	struct strbuf reason = STRBUF_INIT;
	struct totals_reader *reader = totals_reader_open(path, &reason);
	const struct totals_rows *rows = reader ? totals_reader_read(reader) : NULL;
	int result = -1;

	strbuf_free(&reason);
	if (rows && totals_rows_count(rows))
		result = put_trace(to, rows, totals_reader_catalog(reader),
				   totals_reader_header(reader));
	if (reader)
		totals_reader_close(reader);
	return result;
}
