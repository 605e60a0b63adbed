/* SPDX-License-Identifier: MIT */
/* Apache Parquet, for programs that analyse tables: a row for each kernel, copy and fill. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "output/jsontext.h"
#include "view/format/gzip.h"
#include "view/format/json_command.h"
#include "view/format/system.h"
#include "view/parquet/parquet_record.h"
#include "view/view.h"

struct parquet {
	struct parquet_file *file;
	struct parquet_record rows;
	struct process first; /* of the first part; without its command */
	int64_t first_epoch;
	bool begun, compressed;
	uint64_t records, untimed; /* of the part */
	uint64_t lost, lost_events;
	bool cut_off, lost_unknown, events_unknown, lacks_counters;
	struct strbuf processes; /* JSON */
};

/* Processes of one boot have the clock of the first one; ranks, the one that was found for all. */
static int64_t shift_of(const struct parquet *parquet, const struct process *process,
			const struct stream_rank *rank)
{
	uint64_t own = (uint64_t)process->monotonic_to_epoch;

	if (rank)
		return (int64_t)((uint64_t)rank->epoch - own);
	return process_shares_clock(process, &parquet->first)
		       ? (int64_t)((uint64_t)parquet->first.monotonic_to_epoch - own)
		       : 0;
}

/* The process is known from the first record on. */
static void begin_part(struct parquet *parquet, const struct stream *stream)
{
	const struct process *process = &stream_catalog(stream)->process;
	const struct stream_rank *rank = stream_rank(stream);
	struct parquet_record *rows = &parquet->rows;

	if (!parquet->begun) {
		parquet->first = *process;
		parquet->first.command = NULL;
		parquet->first.command_length = 0;
	}
	parquet->begun = true;
	rows->catalog = stream_catalog(stream);
	rows->has_rank = rank || process->rank;
	rows->rank = rank ? rank->rank : process->rank - UINT64_C(1);
	rows->has_starts = !stream_no_starts(stream);
	rows->shift = shift_of(parquet, process, rank);
	parquet_record_forget(rows);
	parquet->records = parquet->untimed = 0;
}

static void put_host(struct strbuf *to, const struct process *process)
{
	struct strbuf host = STRBUF_INIT;

	if (system_has_run(process) && !system_put_host(&host)) {
		strbuf_string(to, ", \"host\": ");
		json_escaped(to, host.data, host.length);
	}
	to->failed |= host.failed;
	strbuf_free(&host);
}

static void end_part(struct parquet *parquet, const struct stream *stream)
{
	const struct process *process = &stream_catalog(stream)->process;
	uint64_t lost_events = stream_lost_events(stream);
	uint64_t lost = stream_lost(stream) - lost_events;
	bool lost_unknown = stream_has_uncounted_losses(stream);
	bool events_unknown = stream_lacks_events(stream);
	struct strbuf *to = &parquet->processes;

	strbuf_string(to, to->length ? ", {" : "[{");
	if (process->pid)
		strbuf_printf(to, "\"process\": %u", process->pid);
	else
		strbuf_string(to, "\"process\": null");
	json_add_known(to, "rank", parquet->rows.rank, parquet->rows.has_rank);
	json_command_put(to, process);
	put_host(to, process);
	json_add_number(to, "records", parquet->records);
	json_add_number(to, "untimed", parquet->untimed);
	json_add_known(to, "lost", lost, !lost_unknown);
	json_add_known(to, "lost_events", lost_events, !events_unknown);
	strbuf_printf(to, ", \"cut_off\": %s}", stream_is_cut_off(stream) ? "true" : "false");
	parquet->lost += lost;
	parquet->lost_events += lost_events;
	parquet->lost_unknown |= lost_unknown;
	parquet->events_unknown |= events_unknown;
	parquet->cut_off |= stream_is_cut_off(stream);
	parquet->lacks_counters |= stream_lacks_counters(stream);
}

