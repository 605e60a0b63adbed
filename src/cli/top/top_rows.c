/* SPDX-License-Identifier: MIT */
#include "cli/top/top_rows.h"

#include <stdlib.h>

#include "model/amount.h"
#include "model/totals_row.h"
#include "view/format/label.h"

#define ORDER(left, right) (((left) > (right)) - ((left) < (right)))

static int compare(const void *left, const void *right)
{
	const struct top_row *a = left, *b = right;
	int order = ORDER(a->like.frame.kind, b->like.frame.kind);

	order = order ? order : ORDER(a->api, b->api);
	order = order ? order : ORDER(a->like.frame.flags, b->like.frame.flags);
	order = order ? order : ORDER(a->like.name, b->like.name);
	order = order ? order : ORDER(a->like.source, b->like.source);
	return order ? order : ORDER(a->like.target, b->like.target);
}

static int compare_devices(const void *left, const void *right)
{
	const struct top_device *a = left, *b = right;

	return ORDER(a->id, b->id);
}

static void add_row(struct top_rows *to, const struct totals_row *row)
{
	bool call = totals_row_kind(row) == TOTALS_FUNCTION;
	bool other = row->frame.flags & TOTALS_OTHER;
	struct top_row more = {
		.like.frame = {.kind = call ? FRAME_CALL : row->record_kind,
			       .flags = other ? LABEL_OTHER : 0},
		.api = (enum api)row->api,
		.count = row->count,
		.total = row->total,
		.shortest = row->shortest,
		.longest = row->longest,
	};

	if (!other) {
		more.like.name = row->name;
		more.like.source = row->source;
		more.like.target = row->target;
	}
	for (int i = 0; i < TOTALS_MISSING && !call; i++)
		to->untimed = amount_add(to->untimed, row->missing[i]);
	if (call)
		to->calls = amount_add(to->calls, row->count);
	else
		to->records = amount_add(to->records, row->count);
	if (row->count)
		strbuf_append(&to->rows, &more, sizeof(more));
}

static void add_process(struct top_rows *to, const struct totals_row *row)
{
	const struct totals_process *process = (const void *)row;

	to->allocations = amount_add(to->allocations, process->allocations);
	to->in_use = amount_add(to->in_use, process->in_use);
	to->peak = amount_add(to->peak, process->peak);
}

static void add(struct top_rows *to, const struct totals_row *row)
{
	struct top_device device = {.id = row->device, .busy = row->total};

	switch (totals_row_kind(row)) {
	case TOTALS_ACTIVITY:
	case TOTALS_FUNCTION:
		add_row(to, row);
		break;
	case TOTALS_DEVICE:
		strbuf_append(&to->devices, &device, sizeof(device));
		break;
	case TOTALS_PROCESS:
		add_process(to, row);
		break;
	}
}

static void merge(struct top_row *into, const struct top_row *row)
{
	into->count = amount_add(into->count, row->count);
	into->total = amount_add(into->total, row->total);
	if (row->shortest < into->shortest)
		into->shortest = row->shortest;
	if (row->longest > into->longest)
		into->longest = row->longest;
}

/* Adds the rows with one key. */
static void merge_rows(struct strbuf *rows)
{
	struct top_row *list = (void *)rows->data;
	size_t count = rows->length / sizeof(*list), kept = 0;

	if (!count)
		return;
	qsort(list, count, sizeof(*list), compare);
	for (size_t i = 1; i < count; i++) {
		if (compare(&list[kept], &list[i]))
			list[++kept] = list[i];
		else
			merge(&list[kept], &list[i]);
	}
	rows->length = (kept + 1) * sizeof(*list);
}

int top_rows_read(struct top_rows *to, const struct totals_rows *rows)
{
	struct strbuf list = to->rows, devices = to->devices;

	list.length = devices.length = 0;
	*to = (struct top_rows){.rows = list, .devices = devices};
	for (size_t i = 0; i < totals_rows_count(rows); i++)
		add(to, totals_rows_get(rows, i));
	to->records = amount_add(to->records, to->untimed);
	if (to->rows.failed || to->devices.failed)
		return -1;
	merge_rows(&to->rows);
	if (to->devices.length)
		qsort(to->devices.data, to->devices.length / sizeof(struct top_device),
		      sizeof(struct top_device), compare_devices);
	return 0;
}

void top_rows_free(struct top_rows *rows)
{
	strbuf_free(&rows->rows);
	strbuf_free(&rows->devices);
}

uint64_t top_rows_count(const struct top_rows *rows, const struct top_row *like)
{
	size_t count;
	const struct top_row *list = top_rows_list(rows, &count);

	list = count ? bsearch(like, list, count, sizeof(*list), compare) : NULL;
	return list ? list->count : 0;
}

uint64_t top_rows_busy(const struct top_rows *rows, uint32_t device)
{
	size_t count;
	const struct top_device *list = top_rows_devices(rows, &count);

	for (size_t i = 0; i < count; i++)
		if (list[i].id == device)
			return list[i].busy;
	return 0;
}
