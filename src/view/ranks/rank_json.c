/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_json.h"

#include <string.h>

#include "model/amount.h"
#include "model/api.h"
#include "output/jsontext.h"

static void put_text(struct strbuf *to, const struct rank_sums *sums, uint32_t text)
{
	const char *at = rank_sums_text(sums, text);

	json_name(to, at, strlen(at));
}

static void put_losses(struct strbuf *to, uint64_t lost, bool cut_off)
{
	json_add_known(to, "lost", lost, lost != UINT64_MAX);
	strbuf_printf(to, ", \"cut_off\": %s", cut_off ? "true" : "false");
}

static void put_all_losses(struct strbuf *to, const struct rank_rows *rows)
{
	size_t count;
	const struct rank_process *list = rank_sums_processes(rows->sums, &count);
	uint64_t lost = 0;
	bool cut_off = false;

	for (size_t i = 0; i < count; i++) {
		lost = amount_add(lost, list[i].lost);
		cut_off |= list[i].cut_off;
	}
	put_losses(to, lost, cut_off);
}

/* What tells a process from others: rank_identity.h. */
static void put_identity(struct strbuf *to, const struct rank_sums *sums, uint32_t index)
{
	size_t count;
	const struct rank_process *process = &rank_sums_processes(sums, &count)[index];
	const struct rank_part *part = rank_sums_parts(sums, &count);
	const char *between = ", \"merged_from\": [";

	json_add_known(to, "started", process->started, process->started);
	json_add_known(to, "records", process->records, process->started);
	if (!process->merged)
		return;
	for (size_t i = 0; i < count; i++) {
		if (part[i].process != index)
			continue;
		strbuf_printf(to, "%s[%u, ", between, part[i].pid);
		json_number(to, part[i].started);
		strbuf_char(to, ']');
		between = ", ";
	}
	strbuf_char(to, ']');
}

static void put_processes(struct strbuf *to, const struct rank_rows *rows)
{
	size_t count;
	const struct rank_process *list = rank_sums_processes(rows->sums, &count);

	strbuf_string(to, ",\n \"files\": [");
	for (size_t i = 0; i < count; i++) {
		strbuf_string(to, i ? ",\n  {\"file\": " : "\n  {\"file\": ");
		put_text(to, rows->sums, list[i].path);
		json_add_number(to, "part", list[i].part);
		json_add_known(to, "process", list[i].pid, list[i].pid);
		put_identity(to, rows->sums, (uint32_t)i);
		json_add_number(to, "rank", rows->ranks[i]);
		put_losses(to, list[i].lost, list[i].cut_off);
		strbuf_printf(to, ", \"launches\": %s}", list[i].launches ? "true" : "false");
	}
	strbuf_char(to, ']');
}

static void put_missing(struct strbuf *to, const struct rank_sums *sums)
{
	size_t count;
	const struct rank_missing *list = rank_sums_missing(sums, &count);

	strbuf_string(to, ",\n \"left_out\": [");
	for (size_t i = 0; i < count; i++) {
		strbuf_string(to, i ? ",\n  {\"file\": " : "\n  {\"file\": ");
		put_text(to, sums, list[i].path);
		strbuf_string(to, ", \"reason\": ");
		put_text(to, sums, list[i].reason);
		strbuf_char(to, '}');
	}
	strbuf_char(to, ']');
}

/* A rank is its number, a process its index in `files`. */
static void put_unit(struct strbuf *to, const struct rank_rows *rows, uint32_t unit)
{
	json_number(to, rows->by_process ? rows->units[unit].process : rows->units[unit].rank);
}

static void put_distribution(struct strbuf *to, const struct rank_rows *rows,
			     const struct rank_row *row)
{
	const uint32_t *outliers = rank_rows_outliers(rows, row);

	json_add_number(to, "found_in", row->units);
	json_add_number(to, "least_ns", row->least);
	strbuf_printf(to, ", \"mean_ns\": %.1f", row->average);
	json_add_number(to, "most_ns", row->most);
	strbuf_printf(to, ", \"imbalance\": %.6f, \"slowest\": ", row->imbalance);
	if (row->most)
		put_unit(to, rows, row->slowest);
	else
		strbuf_string(to, "null");
	strbuf_string(to, ", \"outliers\": [");
	for (size_t i = 0; i < row->outliers; i++) {
		strbuf_string(to, i ? ", " : "");
		put_unit(to, rows, outliers[i]);
	}
	strbuf_printf(to, "], \"share\": %.6f", row->share);
}

static void put_sum(struct strbuf *to, const struct rank_sum *sum)
{
	json_add_number(to, "count", sum->count);
	json_add_number(to, "untimed", sum->untimed);
	json_add_number(to, "total_ns", sum->total);
	if (sum->count) {
		json_add_number(to, "min_ns", sum->shortest);
		json_add_number(to, "max_ns", sum->longest);
		json_add_number(to, "avg_ns", sum->total / sum->count);
	}
}

static void put_percentiles(struct strbuf *to, const struct rank_rows *rows,
			    const struct rank_row *row)
{
	static const unsigned percents[] = {50, 95, 99};
	const struct histogram *times = rank_sums_times(rows->sums, row->number, &row->sum);

	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		uint64_t value = times ? histogram_percentile(times, percents[i]) : 0;

		value = value < row->sum.shortest ? row->sum.shortest : value;
		value = value > row->sum.longest ? row->sum.longest : value;
		strbuf_printf(to, ", \"p%u_ns\": ", percents[i]);
		if (times)
			json_number(to, value);
		else
			strbuf_string(to, "null");
	}
}

