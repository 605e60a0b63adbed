/* SPDX-License-Identifier: MIT */
#include "view/advise/flow_tables.h"

#include <stdlib.h>

enum {
	PERCENT = 9,
	CELL = 8,
	COMMAND = 24,
	BEFORE = 20,
	WRITES_SHOWN = 20, /* in text; CSV and JSON have all rows */
	ARGUMENTS_SHOWN = 10,
};

static const char prefix[] = "======== ";

const char *const flow_reason_texts[CHANGE_REASONS] = {
	[CHANGE_COMPARED] = "",
	[CHANGE_LARGE] = "the object is larger than [values] limit",
	[CHANGE_MEMORY] = "[values] memory was used up",
	[CHANGE_TIME] = "[values] time was used up",
	[CHANGE_PENDING] = "the command could have waited for the program",
	[CHANGE_KIND] = "the object is an image, a pipe or shared virtual memory",
	[CHANGE_UNREADABLE] = "the host may not read the object",
	[CHANGE_FAILED] = "the command or the reading has failed",
	[CHANGE_LOST] = "the contents before were not known",
	[CHANGE_SKIPPED] = "[values] sample or kernel leaves the launch out",
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
	[CHANGE_SKIPPED] = "skipped",
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

/* One of the two is set. */
struct row {
	struct advice *advice;
	const struct flow_edge *edge;
	const struct flow_argument *argument;
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
	*value = (double)((const struct row *)at)->argument->bytes;
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
	strbuf_decimal(to, ((const struct row *)at)->argument->compared);
}

static void put_argument(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, ((const struct row *)at)->argument->key.argument);
}

/* The command that writes, or the kernel of the argument. */
static void put_command(struct strbuf *to, const struct row *row, size_t room)
{
	struct flow_node kernel;

	if (row->edge) {
		flow_put_command(to, row->advice, flow_node(&row->advice->flow, row->edge->key.to),
				 room);
		return;
	}
	kernel = flow_kernel(row->argument);
	flow_put_command(to, row->advice, &kernel, room);
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

static void put_before(struct strbuf *to, const struct row *row, size_t room)
{
	size_t start = to->length;

	flow_put_command(to, row->advice, flow_node(&row->advice->flow, row->edge->key.from), room);
	label_shorten(to, start, room);
}

static void put_before_cell(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_before(to, at, BEFORE);
}

static void put_before_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_before(to, at, 0);
}

#define SEVERAL "several: " /* and the first one */

