/* SPDX-License-Identifier: MIT */
#ifndef SESSION_TOTALS_READER_H
#define SESSION_TOTALS_READER_H

#include "model/totals.h"
#include "session/ringfile_reader.h"

/*
 * Reads the tables of running totals (session/totals_table.h) of a ring file. Everything in the
 * file is checked: rows with unknown names or devices, or with other contradictions, are passed
 * over.
 */

/* Copies of the rows of all tables, in the order of the file. */
struct totals_rows {
	struct strbuf bytes;   /* the rows, each of frame.size bytes; `sequence` is 0 */
	struct strbuf offsets; /* size_t for each row */
	struct strbuf extents; /* the rows of each segment, sorted; the reader's own */
};

static inline size_t totals_rows_count(const struct totals_rows *rows)
{
	return rows->offsets.length / sizeof(size_t);
}

/* The row may be changed, but not frame.size. It is valid until a row is added. */
static inline struct totals_row *totals_rows_get(const struct totals_rows *rows, size_t index)
{
	const size_t *offsets = (const void *)rows->offsets.data;

	return (void *)(rows->bytes.data + offsets[index]);
}

/* Appends a copy. Returns 0, or -1 without memory. */
int totals_rows_add(struct totals_rows *rows, const struct totals_row *row);
void totals_rows_free(struct totals_rows *rows);

/*
 * The rows of a process that has ended. A change that a kill has interrupted is undone.
 * *interrupted is set to the correlation of its record or event, which is in no row although it
 * may have FRAME_TOTALLED; 0: none. Returns 0, or -1 without memory.
 */
int totals_reader_dead(const struct ringfile_reader *ring, struct totals_rows *rows,
		       uint64_t *interrupted);

/* Undoes the change of a copy of a row, which may be NULL. A row with another key, in a damaged
 * file, stays as it is. */
struct totals_change;
void totals_change_undo(struct totals_row *row, const struct totals_change *change);

/*
 * A reader of the totals of a process that may run (totals_reader_live.c). It takes no lock, and
 * changes nothing in the file. The file is read into memory, not mapped: if it gets shorter, less
 * is read, and no signal comes. Records in rings and pending places are not read. A row that the
 * process is changing is read up to four times; then the copy of the last time is taken, and a new
 * row is left out. When the process has ended, an interrupted change is undone.
 *
 * After the file was removed, an open reader still reads the last totals of the process.
 */
struct totals_reader;

/* Returns NULL with one sentence in `reason`. Files of other users, copies, and files of another
 * boot are refused. */
struct totals_reader *totals_reader_open(const char *path, struct strbuf *reason);

/* Reads the rows and the catalog as they are now. Returns the rows, which are valid until the next
 * call; NULL without memory. */
const struct totals_rows *totals_reader_read(struct totals_reader *reader);

/* Returns true if the process runs, and is the same program. Rows that are read after a false are
 * the last ones. Reads the header. */
bool totals_reader_is_alive(struct totals_reader *reader);

/* As of the last totals_reader_read: the catalog; whether the file has a table of totals; bytes of
 * records and events in rings; absolute patterns of the names of logs, each with a NUL. */
const struct catalog *totals_reader_catalog(const struct totals_reader *reader);
bool totals_reader_has_totals(const struct totals_reader *reader);
uint64_t totals_reader_waiting(const struct totals_reader *reader);
const struct strbuf *totals_reader_logs(const struct totals_reader *reader);

/* The header as it was last read. */
const struct ringfile_header *totals_reader_header(const struct totals_reader *reader);
void totals_reader_close(struct totals_reader *reader); /* NULL: does nothing */

#endif
