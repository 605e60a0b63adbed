/* SPDX-License-Identifier: MIT */
#include "view/tables/tracecolumn.h"

#include "model/api.h"
#include "view/format/label.h"
#include "view/stacks/caller_names.h"

enum { DEVICE_WIDTH = 15, CALLER_WIDTH = 24, NAME_LEAST = 8, NANOSECONDS = 1000000000 };

static bool is_kernel(const struct trace_row *row)
{
	return row->shape.frame.kind == FRAME_KERNEL;
}

static bool start_of(const struct printer_column *column, const void *at, double *value)
{
	const struct trace_row *row = at;

	(void)column;
	*value = (double)row->start;
	return row->has_start;
}

static bool duration_of(const struct printer_column *column, const void *at, double *value)
{
	const struct trace_row *row = at;

	(void)column;
	*value = (double)row->duration;
	return true;
}

/* Returns true if the column applies to the row's record and the field is known. */
static bool has_field(const struct printer_column *column, const struct trace_row *row)
{
	bool fits = !column->part || (column->part == TRACE_KERNELS) == is_kernel(row);

	/* A block size of 0 is unknown. */
	return fits && field_is_known(&field_rows[column->field], &row->shape) &&
	       (column->field != FIELD_RECORD_BLOCK || row->shape.block[0]);
}

static bool size_of(const struct printer_column *column, const void *at, double *value)
{
	const struct trace_row *row = at;

	*value = (double)field_get(&field_rows[column->field], &row->shape, 0);
	return has_field(column, row);
}

static bool rate_of(const struct printer_column *column, const void *at, double *value)
{
	const struct trace_row *row = at;

	if (!size_of(column, row, value) || !row->duration)
		return false;
	*value *= (double)NANOSECONDS / (double)row->duration;
	return true;
}

/* Appends all numbers of the field, separated by `between`. */
static void put_numbers(struct strbuf *to, const struct printer_column *column,
			const struct trace_row *row, char between)
{
	const struct field *field = &field_rows[column->field];

	for (unsigned int i = 0; i < field->count; i++) {
		if (i)
			strbuf_char(to, between);
		strbuf_decimal(to, field_get(field, &row->shape, i));
	}
}

static void put_number(struct strbuf *to, const struct printer_column *column, const void *row)
{
	if (has_field(column, row))
		put_numbers(to, column, row, ' ');
}

static void put_vector(struct strbuf *to, const struct printer_column *column, const void *row)
{
	if (!has_field(column, row))
		return;
	strbuf_char(to, '(');
	put_numbers(to, column, row, ' ');
	strbuf_char(to, ')');
}

static void put_vector_fields(struct strbuf *to, const struct printer_column *column,
			      const void *row)
{
	if (has_field(column, row))
		put_numbers(to, column, row, ',');
	else
		strbuf_printf(to, "%.*s", (int)column->commas, ",,");
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

/* The source of a fill is the filled memory, as in nvprof. */
static void put_source(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct trace_row *row = at;

	(void)column;
	if (row->shape.frame.kind == FRAME_FILL)
		strbuf_string(to, "Device");
	if (row->shape.frame.kind == FRAME_COPY)
		put_memory(to, row, row->shape.source);
}

static void put_target(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct trace_row *row = at;

	(void)column;
	if (row->shape.frame.kind == FRAME_COPY)
		put_memory(to, row, row->shape.target);
}

static void put_device_field(struct strbuf *to, const struct printer_column *column,
			     const void *at)
{
	const struct trace_row *row = at;

	(void)column;
	label_device(to, row->catalog, row->shape.device);
}

static void put_device(struct strbuf *to, const struct printer_column *column, const void *row)
{
	size_t start = to->length;

	put_device_field(to, column, row);
	label_cut(to, start, DEVICE_WIDTH);
}

static void put_context(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct trace_row *row = at;
	const struct context *context = catalog_context(row->catalog, row->shape.context);

	(void)column;
	if (context)
		strbuf_decimal(to, context->index + 1);
}

static enum api api_of(const struct trace_row *row)
{
	const struct device *device = catalog_device(row->catalog, row->shape.device);

	return device ? device->api : API_ASSUMED;
}

static void put_correlation(struct strbuf *to, const struct printer_column *column,
			    const void *at)
{
	const struct trace_row *row = at;

	(void)column;
	strbuf_decimal(to, row->correlation);
}

static void put_launch(struct strbuf *to, const struct trace_row *row)
{
	if (!is_kernel(row))
		return;
	strbuf_string(to, " [");
	put_correlation(to, NULL, row);
	strbuf_char(to, ']');
}

/* The name of a kernel is followed by the number of its call, " [112]". */
static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct trace_row *row = at;
	size_t start = to->length, taken;

	put_launch(to, row);
	taken = to->length - start;
	to->length = start;
	if (room)
		room = room > taken + NAME_LEAST ? room - taken : NAME_LEAST;
	label_short(to, api_of(row), &row->shape, row->shown, room);
	put_launch(to, row);
}