static void put_object(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;
	uint32_t number = row->edge ? row->edge->object : row->argument->object;
	bool has_others = row->edge ? row->edge->has_others : row->argument->has_others;

	if (has_others) {
		strbuf_string(to, SEVERAL);
		room -= room > strlen(SEVERAL) ? strlen(SEVERAL) : 0;
	}
	advice_put_object(to, row->advice, advice_object(row->advice, number - 1), room);
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
	{ .heading = "After", .csv = "\"After\"", .width = -BEFORE, .quoted = true,
	  .text = put_before_cell, .fields = put_before_field },
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

/* A table of edges or of arguments. */
struct table {
	const char *title;
	const struct printer_column *columns;
	int count;
	size_t shown; /* rows, in text */
	bool of_arguments;
};

static const struct table tables[] = {
	{"Writes of bytes that were there before:", write_columns, COUNT(write_columns),
	 WRITES_SHOWN, false},
	{"Arguments without const that no launch has changed:", argument_columns,
	 COUNT(argument_columns), ARGUMENTS_SHOWN, true},
};

/* Returns the bytes by which rows are sorted; 0: it has no row. */
static uint64_t bytes_of(const struct flow *flow, const struct table *table, uint32_t index)
{
	const struct flow_argument *argument;
	const struct flow_edge *edge;

	if (!table->of_arguments) {
		edge = flow_edge(flow, index);
		return edge->key.kind == FLOW_WRITE ? edge->same : 0;
	}
	argument = flow_argument(flow, index);
	return argument->changes || argument->key.argument == USE_NO_ARGUMENT ? 0 : argument->bytes;
}

/* The order of a table's rows. */
struct order {
	const struct flow *flow;
	const struct table *table;
};

static int compare(const void *left, const void *right, void *context)
{
	const struct order *order = context;
	uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
	uint64_t first = bytes_of(order->flow, order->table, one);
	uint64_t second = bytes_of(order->flow, order->table, other);

	if (first != second)
		return first > second ? -1 : 1;
	return one < other ? -1 : one > other;
}

static struct row row_of(struct advice *advice, const struct table *table, uint32_t index)
{
	struct row row = {.advice = advice};

	if (table->of_arguments)
		row.argument = flow_argument(&advice->flow, index);
	else
		row.edge = flow_edge(&advice->flow, index);
	return row;
}

static void put_rows(const struct printer_page *page, struct advice *advice,
		     const struct table *table, const uint32_t *list, size_t count)
{
	struct printer printer = {.page = page, .columns = table->columns, .count = table->count};
	struct row row;

	for (size_t i = 0; page->csv && i < count; i++) {
		row = row_of(advice, table, list[i]);
		printer_measure(&printer, &row);
	}
	printer_begin(&printer);
	for (size_t i = 0; i < count; i++) {
		row = row_of(advice, table, list[i]);
		printer_row(&printer, &row);
	}
	printer_end(&printer);
}

static void put_table(const struct printer_page *page, struct advice *advice,
		      const struct table *table, uint32_t *list)
{
	struct order order = {&advice->flow, table};
	uint32_t all =
		table->of_arguments ? advice->flow.arguments.count : advice->flow.edges.count;
	size_t count = 0, shown;

	for (uint32_t i = 0; i < all; i++)
		if (bytes_of(&advice->flow, table, i))
			list[count++] = i;
	if (!count)
		return;
	qsort_r(list, count, sizeof(*list), compare, &order);
	shown = !page->csv && count > table->shown ? table->shown : count;
	strbuf_printf(page->text, "%s%s\n", prefix, table->title);
	put_rows(page, advice, table, list, shown);
	if (count > shown)
		strbuf_printf(page->text, "%s%llu more: --csv and --json have all.\n", prefix,
			      (unsigned long long)(count - shown));
}

static void put_head(struct strbuf *to, const struct advice *advice)
{
	const struct flow *flow = &advice->flow;
	uint64_t written = 0, same = 0;

	for (uint32_t i = 0; i < flow->edges.count; i++) {
		const struct flow_edge *edge = flow_edge(flow, i);

		if (edge->key.kind != FLOW_WRITE)
			continue;
		written += edge->compared_bytes;
		same += edge->same;
	}
	strbuf_printf(to, "%sData flow: ", prefix);
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)same);
	strbuf_string(to, " of ");
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)written);
	strbuf_printf(to, " that were written (%.2f%%) were there before.\n",
		      100 * part(same, written));
	for (int reason = CHANGE_COMPARED + 1; reason < CHANGE_REASONS; reason++)
		if (flow->reasons[reason])
			strbuf_printf(to, "%sWarning: %llu %s of %llu %s not compared: %s.\n",
				      prefix, (unsigned long long)flow->reasons[reason],
				      flow->reasons[reason] == 1 ? "result" : "results",
				      (unsigned long long)flow_writes(flow),
				      flow->reasons[reason] == 1 ? "was" : "were",
				      flow_reason_texts[reason]);
	if (flow_is_incomplete(advice))
		strbuf_printf(to, "%sWarning: " FLOW_INCOMPLETE ".\n", prefix);
}

bool flow_is_incomplete(const struct advice *advice)
{
	return flow_is_there(&advice->flow) && advice->limits.left_out;
}

int flow_put_tables(const struct printer_page *page, struct advice *advice)
{
	size_t most = advice->flow.edges.count > advice->flow.arguments.count
			      ? advice->flow.edges.count
			      : advice->flow.arguments.count;
	uint32_t *list;

	if (!flow_is_there(&advice->flow))
		return 0;
	list = calloc(most + 1, sizeof(*list));
	if (!list)
		return -1;
	put_head(page->text, advice);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		put_table(page, advice, &tables[i], list);
	free(list);
	return 0;
}
