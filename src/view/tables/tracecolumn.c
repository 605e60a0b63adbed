/* SPDX-License-Identifier: MIT */
#include "view/tables/tracecolumn.h"

#include "model/api.h"
#include "view/format/label.h"

enum { DEVICE_WIDTH = 15, NAME_LEAST = 8, NANOSECONDS = 1000000000 };

static bool is_kernel(const struct trace_row *row)
{
	return row->shape.frame.kind == FRAME_KERNEL;
}

static bool start_of(const struct trace_row *row, double *value)
{
	*value = (double)row->start;
	return row->has_start;
}

static bool duration_of(const struct trace_row *row, double *value)
{
	*value = (double)row->duration;
	return true;
}

static bool static_shared_of(const struct trace_row *row, double *value)
{
	*value = row->shape.static_shared;
	return is_kernel(row) && (row->shape.known & KNOWN_STATIC_SHARED);
}

static bool dynamic_shared_of(const struct trace_row *row, double *value)
{
	*value = row->shape.dynamic_shared;
	return is_kernel(row) && (row->shape.known & KNOWN_DYNAMIC_SHARED);
}

static bool size_of(const struct trace_row *row, double *value)
{
	*value = (double)row->bytes;
	return !is_kernel(row) && (row->shape.known & KNOWN_BYTES);
}

static bool rate_of(const struct trace_row *row, double *value)
{
	if (!size_of(row, value) || !row->duration)
		return false;
	*value *= (double)NANOSECONDS / (double)row->duration;
	return true;
}

static bool has_block(const struct trace_row *row)
{
	return is_kernel(row) && (row->shape.known & (KNOWN_GRID | KNOWN_BLOCK)) &&
	       row->shape.block[0];
}

static bool has_grid(const struct trace_row *row)
{
	return is_kernel(row) && (row->shape.known & KNOWN_GRID);
}

static void put_three(struct strbuf *to, uint64_t x, uint64_t y, uint64_t z, char between)
{
	quantity_put_whole(to, x);
	strbuf_char(to, between);
	quantity_put_whole(to, y);
	strbuf_char(to, between);
	quantity_put_whole(to, z);
}

static void put_grid(struct strbuf *to, const struct trace_row *row)
{
	const uint64_t *grid = row->shape.grid;

	if (!has_grid(row))
		return;
	strbuf_char(to, '(');
	put_three(to, grid[0], grid[1], grid[2], ' ');
	strbuf_char(to, ')');
}

static void put_grid_fields(struct strbuf *to, const struct trace_row *row)
{
	const uint64_t *grid = row->shape.grid;

	if (has_grid(row))
		put_three(to, grid[0], grid[1], grid[2], ',');
	else
		strbuf_string(to, ",,");
}

static void put_block(struct strbuf *to, const struct trace_row *row)
{
	const uint32_t *block = row->shape.block;

	if (!has_block(row))
		return;
	strbuf_char(to, '(');
	put_three(to, block[0], block[1], block[2], ' ');
	strbuf_char(to, ')');
}

static void put_block_fields(struct strbuf *to, const struct trace_row *row)
{
	const uint32_t *block = row->shape.block;

	if (has_block(row))
		put_three(to, block[0], block[1], block[2], ',');
	else
		strbuf_string(to, ",,");
}

static void put_registers(struct strbuf *to, const struct trace_row *row)
{
	if (is_kernel(row) && (row->shape.known & KNOWN_REGISTERS))
		quantity_put_whole(to, row->shape.registers);
}

static void put_memory(struct strbuf *to, const struct trace_row *row, uint8_t memory)
{
	if (memory == MEMORY_DEVICE || memory == MEMORY_PEER)
		strbuf_string(to, "Device");
	else if (memory == MEMORY_ARRAY)
		strbuf_string(to, "Array");
	else if (memory == MEMORY_HOST && (row->shape.known & KNOWN_HOST_MEMORY))
		strbuf_string(to, row->shape.host_memory == HOST_MEMORY_PAGEABLE ? "Pageable"
										 : "Pinned");
}

/* Of a fill the memory that is filled, as nvprof has it. */
static void put_source(struct strbuf *to, const struct trace_row *row)
{
	if (row->shape.frame.kind == FRAME_FILL)
		strbuf_string(to, "Device");
	if (row->shape.frame.kind == FRAME_COPY)
		put_memory(to, row, row->shape.source);
}

static void put_target(struct strbuf *to, const struct trace_row *row)
{
	if (row->shape.frame.kind == FRAME_COPY)
		put_memory(to, row, row->shape.target);
}

static void put_device(struct strbuf *to, const struct trace_row *row)
{
	size_t start = to->length;

	label_device(to, row->catalog, row->shape.device);
	label_cut(to, start, DEVICE_WIDTH);
}

static void put_device_field(struct strbuf *to, const struct trace_row *row)
{
	label_device(to, row->catalog, row->shape.device);
}

static void put_context(struct strbuf *to, const struct trace_row *row)
{
	const struct context *context = catalog_context(row->catalog, row->shape.context);

	if (context)
		quantity_put_whole(to, context->index + 1);
}

static void put_stream(struct strbuf *to, const struct trace_row *row)
{
	if (row->shape.known & KNOWN_STREAM)
		quantity_put_whole(to, row->shape.stream);
}

static enum api api_of(const struct trace_row *row)
{
	const struct device *device = catalog_device(row->catalog, row->shape.device);

