/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PARQUET_PARQUET_RECORD_H
#define VIEW_PARQUET_PARQUET_RECORD_H

#include "base/map.h"
#include "model/catalog.h"
#include "view/parquet/parquet_file.h"

/* The rows of records: one for each kernel, copy and fill. Unknown values are missing. */

enum { PARQUET_COUNTERS = 2048 /* columns of counters, at most */ };

struct parquet_record {
	struct parquet_file *file;
	const struct catalog *catalog; /* of the present process */
	uint64_t rank;
	bool has_rank;
	bool has_starts;
	int64_t shift;	 /* added to times since the epoch: to the clock of all processes */
	uint64_t number; /* of the record, for outputs: its correlation or its ordinal */
	const struct record *record;
	struct map texts;	/* numbers of texts in the file, by their addresses */
	struct names *counters; /* their columns follow those of each record, in this order */
	struct names_room room; /* for those columns */
	uint64_t left_out;	/* values of counters that have no column */
	bool failed;		/* no memory */
};

/* Adds the columns to the file. Returns 0, or -1 without memory; it can be closed in both cases. */
int parquet_record_open(struct parquet_record *rows, struct parquet_file *file);
void parquet_record_close(struct parquet_record *rows);

/* Forgets the texts: another process has others, and the file may have forgotten them. */
void parquet_record_forget(struct parquet_record *rows);

/* Puts the values of rows->record, and ends the row. Returns -1 after an error. */
int parquet_record_put(struct parquet_record *rows);

#endif
