/* SPDX-License-Identifier: MIT */
#include "view/advise/flow_tables.h"

#include <stdlib.h>

enum {
	PERCENT = 9,
	CELL = 8,
	COMMAND = 28,
	WRITES_SHOWN = 20, /* in text; CSV and JSON have all rows */
	ARGUMENTS_SHOWN = 10,
};

static const char prefix[] = "======== ";

const char *const flow_reason_texts[CHANGE_REASONS] = {
	[CHANGE_COMPARED] = "",
	[CHANGE_LARGE] = "of objects larger than [values] limit",
	[CHANGE_MEMORY] = "because [values] memory was used up",
	[CHANGE_TIME] = "because [values] time was used up",
	[CHANGE_PENDING] = "by commands that could have waited for the program",
	[CHANGE_KIND] = "of images, pipes and shared virtual memory",
	[CHANGE_UNREADABLE] = "of objects that the host may not read",
	[CHANGE_FAILED] = "that could not be read back",
	[CHANGE_LOST] = "of objects whose contents were not known before",
};

const char *const flow_reason_words[CHANGE_REASONS] = {
	[CHANGE_COMPARED] = "compared",
	[CHANGE_LARGE] = "large",
	[CHANGE_MEMORY] = "memory",
	[CHANGE_TIME] = "time",
	[CHANGE_PENDING] = "pending",
	[CHANGE_KIND] = "kind",
	[CHANGE_UNREADABLE] = "unreadable",
	[CHANGE_FAILED] = "failed",
	[CHANGE_LOST] = "lost",
};

uint64_t flow_writes(const struct flow *flow)
{
	return flow->reasons[CHANGE_COMPARED] + flow_not_compared(flow);
}

uint64_t flow_not_compared(const struct flow *flow)
{
	uint64_t sum = 0;

	for (int reason = CHANGE_COMPARED + 1; reason < CHANGE_REASONS; reason++)
		sum += flow->reasons[reason];
	return sum;
}

void flow_put_command(struct strbuf *to, struct advice *advice, const struct flow_node *node,
		      size_t room)
{
	struct record like = {
		.frame.kind = node->key.kind == FLOW_KERNEL ? FRAME_KERNEL
			      : node->key.kind == FLOW_COPY ? FRAME_COPY
							    : FRAME_FILL,
		.name = node->key.name,
		.source = (uint8_t)(node->key.direction >> 16),
		.target = (uint8_t)node->key.direction,
	};

	if (node->key.kind == FLOW_HOST)
		strbuf_string(to, "host");
	else if (node->key.kind == FLOW_ALLOCATION)
		strbuf_string(to, "allocation");
	else if (node->key.kind == FLOW_OTHER)
		strbuf_string(to, "unknown");
	else
		label_short(to, (enum api)node->key.api, &like, &advice->label, room);
}

struct row {
	struct advice *advice;
	const struct flow_edge *edge;
};

static const struct flow_edge *edge_of(const void *at)
{
	return ((const struct row *)at)->edge;
}

static double part(uint64_t bytes, uint64_t whole)
{
	return whole ? (double)bytes / (double)whole : 0;
}

static double same_of(const void *at)
{
	return part(edge_of(at)->same, edge_of(at)->compared_bytes);
}

static double words_of(const void *at)
{
	return part(edge_of(at)->same_words, edge_of(at)->compared_bytes);
}

static bool same_bytes_of(const struct printer_column *column, const void *at, double *value)
{
	(void)column;
	*value = (double)edge_of(at)->same;
	return true;
}

static bool written_of(const struct printer_column *column, const void *at, double *value)
{
	(void)column;
	*value = (double)edge_of(at)->compared_bytes;
	return true;
}

static bool left_of(const struct printer_column *column, const void *at, double *value)
{
	(void)column;
	*value = (double)edge_of(at)->unchanged_bytes;
	return true;
}

static void put_writes(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, edge_of(at)->compared);
}

static void put_launches(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, edge_of(at)->unchanged);
}

static void put_argument(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	if (edge_of(at)->argument != USE_NO_ARGUMENT)
		strbuf_decimal(to, edge_of(at)->argument);
}

static void put_command(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;

	flow_put_command(to, row->advice, flow_node(&row->advice->flow, row->edge->key.to), room);
}

static void put_command_cell(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_command(to, at, COMMAND);
}

static void put_command_field(struct strbuf *to, const struct printer_column *column,
			      const void *at)
{
	(void)column;
	put_command(to, at, 0);
}

static void put_object(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;

	advice_put_object(to, row->advice, advice_object(row->advice, row->edge->object - 1), room);
}

/* clang-format off */
#define HEADING(name) .heading = name, .csv = "\"" name "\"", .width = CELL
#define COMMAND_COLUMN \
	{ .heading = "Command", .csv = "\"Command\"", .width = -COMMAND, .quoted = true, \
	  .text = put_command_cell, .fields = put_command_field }
#define OBJECT_COLUMN \
	{ .heading = "Object", .csv = "\"Object\"", .quoted = true, .name = put_object }