	return device ? device->api : API_ASSUMED;
}

static void put_number(struct strbuf *to, const struct trace_row *row)
{
	if (!is_kernel(row))
		return;
	strbuf_string(to, " [");
	quantity_put_whole(to, row->correlation);
	strbuf_char(to, ']');
}

static void put_name(struct strbuf *to, const struct trace_row *row)
{
	label_name(to, api_of(row), &row->shape, row->shown);
	put_number(to, row);
}

static void put_correlation(struct strbuf *to, const struct trace_row *row)
{
	quantity_put_whole(to, row->correlation);
}

/* clang-format off */
const struct trace_column trace_columns[TRACE_COLUMNS] = {
	{ .heading = "Start", .csv = "\"Start\"", .width = 8,
	  .quantity = &quantity_time, .number = start_of },
	{ .heading = "Duration", .csv = "\"Duration\"", .width = 8,
	  .quantity = &quantity_time, .number = duration_of },
	{ .heading = "Grid Size", .csv = "\"Grid X\",\"Grid Y\",\"Grid Z\"", .width = 19,
	  .commas = 2, .used = USED_BY_KERNELS, .text = put_grid, .fields = put_grid_fields },
	{ .heading = "Block Size", .csv = "\"Block X\",\"Block Y\",\"Block Z\"", .width = 14,
	  .commas = 2, .used = USED_BY_KERNELS, .text = put_block, .fields = put_block_fields },
	{ .heading = "Regs*", .csv = "\"Registers Per Thread\"", .width = 8,
	  .used = USED_BY_KERNELS, .text = put_registers,
	  .footnote = "Regs: Number of registers used per CUDA thread. This number includes "
		      "registers used internally by the CUDA driver and/or tools and can be more "
		      "than what the compiler shows." },
	{ .heading = "SSMem*", .csv = "\"Static SMem\"", .width = 8, .used = USED_BY_KERNELS,
	  .quantity = &quantity_size, .number = static_shared_of,
	  .footnote = "SSMem: Static shared memory allocated per CUDA block." },
	{ .heading = "DSMem*", .csv = "\"Dynamic SMem\"", .width = 8, .used = USED_BY_KERNELS,
	  .quantity = &quantity_size, .number = dynamic_shared_of,
	  .footnote = "DSMem: Dynamic shared memory allocated per CUDA block." },
	{ .heading = "Size", .csv = "\"Size\"", .width = 8, .used = USED_BY_TRANSFERS,
	  .quantity = &quantity_size, .number = size_of },
	{ .heading = "Throughput", .csv = "\"Throughput\"", .width = 10,
	  .used = USED_BY_TRANSFERS, .quantity = &quantity_rate, .number = rate_of },
	{ .heading = "SrcMemType", .csv = "\"SrcMemType\"", .width = 10,
	  .used = USED_BY_TRANSFERS, .quoted = true, .text = put_source,
	  .footnote = "SrcMemType: The type of source memory accessed by memory operation/copy" },
	{ .heading = "DstMemType", .csv = "\"DstMemType\"", .width = 10,
	  .used = USED_BY_TRANSFERS, .quoted = true, .text = put_target,
	  .footnote = "DstMemType: The type of destination memory accessed by memory "
		      "operation/copy" },
	{ .heading = "Device", .csv = "\"Device\"", .width = DEVICE_WIDTH, .quoted = true,
	  .text = put_device, .fields = put_device_field },
	{ .heading = "Context", .csv = "\"Context\"", .width = 8, .quoted = true,
	  .text = put_context },
	{ .heading = "Stream", .csv = "\"Stream\"", .width = 8, .quoted = true,
	  .text = put_stream },
	{ .csv = "\"Name\",\"Correlation_ID\"", .commas = 1 },
};
/* clang-format on */

void trace_cell(struct strbuf *to, const struct trace_column *column, const struct trace_row *row,
		int time_unit)
{
	size_t start = to->length;
	double value;

	if (column->text)
		column->text(to, row);
	else if (column->number(row, &value))
		quantity_put(to, column->quantity,
			     column->quantity == &quantity_time ? time_unit : QUANTITY_AUTO, value);
	if (to->length == start)
		strbuf_char(to, '-');
	label_right(to, start, (size_t)column->width);
}

static void put_name_fields(struct strbuf *to, const struct trace_row *row)
{
	size_t start = to->length;

	put_name(to, row);
	label_quote(to, start);
	strbuf_char(to, ',');
	put_correlation(to, row);
}

void trace_field(struct strbuf *to, const struct trace_column *column, const struct trace_row *row,
		 int unit)
{
	size_t start = to->length;
	double value;

	if (column->number) {
		if (column->number(row, &value))
			quantity_put_csv(to, column->quantity, unit, value);
	} else if (column->fields) {
		column->fields(to, row);
	} else if (column->text) {
		column->text(to, row);
	} else {
		put_name_fields(to, row);
	}
	if (column->quoted && to->length > start)
		label_quote(to, start);
}

void trace_name(struct strbuf *to, const struct trace_row *row, size_t room)
{
	size_t start = to->length, taken;

	put_number(to, row);
	taken = to->length - start;
	to->length = start;
	if (room)
		room = room > taken + NAME_LEAST ? room - taken : NAME_LEAST;
	label_short(to, api_of(row), &row->shape, row->shown, room);
	put_number(to, row);
}
