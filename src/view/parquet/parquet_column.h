/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PARQUET_PARQUET_COLUMN_H
#define VIEW_PARQUET_PARQUET_COLUMN_H

#include <stdbool.h>

#include "base/names.h"
#include "base/strbuf.h"

/* A column of a Parquet file, and its part of a row group: the column chunk. */

enum { PARQUET_ROWS = 131072 /* of a row group, at most */ };

enum parquet_type {
	PARQUET_NUMBER, /* INT64 */
	PARQUET_TIME,	/* INT64, a TIMESTAMP of nanoseconds since 1970, UTC */
	PARQUET_TEXT,	/* BYTE_ARRAY, a STRING: UTF-8 */
	PARQUET_FLOAT,
	PARQUET_DOUBLE,
};

enum parquet_encoding {
	PARQUET_PLAIN = 0,
	PARQUET_RLE = 3, /* of the levels, which tell in what rows there is a value */
	PARQUET_DELTA_BINARY_PACKED = 5,
	PARQUET_RLE_DICTIONARY = 8,
};

struct parquet_column {
	char *name;
	enum parquet_type type;
	struct strbuf values;		   /* uint64_t: of each row that has one, its bits */
	uint8_t present[PARQUET_ROWS / 8]; /* a bit for each row */
};

/* The data of a column chunk that the footer has. */
struct parquet_chunk {
	uint64_t start;	     /* offset in the file */
	uint64_t data;	     /* offset of the data page, which the dictionary's page precedes */
	uint64_t size;	     /* of all pages with their headers, */
	uint64_t plain_size; /* and before compression */
	uint64_t rows, nulls;
	int64_t least, most; /* of numbers and times */
	uint8_t encoding;    /* of the values: enum parquet_encoding */
};

/* Space for encoding, which all columns of a file use, and their texts. */
struct parquet_encoder {
	struct names *texts; /* a value of PARQUET_TEXT is an id of a text */
	bool compressed;
	struct strbuf levels;
	struct strbuf page;
	struct strbuf gzip;
	uint32_t *numbers;  /* of PARQUET_ROWS: the levels, then the indices of the values */
	uint64_t *distinct; /* the dictionary: values in the order of their first occurrence */
	uint32_t *slots;    /* a hash table: 1 + index in `distinct`, 0 for none */
};

/* Returns 0, or -1 without memory. The encoder can be freed in both cases. */
int parquet_column_open_encoder(struct parquet_encoder *encoder);
void parquet_column_free_encoder(struct parquet_encoder *encoder);

/* Returns NULL without memory. */
struct parquet_column *parquet_column_new(const char *name, enum parquet_type type);
void parquet_column_free(struct parquet_column *column);

/* Sets the value of a row of the present row group. Call in the order of the rows. If a row
 * has a value already, that one stays. */
static inline void parquet_column_put(struct parquet_column *column, uint32_t row, uint64_t bits)
{
	char *at = strbuf_reserve_fast(&column->values, sizeof(bits));
	uint8_t bit = (uint8_t)(1 << row % 8);

	if (!at || column->present[row / 8] & bit)
		return;
	__builtin_memcpy(at, &bits, sizeof(bits));
	column->values.length += sizeof(bits);
	column->present[row / 8] |= bit;
}

/* Appends the pages of a row group of `rows` rows and empties the column. `offset` is the offset in
 * the file of the first byte that is appended. If there is no memory, to->failed is set. */
void parquet_column_flush(struct parquet_column *column, struct parquet_encoder *encoder,
			  uint32_t rows, uint64_t offset, struct strbuf *to,
			  struct parquet_chunk *chunk);

#endif
