/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PARQUET_PARQUET_FILE_H
#define VIEW_PARQUET_PARQUET_FILE_H

#include "view/parquet/parquet_column.h"

/*
 * Writes a file of Apache Parquet row by row. A row group is written when it has PARQUET_ROWS rows,
 * or earlier if they have very many or very long values, so memory does not depend on the number of
 * rows. Columns may be added at any time: rows before have no value in them. doc/FORMAT describes
 * the file.
 */
struct parquet_file;

/* Opens an existing empty file; the caller owns `path`. Returns NULL with one sentence in
 * `error`. */
struct parquet_file *parquet_file_open(const char *path, struct strbuf *error);

/* Returns the column's number, from 0; -1 without memory. Names differ, also in lower case. */
int parquet_file_add_column(struct parquet_file *file, const char *name, enum parquet_type type);

/* Returns true if a column has this name, ignoring letter case. */
bool parquet_file_has_column(const struct parquet_file *file, const char *name);

/* Sets a value of the present row, unless it has one: of PARQUET_TEXT the number of a text; others
 * as their bits, which are those of an int64_t, a float or a double. */
void parquet_file_put(struct parquet_file *file, int column, uint64_t bits);

/* Returns the number of a text, UTF-8, for rows of the present row group; 0 without memory, which
 * parquet_file_end_row reports. */
uint32_t parquet_file_text(struct parquet_file *file, const char *text, size_t length);

/* Ends the present row. Returns -1 after an error, which parquet_file_close describes. `*forgotten`
 * (else not changed) becomes true if numbers of texts are no longer valid. */
int parquet_file_end_row(struct parquet_file *file, bool *forgotten);

/* Adds a pair to the metadata of the file. */
void parquet_file_add_metadata(struct parquet_file *file, const char *key, const char *value);

/* Returns true if pages are compressed. */
bool parquet_file_is_compressed(const struct parquet_file *file);

/* Writes the rest. Returns 0, or -1 with one sentence in `error`, unless it has one already. */
int parquet_file_close(struct parquet_file *file, struct strbuf *error);

#endif