static void put_name_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct trace_row *row = at;

	(void)column;
	label_name(to, api_of(row), &row->shape, row->shown);
	put_launch(to, row);
}

static void put_caller_field(struct strbuf *to, const struct printer_column *column,
			     const void *at)
{
	const struct trace_row *row = at;
	size_t length;
	const char *name = caller_names_get(row->callers, row->shape.frame.stack, &length);

	(void)column;
	if (name)
		strbuf_append(to, name, length);
}

static void put_caller(struct strbuf *to, const struct printer_column *column, const void *row)
{
	size_t start = to->length;

	put_caller_field(to, column, row);
	label_shorten(to, start, CALLER_WIDTH);
}

/* clang-format off */
const struct printer_column trace_columns[TRACE_COLUMNS] = {
	{ .heading = "Start", .csv = "\"Start\"", .width = 8,
	  .quantity = &quantity_time, .number = start_of },
	{ .heading = "Duration", .csv = "\"Duration\"", .width = 8,
	  .quantity = &quantity_time, .number = duration_of },
	{ .heading = "Grid Size", .csv = "\"Grid X\",\"Grid Y\",\"Grid Z\"", .width = 19,
	  .commas = 2, .part = TRACE_KERNELS, .field = FIELD_RECORD_GRID, .text = put_vector,
	  .fields = put_vector_fields },
	{ .heading = "Block Size", .csv = "\"Block X\",\"Block Y\",\"Block Z\"", .width = 14,
	  .commas = 2, .part = TRACE_KERNELS, .field = FIELD_RECORD_BLOCK, .text = put_vector,
	  .fields = put_vector_fields },
	{ .heading = "Regs*", .csv = "\"Registers Per Thread\"", .width = 8,
	  .part = TRACE_KERNELS, .field = FIELD_RECORD_REGISTERS, .text = put_number,
	  .footnote = "Regs: Number of registers used per CUDA thread. This number includes "
		      "registers used internally by the CUDA driver and/or tools and can be more "
		      "than what the compiler shows." },
	{ .heading = "SSMem*", .csv = "\"Static SMem\"", .width = 8, .part = TRACE_KERNELS,
	  .quantity = &quantity_size, .field = FIELD_RECORD_STATIC_SHARED,
	  .number = size_of,
	  .footnote = "SSMem: Static shared memory allocated per CUDA block." },
	{ .heading = "DSMem*", .csv = "\"Dynamic SMem\"", .width = 8, .part = TRACE_KERNELS,
	  .quantity = &quantity_size, .field = FIELD_RECORD_DYNAMIC_SHARED,
	  .number = size_of,
	  .footnote = "DSMem: Dynamic shared memory allocated per CUDA block." },
	{ .heading = "Size", .csv = "\"Size\"", .width = 8, .part = TRACE_TRANSFERS,
	  .quantity = &quantity_size, .field = FIELD_RECORD_BYTES, .number = size_of },
	{ .heading = "Throughput", .csv = "\"Throughput\"", .width = 10,
	  .part = TRACE_TRANSFERS, .quantity = &quantity_rate,
	  .field = FIELD_RECORD_BYTES, .number = rate_of },
	{ .heading = "SrcMemType", .csv = "\"SrcMemType\"", .width = 10,
	  .part = TRACE_TRANSFERS, .quoted = true, .text = put_source,
	  .footnote = "SrcMemType: The type of source memory accessed by memory operation/copy" },
	{ .heading = "DstMemType", .csv = "\"DstMemType\"", .width = 10,
	  .part = TRACE_TRANSFERS, .quoted = true, .text = put_target,
	  .footnote = "DstMemType: The type of destination memory accessed by memory "
		      "operation/copy" },
	{ .heading = "Device", .csv = "\"Device\"", .width = DEVICE_WIDTH, .quoted = true,
	  .text = put_device, .fields = put_device_field },
	{ .heading = "Context", .csv = "\"Context\"", .width = 8, .quoted = true,
	  .text = put_context },
	{ .heading = "Stream", .csv = "\"Stream\"", .width = 8, .quoted = true,
	  .field = FIELD_RECORD_STREAM, .text = put_number },
	{ .heading = "Caller*", .width = -CALLER_WIDTH, .part = TRACE_CALLERS, .text = put_caller,
	  .footnote = "Caller: The function of the program that is nearest to the launch." },
	{ .heading = "Name", .csv = "\"Name\"", .quoted = true, .name = put_name,
	  .fields = put_name_field },
	{ .csv = "\"Correlation_ID\"", .text = put_correlation },
	{ .csv = "\"Caller\"", .quoted = true, .part = TRACE_CALLERS,
	  .text = put_caller_field },
};
/* clang-format on */