/* What rank_read reads: the sums of each process, and the histogram. */
static void put_parts(struct strbuf *to, const struct rank_rows *rows, const struct rank_row *row)
{
	size_t count;
	const struct rank_entry *list = rank_sums_entries(rows->sums, &count);
	const char *between = ",\n   \"sums\": [";

	for (size_t i = row->first_entry; i < count && list[i].activity == row->number; i++) {
		const struct rank_sum *sum = &list[i].sum;
		const uint64_t numbers[] = {list[i].process, sum->count,    sum->untimed,
					    sum->total,	     sum->shortest, sum->longest,
					    sum->bytes,	     sum->sized};

		for (size_t j = 0; j < sizeof(numbers) / sizeof(numbers[0]); j++) {
			strbuf_string(to, j ? "," : between);
			strbuf_string(to, j ? "" : "[");
			json_number(to, numbers[j]);
		}
		strbuf_char(to, ']');
		between = ", ";
	}
	strbuf_char(to, ']');
}

static void put_histogram(struct strbuf *to, const struct rank_rows *rows,
			  const struct rank_row *row)
{
	const struct histogram *times =
		row->number < rows->sums->times_room ? &rows->sums->times[row->number] : NULL;
	const char *between = "";

	strbuf_printf(to, ",\n   \"coarse\": %s, \"times\": [",
		      times && times->coarse ? "true" : "false");
	for (unsigned part = 0; times && part < HISTOGRAM_ROWS * HISTOGRAM_PARTS; part++) {
		uint64_t count = histogram_part(times, part);

		if (!count)
			continue;
		strbuf_printf(to, "%s[%u,", between, part);
		json_number(to, count);
		strbuf_char(to, ']');
		between = ", ";
	}
	strbuf_string(to, "]}");
}

static void put_key(struct strbuf *to, const struct rank_rows *rows,
		    const struct activity_key *what)
{
	const struct record *like = &what->like;
	size_t length;
	const char *name = names_text(rows->sums->activities.names, like->name, &length);

	strbuf_printf(to, "{\"api\": \"%s\", ", api_row(what->api)->name);
	if (like->frame.flags & LABEL_OTHER) {
		strbuf_string(to, "\"kind\": \"kernel\", \"name\": \"" LABEL_OTHER_NAME "\"");
	} else if (like->frame.kind == FRAME_KERNEL) {
		strbuf_string(to, "\"kind\": \"kernel\", \"name\": ");
		json_name(to, name, length);
	} else if (like->frame.kind == FRAME_COPY) {
		strbuf_printf(to, "\"kind\": \"copy\", \"name\": \"%s\"", label_direction(like));
	} else {
		strbuf_string(to, "\"kind\": \"fill\", \"name\": \"\"");
	}
}

static void put_row(struct strbuf *to, const struct rank_rows *rows, const struct rank_row *row)
{
	put_key(to, rows, row->what);
	put_sum(to, &row->sum);
	put_percentiles(to, rows, row);
	json_add_known(to, "bytes", row->sum.bytes, row->sum.sized);
	put_distribution(to, rows, row);
	put_parts(to, rows, row);
	put_histogram(to, rows, row);
}

static void put_launches(struct strbuf *to, const struct rank_rows *rows)
{
	size_t count;
	uint32_t keys;
	const struct rank_launch *list = rank_sums_launches(rows->sums, &count);
	const struct activity_key *key = activity_index_list(&rows->sums->activities, &keys);

	strbuf_string(to, ",\n \"longest\": [");
	for (size_t i = 0; i < count; i++) {
		strbuf_string(to, i ? ",\n  " : "\n  ");
		put_key(to, rows, &key[list[i].activity]);
		json_add_number(to, "time_ns", list[i].time);
		json_add_known(to, "start_ns", list[i].start, list[i].start);
		json_add_number(to, "file", list[i].process);
		json_add_number(to, "record", list[i].record);
		json_add_number(to, "device", list[i].device);
		strbuf_char(to, '}');
	}
	strbuf_char(to, ']');
}

void rank_json_put(struct strbuf *to, struct rank_rows *rows)
{
	static const char *const sources[] = {
		[RANKS_WORD] = "word", [RANKS_NUMBER] = "number", [RANKS_ORDER] = "order"};

	strbuf_printf(to, RANK_JSON_START "%s\", \"ranks_from\": \"%s\"",
		      rows->by_process ? "process" : "rank", sources[rows->source]);
	json_add_number(to, "ranks", rows->unit_count);
	name_filter_put(to, rows->sums->kernels, rows->sums->filter.demangled);
	put_all_losses(to, rows);
	put_processes(to, rows);
	put_missing(to, rows->sums);
	strbuf_string(to, ",\n \"all\": {\"kind\": \"all\"");
	put_sum(to, &rows->list[0].sum);
	put_distribution(to, rows, &rows->list[0]);
	strbuf_string(to, "},\n \"activities\": [");
	for (size_t i = 1; i < rows->count; i++) {
		strbuf_string(to, i > 1 ? ",\n  " : "\n  ");
		put_row(to, rows, &rows->list[i]);
	}
	strbuf_char(to, ']');
	put_launches(to, rows);
	strbuf_string(to, "}\n");
}
