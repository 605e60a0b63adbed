/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "output/escape.h"

/* Times by unit: those of the present row, and the same in ascending order. */
struct scratch {
	uint64_t *times;
	uint64_t *sorted;
};

static int find_ranks(struct rank_rows *rows)
{
	size_t count;
	const struct rank_process *list = rank_sums_processes(rows->sums, &count);
	struct rank_name *names = calloc(count, sizeof(*names));

	rows->ranks = calloc(count, sizeof(*rows->ranks));
	if (!names || !rows->ranks) {
		free(names);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		names[i].path = rank_sums_text(rows->sums, list[i].path);
		names[i].pid = list[i].pid;
	}
	rows->source = RANKS_WORD;
	if (rows->sums->title)
		rank_names_by_word(names, count);
	else
		rows->source = rank_names(names, count);
	for (size_t i = 0; i < count; i++)
		rows->ranks[i] = names[i].rank;
	free(names);
	return 0;
}

static int by_rank(const void *left, const void *right)
{
	const struct rank_unit *one = left, *other = right;

	if (one->rank != other->rank)
		return one->rank < other->rank ? -1 : 1;
	return one->process < other->process ? -1 : one->process > other->process;
}

/* Processes of one rank become one unit. */
static int make_units(struct rank_rows *rows, size_t count)
{
	struct rank_unit *units = calloc(count, sizeof(*units));

	rows->units = units;
	rows->unit_of = calloc(count, sizeof(*rows->unit_of));
	if (!units || !rows->unit_of)
		return -1;
	for (size_t i = 0; i < count; i++)
		units[i] = (struct rank_unit){.rank = rows->by_process ? i : rows->ranks[i],
					      .process = (uint32_t)i};
	qsort(units, count, sizeof(*units), by_rank);
	for (size_t i = 0; i < count; i++) {
		uint32_t process = units[i].process;

		if (!rows->unit_count || units[rows->unit_count - 1].rank != units[i].rank)
			units[rows->unit_count++] = units[i];
		rows->unit_of[process] = (uint32_t)rows->unit_count - 1;
	}
	return 0;
}

static int ascending(const void *left, const void *right)
{
	const uint64_t *one = left, *other = right;

	return *one < *other ? -1 : *one > *other;
}

static void find_outliers(struct rank_rows *rows, struct rank_row *row,
			  const struct scratch *scratch)
{
	size_t count = rows->unit_count;
	const uint64_t *sorted = scratch->sorted;
	double first, third, median, distance;

	row->first_outlier = rows->outliers.length / sizeof(uint32_t);
	if (count < OUTLIER_RANKS)
		return;
	memcpy(scratch->sorted, scratch->times, count * sizeof(*sorted));
	qsort(scratch->sorted, count, sizeof(*sorted), ascending);
	first = (double)sorted[(count - 1) / 4];
	median = (double)sorted[(count - 1) / 2];
	third = (double)sorted[count - 1 - (count - 1) / 4];
	distance = 1.5 * (third - first);
	for (uint32_t i = 0; i < count; i++) {
		double time = (double)scratch->times[i];
		double change = time > median ? time - median : median - time;

		if ((time <= third + distance && time >= first - distance) ||
		    change < OUTLIER_LEAST * median)
			continue;
		strbuf_append(&rows->outliers, &i, sizeof(i));
		row->outliers++;
	}
}

/* Sets what depends on the times of the units. */
static void measure(struct rank_rows *rows, struct rank_row *row, const struct scratch *scratch)
{
	row->least = UINT64_MAX;
	for (uint32_t i = 0; i < rows->unit_count; i++) {
		uint64_t time = scratch->times[i];

		if (time < row->least)
			row->least = time;
		if (time > row->most) {
			row->most = time;
			row->slowest = i;
		}
	}
	row->average = (double)row->sum.total / (double)rows->unit_count;
	if (row->average > 0)
		row->imbalance = (double)row->most / row->average - 1;
	find_outliers(rows, row, scratch);
}

/* The entries of one activity. */
static void take_entries(struct rank_rows *rows, struct rank_row *row,
			 const struct rank_entry *entries, size_t count,
			 const struct scratch *scratch)
{
	uint64_t *launches = scratch->sorted;

	memset(scratch->times, 0, rows->unit_count * sizeof(*scratch->times));
	memset(launches, 0, rows->unit_count * sizeof(*launches));
	for (size_t i = 0; i < count; i++) {
		const struct rank_sum *sum = &entries[i].sum;
		uint32_t unit = rows->unit_of[entries[i].process];
		struct rank_unit *of = &rows->units[unit];

		launches[unit] += sum->count || sum->untimed;
		rank_sum_add(&row->sum, sum);
		scratch->times[unit] = amount_add(scratch->times[unit], sum->total);
		of->total = amount_add(of->total, sum->total);
	}
	for (size_t i = 0; i < rows->unit_count; i++)
		row->units += launches[i] > 0;
	measure(rows, row, scratch);
}