static int put_part(struct parquet *parquet, struct stream *stream, struct strbuf *error)
{
	struct parquet_record *rows = &parquet->rows;
	bool begun = false;
	int result;

	while ((result = stream_next(stream, &rows->record, error)) > 0) {
		if (!begun)
			begin_part(parquet, stream);
		begun = true;
		parquet->records++;
		parquet->untimed += !(rows->record->known & KNOWN_TIMES);
		rows->number = stream_is_numbered(stream) ? rows->record->frame.correlation
							  : parquet->records;
		if (parquet_record_put(rows))
			return -1;
	}
	if (!begun)
		begin_part(parquet, stream);
	if (!result)
		end_part(parquet, stream);
	return result;
}

static void add_number(struct parquet *parquet, const char *key, uint64_t number)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_decimal(&text, number);
	parquet_file_add_metadata(parquet->file, key, strbuf_text(&text));
	strbuf_free(&text);
}

/* What is not known is left out. */
static void add_metadata(struct parquet *parquet)
{
	parquet_file_add_metadata(parquet->file, "made_by", PACKAGE_STRING);
	if (!parquet->lost_unknown)
		add_number(parquet, "lost_records", parquet->lost);
	if (!parquet->events_unknown)
		add_number(parquet, "lost_events", parquet->lost_events);
	parquet_file_add_metadata(parquet->file, "cut_off", parquet->cut_off ? "true" : "false");
	strbuf_char(&parquet->processes, ']');
	parquet_file_add_metadata(parquet->file, "processes", strbuf_text(&parquet->processes));
	parquet->rows.failed |= parquet->processes.failed;
}

static int put_parts(struct parquet *parquet, struct stream *stream, struct strbuf *error)
{
	int result, more = 1;

	do
		result = put_part(parquet, stream, error);
	while (!result && (more = stream_advance(stream, error)) > 0);
	if (result || more < 0)
		return -1;
	add_metadata(parquet);
	return 0;
}

static void put_messages(const struct parquet *parquet, struct stream *stream)
{
	struct strbuf text = STRBUF_INIT;

	if (parquet->rows.left_out) {
		strbuf_printf(&text, "%llu values of counters beyond the first %d",
			      (unsigned long long)parquet->rows.left_out, PARQUET_COUNTERS);
		stream_leave_out(stream, strbuf_text(&text));
	}
	if (parquet->lacks_counters)
		stream_leave_out(stream, STREAM_COUNTERS);
	text.length = 0;
	if (!parquet->compressed) {
		strbuf_string(&text, "the .parquet file is not compressed: ");
		gzip_check(&text);
		stream_put_message(stream, strbuf_text(&text));
	}
	strbuf_free(&text);
}

static int write_parquet(const char *path, struct stream *stream, struct strbuf *error)
{
	struct parquet *parquet = calloc(1, sizeof(*parquet));
	int result = -1;

	if (!parquet) {
		strbuf_string(error, "out of memory");
		return -1;
	}
	parquet->file = parquet_file_open(path, error);
	parquet->compressed = parquet->file && parquet_file_is_compressed(parquet->file);
	if (parquet->file && !parquet_record_open(&parquet->rows, parquet->file))
		result = put_parts(parquet, stream, error);
	if (parquet->rows.failed && !error->length)
		strbuf_string(error, "out of memory for the file");
	if (parquet->file && parquet_file_close(parquet->file, error))
		result = -1;
	if (!result)
		put_messages(parquet, stream);
	parquet_record_close(&parquet->rows);
	strbuf_free(&parquet->processes);
	free(parquet);
	return result;
}

const struct view view_parquet = {
	.extension = ".parquet",
	.help = "a table in Apache Parquet: a row for each kernel, copy and fill",
	.has = KEPT_COUNTERS,
	.without_starts = true,
	.holds_several = true,
	.shows_ranks = true,
	.write = write_parquet,
};
