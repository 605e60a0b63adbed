/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_PRINTER_H
#define VIEW_FORMAT_PRINTER_H

#include "base/strbuf.h"
#include "model/field.h"
#include "view/format/quantity.h"

/*
 * Prints all tables, as aligned text and as CSV: from a list of columns, and rows of a type that
 * these columns read. In text, columns have two blanks between them. CSV has a line of headings and
 * one of units; a column has one unit, that of its largest value. In text each value has its own
 * unit.
 */
enum { PRINTER_COLUMNS = 20 /* maximum */ };

struct printer_column {
	const char *heading; /* in text; NULL: the column is in CSV only */
	const char *csv;     /* headings in CSV; NULL: the column is in text only */
	int width;	     /* in text; negative: left-aligned, blank without a value; 0: `name`
				takes the rest */
	unsigned commas;     /* in its part of a CSV row: number of fields less one */
	unsigned part;	     /* shown if the printer has this part; 0: always */
	bool quoted;	     /* in CSV */
	const char *unit;    /* in CSV, of a value that is not a quantity; or NULL */
	const char *footnote; /* or NULL */
	enum field_id field;  /* for the functions below */
	/* One of these; they print nothing if the row has no value. */
	const struct quantity *quantity;
	bool (*number)(const struct printer_column *column, const void *row, double *value);
	double (*share)(const void *row); /* from 0 to 1, printed in percent */
	void (*text)(struct strbuf *to, const struct printer_column *column, const void *row);
	void (*name)(struct strbuf *to, const void *row, size_t room); /* 0: any room */
	/* In text a line ends before the first column that the row does not have. NULL: it has
	 * it. */
	bool (*has)(const struct printer_column *column, const void *row);
	/* CSV, if it differs. */
	void (*fields)(struct strbuf *to, const struct printer_column *column, const void *row);
};

/* The text to which tables are appended, and its form. */
struct printer_page {
	struct strbuf *text;
	bool csv;
	int time_unit;	/* of all times, or QUANTITY_AUTO */
	unsigned width; /* of a line of text; 0: no limit. `name` has PRINTER_NAME_LEAST at least */
	void (*flush)(void *context); /* after each row; NULL: nothing */
	void *context;
};

enum { PRINTER_NAME_LEAST = 16 };

struct printer {
	const struct printer_page *page;
	const struct printer_column *columns;
	int count;
	unsigned parts;			 /* parts of the table, as bits */
	double largest[PRINTER_COLUMNS]; /* of each column, for CSV */
	int units[PRINTER_COLUMNS];	 /* of CSV; printer_begin sets them */
};

/* CSV, before printer_begin: includes the values of a row in `largest`. */
void printer_measure(struct printer *printer, const void *row);

/* The headings; a row; the footnotes. */
void printer_begin(struct printer *printer);
void printer_row(struct printer *printer, const void *row);
void printer_end(struct printer *printer);

#endif