/* After all others. */
static void take_all(struct rank_rows *rows, const struct scratch *scratch)
{
	struct rank_row *all = &rows->list[0];

	for (size_t i = 1; i < rows->count; i++)
		rank_sum_add(&all->sum, &rows->list[i].sum);
	for (size_t i = 0; i < rows->unit_count; i++) {
		scratch->times[i] = rows->units[i].total;
		all->units += rows->units[i].total > 0;
	}
	measure(rows, all, scratch);
}

/* A total order that does not depend on the numbers of activities. */
static int longest_first(const void *left, const void *right, void *at)
{
	const struct rank_row *one = left, *other = right;
	const struct record *a = &one->what->like, *b = &other->what->like;
	const struct names *names = at;
	size_t length;
	int keys[][2] = {
		{a->frame.kind, b->frame.kind},
		{a->frame.flags & LABEL_OTHER, b->frame.flags & LABEL_OTHER},
		{(int)one->what->api, (int)other->what->api},
		{a->source, b->source},
		{a->target, b->target},
	};

	if (one->sum.total != other->sum.total)
		return one->sum.total < other->sum.total ? 1 : -1;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return strcmp(names_text(names, a->name, &length), names_text(names, b->name, &length));
}

static int make_rows(struct rank_rows *rows, const struct scratch *scratch)
{
	const struct rank_sums *sums = rows->sums;
	uint32_t activities;
	size_t entries;
	const struct activity_key *keys = activity_index_list(&sums->activities, &activities);
	const struct rank_entry *entry = rank_sums_entries(sums, &entries);

	rows->list = calloc((size_t)activities + 1, sizeof(*rows->list));
	if (!rows->list)
		return -1;
	rows->count = 1;
	for (size_t i = 0, next; i < entries; i = next) {
		struct rank_row *row = &rows->list[rows->count++];

		row->number = entry[i].activity;
		row->first_entry = i;
		row->what = &keys[row->number];
		for (next = i + 1; next < entries && entry[next].activity == row->number;)
			next++;
		take_entries(rows, row, &entry[i], next - i, scratch);
	}
	take_all(rows, scratch);
	if (rows->count > 2)
		qsort_r(rows->list + 1, rows->count - 1, sizeof(*rows->list), longest_first,
			sums->activities.names);
	for (size_t i = 0; i < rows->count && rows->list[0].sum.total; i++)
		rows->list[i].share =
			(double)rows->list[i].sum.total / (double)rows->list[0].sum.total;
	return rows->outliers.failed ? -1 : 0;
}

int rank_rows_make(struct rank_rows *rows, const struct rank_sums *sums, bool by_process,
		   bool demangled)
{
	struct scratch scratch;
	size_t count;
	int result = -1;

	*rows = (struct rank_rows){
		.sums = sums,
		.by_process = by_process,
		.label = {.names = sums->activities.names, .demangled = demangled},
	};
	rank_sums_processes(sums, &count);
	scratch.times = calloc(count, sizeof(uint64_t));
	scratch.sorted = calloc(count, sizeof(uint64_t));
	if (scratch.times && scratch.sorted && !find_ranks(rows) && !make_units(rows, count))
		result = make_rows(rows, &scratch);
	free(scratch.times);
	free(scratch.sorted);
	return result;
}

void rank_rows_free(struct rank_rows *rows)
{
	free(rows->ranks);
	free(rows->unit_of);
	free(rows->units);
	free(rows->list);
	strbuf_free(&rows->outliers);
	label_free(&rows->label);
}

void rank_rows_put_name(struct strbuf *to, struct rank_rows *rows, const struct rank_row *row,
			size_t room)
{
	if (!row->what)
		strbuf_string(to, "[all GPU time of a rank]");
	else if (room)
		label_short(to, row->what->api, &row->what->like, &rows->label, room);
	else
		label_name(to, row->what->api, &row->what->like, &rows->label);
}

void rank_rows_put_file(struct strbuf *to, const struct rank_rows *rows, uint32_t unit)
{
	size_t count;
	const struct rank_process *process =
		&rank_sums_processes(rows->sums, &count)[rows->units[unit].process];
	const char *path = rank_sums_text(rows->sums, process->path);

	escape_put(to, path, strlen(path), ESCAPE_SHOWN);
	if (process->part)
		strbuf_printf(to, "#%u", process->part + 1);
}

void rank_rows_put_unit(struct strbuf *to, const struct rank_rows *rows, uint32_t unit, size_t room)
{
	size_t start = to->length;

	if (!rows->by_process) {
		strbuf_decimal(to, rows->units[unit].rank);
		return;
	}
	rank_rows_put_file(to, rows, unit);
	label_shorten(to, start, room);
}

const uint32_t *rank_rows_outliers(const struct rank_rows *rows, const struct rank_row *row)
{
	return (const uint32_t *)(const void *)rows->outliers.data + row->first_outlier;
}
