/* SPDX-License-Identifier: MIT */
#include "view/format/printer.h"

#include "view/format/label.h"

static bool is_there(const struct printer *printer, const struct printer_column *column)
{
	bool csv = printer->page->csv;

	return (csv ? column->csv : column->heading) &&
	       (!column->part || printer->parts & column->part);
}

void printer_measure(struct printer *printer, const void *row)
{
	for (int i = 0; i < printer->count; i++) {
		const struct printer_column *column = &printer->columns[i];
		double value;

		if (column->quantity && column->number(column, row, &value) &&
		    value > printer->largest[i])
			printer->largest[i] = value;
	}
}

static int unit_of(const struct printer *printer, int column)
{
	const struct quantity *quantity = printer->columns[column].quantity;
	int unit = printer->page->time_unit;

	if (!quantity || (quantity == &quantity_time && unit != QUANTITY_AUTO))
		return unit;
	return quantity_unit(quantity, printer->largest[column]);
}

static void put_headings(const struct printer *printer)
{
	struct strbuf *to = printer->page->text;
	const char *between = "";

	for (int i = 0; i < printer->count; i++) {
		const struct printer_column *column = &printer->columns[i];

		if (!is_there(printer, column))
			continue;
		strbuf_printf(to, "%s%*s", between, column->width, column->heading);
		between = "  ";
	}
	strbuf_char(to, '\n');
}

static void put_headings_csv(const struct printer *printer)
{
	struct strbuf *to = printer->page->text;
	struct strbuf units = STRBUF_INIT;
	const char *between = "";

	for (int i = 0; i < printer->count; i++) {
		const struct printer_column *column = &printer->columns[i];
		const char *unit = column->unit ? column->unit : "";

		if (!is_there(printer, column))
			continue;
		if (column->quantity)
			unit = column->quantity->units[printer->units[i]].name;
		strbuf_printf(to, "%s%s", between, column->csv);
		strbuf_printf(&units, "%s%s%.*s", between, unit, (int)column->commas, ",,,");
		between = ",";
	}
	strbuf_char(to, '\n');
	strbuf_string(to, strbuf_text(&units));
	strbuf_char(to, '\n');
	to->failed |= units.failed;
	strbuf_free(&units);
}

void printer_begin(struct printer *printer)
{
	for (int i = 0; i < printer->count; i++)
		printer->units[i] = unit_of(printer, i);
	if (printer->page->csv)
		put_headings_csv(printer);
	else
		put_headings(printer);
}

static void put_cell(const struct printer *printer, const struct printer_column *column,
		     const void *row)
{
	struct strbuf *to = printer->page->text;
	size_t start = to->length;
	double value;

	if (column->share)
		strbuf_printf(to, "%.2f%%", 100 * column->share(row));
	else if (column->text)
		column->text(to, column, row);
	else if (column->number(column, row, &value))
		quantity_put(to, column->quantity,
			     column->quantity == &quantity_time ? printer->page->time_unit
								: QUANTITY_AUTO,
			     value);
	if (to->length == start && column->width > 0)
		strbuf_char(to, '-');
	if (column->width > 0)
		label_right(to, start, (size_t)column->width);
}

/* Returns the columns left for a name after `length` bytes of a line; 0: any number. */
static size_t room_after(const struct printer_page *page, size_t length)
{
	if (!page->width)
		return 0;
	return length + PRINTER_NAME_LEAST < page->width ? page->width - length
							 : PRINTER_NAME_LEAST;
}

static void put_row(const struct printer *printer, const void *row)
{
	struct strbuf *to = printer->page->text;
	size_t line = to->length, cell = line;
	const struct printer_column *before = NULL;

	for (int i = 0; i < printer->count; i++) {
		const struct printer_column *column = &printer->columns[i];

		if (!is_there(printer, column))
			continue;
		if (column->has && !column->has(column, row))
			break;
		/* A line does not end in blanks. */
		if (before && before->width < 0)
			label_left(to, cell, (size_t)-before->width);
		if (before)
			strbuf_append(to, "  ", 2);
		before = column;
		cell = to->length;
		if (column->name)
			column->name(to, row, room_after(printer->page, to->length - line));
		else
			put_cell(printer, column, row);
	}
	strbuf_char(to, '\n');
}

static void put_fields(const struct printer *printer, int index, const void *row)
{
	const struct printer_column *column = &printer->columns[index];
	struct strbuf *to = printer->page->text;
	size_t start = to->length;
	double value;

	if (column->share)
		strbuf_printf(to, "%.6f", 100 * column->share(row));
	else if (column->fields)
		column->fields(to, column, row);
	else if (column->name)
		column->name(to, row, 0);
	else if (column->text)
		column->text(to, column, row);
	else if (column->number(column, row, &value))
		quantity_put_csv(to, column->quantity, printer->units[index], value);
	if (column->quoted && to->length > start)
		label_quote(to, start);
}

static void put_row_csv(const struct printer *printer, const void *row)
{
	struct strbuf *to = printer->page->text;
	const char *between = "";

	for (int i = 0; i < printer->count; i++) {
		if (!is_there(printer, &printer->columns[i]))
			continue;
		strbuf_string(to, between);
		put_fields(printer, i, row);
		between = ",";
	}
	strbuf_char(to, '\n');
}

void printer_row(struct printer *printer, const void *row)
{
	if (printer->page->csv)
		put_row_csv(printer, row);
	else
		put_row(printer, row);
	if (printer->page->flush)
		printer->page->flush(printer->page->context);
}

void printer_end(struct printer *printer)
{
	struct strbuf *to = printer->page->text;

	if (printer->page->csv)
		return;
	strbuf_char(to, '\n');
	for (int i = 0; i < printer->count; i++)
		if (printer->columns[i].footnote && is_there(printer, &printer->columns[i]))
			strbuf_printf(to, "%s\n", printer->columns[i].footnote);
}
