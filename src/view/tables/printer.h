/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_PRINTER_H
#define VIEW_TABLES_PRINTER_H

#include "model/field.h"
#include "view/tables/tablesjob.h"

/*
 * Every table is printed here, as aligned text and as CSV: a list of columns, and rows of any type
 * that these know. In text, columns are right-aligned with two blanks between them. In CSV there is
 * a line of headings and one of units; a column has one unit, that of its largest value, while in
 * text each value has its own.
 */
enum { PRINTER_COLUMNS = 16 /* the most */ };

struct printer_column {
	const char *heading; /* in text; NULL: the column is in CSV only */
	const char *csv;     /* its headings in CSV; NULL: it is in text only */
	int width;	     /* in text; negative: left-aligned; 0: `name` takes the rest */
	unsigned commas;     /* in its part of a CSV row: one less than its fields */
	unsigned part;	     /* is there if the printer has this part; 0: always */
	bool quoted;	     /* in CSV */
	const char *unit;    /* in CSV, of what is no quantity; or NULL */
	const char *footnote; /* or NULL */
	enum field_id field;  /* for the functions below */
	/* One of these; nothing where the row has no value. */
	const struct quantity *quantity;
	bool (*number)(const struct printer_column *column, const void *row, double *value);
	void (*text)(struct strbuf *to, const struct printer_column *column, const void *row);
	void (*name)(struct strbuf *to, const void *row, size_t room); /* 0: any room */
	/* CSV, if it differs. */
	void (*fields)(struct strbuf *to, const struct printer_column *column, const void *row);
};

struct printer {
	struct tables_job *job;
	const struct printer_column *columns;
	int count;
	unsigned parts;			 /* what the table has, as bits */
	double largest[PRINTER_COLUMNS]; /* of each column, for CSV */
	int units[PRINTER_COLUMNS];	 /* of CSV; printer_begin sets them */
};

/* CSV, before printer_begin: takes the values of a row into `largest`. */
void printer_measure(struct printer *printer, const void *row);

/* The headings; a row; the footnotes. */
void printer_begin(struct printer *printer);
void printer_row(struct printer *printer, const void *row);
void printer_end(struct printer *printer);

#endif