static const struct printer_column write_columns[] = {
	{ .heading = "Before(%)", .csv = "\"Before(%)\"", .width = PERCENT, .unit = "%",
	  .share = same_of },
	{ .heading = "Words(%)", .csv = "\"Words(%)\"", .width = CELL, .unit = "%",
	  .share = words_of },
	{ HEADING("Before"), .quantity = &quantity_size, .number = same_bytes_of },
	{ HEADING("Written"), .quantity = &quantity_size, .number = written_of },
	{ HEADING("Writes"), .text = put_writes },
	COMMAND_COLUMN,
	OBJECT_COLUMN,
};

static const struct printer_column argument_columns[] = {
	{ HEADING("Launches"), .text = put_launches },
	{ HEADING("Size"), .quantity = &quantity_size, .number = left_of },
	{ HEADING("Argument"), .text = put_argument },
	COMMAND_COLUMN,
	OBJECT_COLUMN,
};
/* clang-format on */

#define COUNT(columns) ((int)(sizeof(columns) / sizeof((columns)[0])))

/* A table of edges. */
struct table {
	const char *title;
	const struct printer_column *columns;
	int count;
	size_t shown;					 /* in text */
	uint64_t (*bytes)(const struct flow_edge *edge); /* 0: the edge has no row */
};

static uint64_t bytes_before(const struct flow_edge *edge)
{
	return edge->key.kind == FLOW_WRITE ? edge->same : 0;
}

static uint64_t bytes_left(const struct flow_edge *edge)
{
	return edge->key.kind == FLOW_READ ? edge->unchanged_bytes : 0;
}

static const struct table tables[] = {
	{"Writes of bytes that were there before:", write_columns, COUNT(write_columns),
	 WRITES_SHOWN, bytes_before},
	{"Arguments without const that no launch has changed:", argument_columns,
	 COUNT(argument_columns), ARGUMENTS_SHOWN, bytes_left},
};

/* The order of a table's rows. */
struct order {
	const struct flow *flow;
	const struct table *table;
};

static int compare(const void *left, const void *right, void *context)
{
	const struct order *order = context;
	uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
	uint64_t first = order->table->bytes(flow_edge(order->flow, one));
	uint64_t second = order->table->bytes(flow_edge(order->flow, other));

	if (first != second)
		return first > second ? -1 : 1;
	return one < other ? -1 : one > other;
}

static void put_rows(struct printer *printer, struct row *row, const uint32_t *list, size_t count)
{
	for (size_t i = 0; printer->page->csv && i < count; i++) {
		row->edge = flow_edge(&row->advice->flow, list[i]);
		printer_measure(printer, row);
	}
	printer_begin(printer);
	for (size_t i = 0; i < count; i++) {
		row->edge = flow_edge(&row->advice->flow, list[i]);
		printer_row(printer, row);
	}
	printer_end(printer);
}

static void put_table(const struct printer_page *page, struct advice *advice,
		      const struct table *table, uint32_t *list)
{
	struct printer printer = {.page = page, .columns = table->columns, .count = table->count};
	struct order order = {&advice->flow, table};
	struct row row = {.advice = advice};
	size_t count = 0, shown;

	for (uint32_t i = 0; i < advice->flow.edges.count; i++)
		if (table->bytes(flow_edge(&advice->flow, i)))
			list[count++] = i;
	if (!count)
		return;
	qsort_r(list, count, sizeof(*list), compare, &order);
	shown = !page->csv && count > table->shown ? table->shown : count;
	strbuf_printf(page->text, "%s%s\n", prefix, table->title);
	put_rows(&printer, &row, list, shown);
	if (count > shown)
		strbuf_printf(page->text, "%s%llu more: --csv and --json have all.\n", prefix,
			      (unsigned long long)(count - shown));
}

static void put_head(struct strbuf *to, const struct flow *flow)
{
	uint64_t written = 0, same = 0;

	for (uint32_t i = 0; i < flow->edges.count; i++) {
		const struct flow_edge *edge = flow_edge(flow, i);

		if (edge->key.kind != FLOW_WRITE)
			continue;
		written += edge->compared_bytes;
		same += edge->same;
	}
	strbuf_printf(to, "%sData flow: %llu of %llu writes were compared: ", prefix,
		      (unsigned long long)flow->reasons[CHANGE_COMPARED],
		      (unsigned long long)flow_writes(flow));
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)same);
	strbuf_string(to, " of ");
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)written);
	strbuf_printf(to, " (%.2f%%) were there before.\n", 100 * part(same, written));
	for (int reason = CHANGE_COMPARED + 1; reason < CHANGE_REASONS; reason++)
		if (flow->reasons[reason])
			strbuf_printf(to, "%sWarning: %llu writes %s were not compared.\n", prefix,
				      (unsigned long long)flow->reasons[reason],
				      flow_reason_texts[reason]);
}

int flow_put_tables(const struct printer_page *page, struct advice *advice)
{
	uint32_t *list;

	if (!advice->flow.changes)
		return 0;
	list = calloc(advice->flow.edges.count + 1u, sizeof(*list));
	if (!list)
		return -1;
	put_head(page->text, &advice->flow);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		put_table(page, advice, &tables[i], list);
	free(list);
	return 0;
}
